"""Prometheus metrics of a running server. Clients cannot create new label values."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter("takujo_moves_total", "Moves by game and outcome", ["module", "outcome"])
REFUSALS = Counter("takujo_refusals_total", "Refused moves, by the code of the reason", ["code"])
MOVE_SECONDS = Histogram(
    "takujo_move_seconds",
    "From a move's arrival until its answer",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
SOCKETS = Gauge(
    "takujo_sockets", "Open pages that are kept up to date, by kind", ["kind"], multiprocess_mode="livesum"
)
#: Set from the folder at each request for metrics: other processes make the backups.
BACKUP_MADE_AT = Gauge(
    "takujo_backup_made_at_seconds",
    "When the newest backup in BACKUP_DIR was made, in Unix time; 0 without one",
    multiprocess_mode="max",
)
DISK_FREE = Gauge(
    "takujo_disk_free_bytes", "Room on the disk of the data folder", multiprocess_mode="mostrecent"
)
#: The label "disk" means that the database could not write because its disk is full.
SERVICE_ERRORS = Counter(
    "takujo_service_errors_total", "Vain requests to the database, its disk or Redis", ["service"]
)


for service in ("database", "disk", "redis"):
    SERVICE_ERRORS.labels(service)
