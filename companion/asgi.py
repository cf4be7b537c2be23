"""The ASGI application: Django serves pages, Channels serves live tables."""

import gc
import os
import sys
from functools import partial

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
# PostgreSQL cancels long statements of the server. Commands, such as a migration, have no such limit.
os.environ.setdefault("PGOPTIONS", "-c statement_timeout=15s -c idle_in_transaction_session_timeout=30s")
# Set Django up first: the imports below load models.
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from companion import shared_time  # noqa: E402
from companion.backups import retention  # noqa: E402
from companion.observability import health, logs  # noqa: E402
from companion.observability.health import HealthMiddleware  # noqa: E402
from companion.observability.logs import RequestIdMiddleware  # noqa: E402
from companion.requests.asgi_middleware import BoundedBody, BoundedSockets, SameOrigin  # noqa: E402
from companion.requests.queue_middleware import RequestQueueMiddleware  # noqa: E402
from companion.server import threads  # noqa: E402
from companion.server.serving import Chore, Lifespan  # noqa: E402
from sessions.archive import campaign_file, scenario_file  # noqa: E402
from sessions.card_table import house_rules  # noqa: E402
from sessions.engine.game_errors import Hung, game_call  # noqa: E402
from sessions.engine.registry import preload_types  # noqa: E402
from sessions.live.routing import websockets  # noqa: E402
from sessions.report import session_report  # noqa: E402
from sessions.table import slow_tables  # noqa: E402
from sessions.table.slow_tables import SlowTables  # noqa: E402

logs.start_reporting(settings.SENTRY_DSN)
threads.track_work()
# Preload before the first request is served.
preload_types(*house_rules.READ, *campaign_file.READ, *scenario_file.READ, *session_report.READ)
# A move switches threads several times. At each switch it may wait this long, in seconds, for a thread that
# renders a page.
sys.setswitchinterval(0.001)
# Objects of the start-up live as long as the process, and reference counting frees most later ones. A garbage
# collection of all of them, as often as by default, would block every phone for a quarter of a second.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)

application = RequestIdMiddleware(
    ProtocolTypeRouter(
        {
            "http": HealthMiddleware(BoundedBody(RequestQueueMiddleware(pages))),
            "websocket": SameOrigin(BoundedSockets(websockets)),
            "lifespan": Lifespan(
                Chore(shared_time.measure, shared_time.EVERY, before_requests=True),
                Chore(SlowTables().check_tables, slow_tables.EVERY),
                Chore(retention.run_due_commands, retention.EVERY),
                Chore(health.measure_waits, health.EVERY),
                Chore(partial(threads.WATCH.sample_threads, game_call, Hung), threads.EVERY),
            ),
        }
    )
)
