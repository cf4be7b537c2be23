"""Where a server starts: pages by Django, live tables by Channels."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
# Django first: what follows imports models.
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from companion.bodies import BoundedBody  # noqa: E402
from companion.origins import SameOrigin  # noqa: E402
from sessions.card_table import house_rules  # noqa: E402
from sessions.engine.warm import warm  # noqa: E402
from sessions.screen.routing import websockets  # noqa: E402

# Before the first thread serves anybody.
warm(*house_rules.READ)
# What is there by now stays, and most of what comes goes by itself. Looking through all of it for garbage, as
# often as Python would, holds up every phone for a quarter of a second.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)

application = ProtocolTypeRouter({"http": BoundedBody(pages), "websocket": SameOrigin(websockets)})
