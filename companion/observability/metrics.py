"""Prometheus metrics of a running server. Clients cannot create new label values.

A series whose labels are known is at zero from the start, so that its first event shows as a rise.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from companion import games

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

BUILD_INFO = Gauge(
    "takujo_build_info", "1, with the running version", ["version"], multiprocess_mode="livemax"
)
MOVES = Counter("takujo_moves_total", "Moves by game and outcome", ["module", "outcome"])
#: The codes are those of the games, too: a series begins with its first refusal.
REFUSALS = Counter("takujo_refusals_total", "Refused moves, by the code of the reason", ["code"])
MOVE_DURATION = Histogram(
    "takujo_move_duration_seconds", "From a move's arrival until its answer", buckets=BUCKETS
)
SOCKETS = Gauge(
    "takujo_sockets", "Open pages that are kept up to date, by kind", ["kind"], multiprocess_mode="livesum"
)
REQUEST_DURATION = Histogram(
    "takujo_http_request_duration_seconds",
    "Pages and other answers by HTTP, with their time in the queue, by the class of the status",
    ["status"],
    buckets=BUCKETS,
)
QUEUE_WAITING = Gauge(
    "takujo_queue_waiting", "Requests that wait for their turn", ["queue"], multiprocess_mode="livesum"
)
#: The cause is "queue" (it is full, or the turn did not come), "requests" (too fast), "sockets", "quota", or
#: the scope of the limit of tries (companion.requests.throttle).
TURNED_AWAY = Counter(
    "takujo_turned_away_total", "Requests and websockets beyond a limit, by cause", ["cause"]
)
WAIT_DURATION = Histogram(
    "takujo_wait_duration_seconds",
    "How long a new piece of work waited for the event loop, and for a turn in a thread, asked once a second",
    ["of"],
    buckets=BUCKETS,
)
STALLED_LANES = Gauge(
    "takujo_stalled_lanes",
    "Tables, sessions and chores whose work has not come back for two seconds",
    multiprocess_mode="livesum",
)
#: Set from the folder at each request for metrics: other processes make the backups.
BACKUP_TIMESTAMP = Gauge(
    "takujo_backup_timestamp_seconds",
    "When the newest backup in BACKUP_DIR was made, in Unix time; 0 without one",
    multiprocess_mode="max",
)
DISK_FREE = Gauge(
    "takujo_disk_free_bytes", "Room on the disk of the data folder", multiprocess_mode="mostrecent"
)
#: Errors of the service "disk" are writes that failed because the disk of the data folder is full or closed.
SERVICE_ERRORS = Counter(
    "takujo_service_errors_total",
    "Vain requests to the database, its disk or Redis, by cause",
    ["service", "cause"],
)


def _begin_at_zero() -> None:
    for game in games.games():
        for outcome in ("accepted", "again", "refused"):
            MOVES.labels(game.key, outcome)
    for kind in ("table", "face", "lobby"):
        SOCKETS.labels(kind)
    for status in ("2xx", "3xx", "4xx", "5xx"):
        REQUEST_DURATION.labels(status)
    for queue in ("pages", "heavy"):
        QUEUE_WAITING.labels(queue)
    for cause in ("queue", "requests", "sockets", "quota"):
        TURNED_AWAY.labels(cause)
    for of in ("loop", "thread"):
        WAIT_DURATION.labels(of)
    for service, cause in (
        *(("database", cause) for cause in ("away", "failed", "full", "locked")),
        *(("disk", cause) for cause in ("closed", "full")),
        ("redis", "away"),
    ):
        SERVICE_ERRORS.labels(service, cause)


_begin_at_zero()
