"""Health and metrics endpoints.

They respond before Django and for any ``Host``, since load balancers connect by IP address. They contain no
personal data. The middleware measures all other requests but those for static files.

=================== ==============================================================================
``/health/live/``   200 while the process serves; queries no service
``/health/ready/``  200 if the database responds, has this version's schema and is writable, and the
                    threads of moves do not hang, else 503. "degraded" without Redis, or while a
                    few tables are stalled
``/health/``        the same; both include the version
``/metrics``        for Prometheus, with ``Authorization: Bearer METRICS_TOKEN``; else 404
=================== ==============================================================================
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest, multiprocess

from companion.backups import retention
from companion.fallback.outages import REDIS
from companion.observability.metrics import (
    BACKUP_TIMESTAMP,
    BUILD_INFO,
    DISK_FREE,
    REQUEST_DURATION,
    STALLED_LANES,
    WAIT_DURATION,
)
from companion.requests.asgi_middleware import send_response
from companion.server import storage
from companion.server.threads import WATCH, run_in_lane
from companion.version import version

#: Seconds until a service that does not respond counts as away, and seconds for which a result is cached.
PATIENCE, HOLDS = 2.0, 1.0
#: Seconds between two measurements of the waits, and of the pause whose end tells how late the loop is.
EVERY, PAUSE = 1.0, 0.05
OK, AWAY, STALLED = "ok", "away", "stalled"


class HealthMiddleware:
    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self._health = Health()
        # This also caches the version of the running code: its files may be updated later.
        BUILD_INFO.labels(version()).set(1)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        path = scope["path"]
        if path.startswith("/health/") or (path == "/metrics" and _may_read_metrics(scope)):
            status, kind, body = await self._answer(scope["method"], path)
            headers = {"content-type": kind, "cache-control": "no-store", "x-content-type-options": "nosniff"}
            await send_response(send, status, headers, body, is_head=scope["method"] == "HEAD")
        elif path.startswith(settings.STATIC_URL):
            await self.inner(scope, receive, send)
        else:
            await self._measure(scope, receive, send)

    async def _measure(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        began = time.perf_counter()

        async def answer(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status = f"{message['status'] // 100}xx"
                REQUEST_DURATION.labels(status).observe(time.perf_counter() - began)
            await send(message)

        await self.inner(scope, receive, answer)

    async def _answer(self, method: str, path: str) -> tuple[int, str, bytes]:
        if method not in ("GET", "HEAD"):
            return 405, "text/plain", b""
        match path:
            case "/health/live/":
                return 200, "application/json", b'{"status": "ok"}'
            case "/health/" | "/health/ready/":
                return _report(await self._health.services() | {"moves": WATCH.state})
            case "/metrics":
                return 200, CONTENT_TYPE_LATEST, await asyncio.to_thread(_metrics)
        return 404, "text/plain", b""


class Health:
    def __init__(self) -> None:
        # A thread of its own: a check that hangs blocks no page, and no second check runs beside it.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._lock = asyncio.Lock()
        self._known: dict[str, str] = {}
        self._has_fitted = False
        self._asked_at = -HOLDS

    async def services(self) -> dict[str, str]:
        """Return the state of each service by its name.

        The state is "ok" or "away"; "older" or "newer" for a database of another version; and for the disk of
        the data folder "full" or, if it is not writable for another reason, "closed".
        """
        async with self._lock:
            if time.monotonic() - self._asked_at >= HOLDS:
                self._known = {"database": await self._ask(self._database), "disk": await self._ask(disk)}
                if settings.REDIS_URL:
                    self._known["redis"] = await self._ask(redis)
                self._asked_at = time.monotonic()
            return self._known

    async def _ask(self, answers: Any) -> str:
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.wait_for(loop.run_in_executor(self._thread, answers), PATIENCE)
        except TimeoutError:
            return AWAY

    def _database(self) -> str:
        try:
            differs = storage.schema_difference()
        except DatabaseError:
            return AWAY
        finally:
            connection.close()
        # An update migrates while old processes still serve. They stay ready until they are restarted.
        if differs is None or (differs == "newer" and self._has_fitted):
            self._has_fitted = True
            return OK
        return differs


def disk() -> str:
    try:
        storage.check_disk(settings.VAR_DIR)
    except OSError as problem:
        return "full" if storage.is_full(problem, settings.VAR_DIR) else "closed"
    return OK


def redis() -> str:
    cache.get("health")
    return AWAY if REDIS.lasts else OK


async def measure_waits() -> None:
    """Measure how late the event loop is and how long empty work waits for a thread; count stalled lanes."""
    STALLED_LANES.set(WATCH.stalled_lanes)
    began = time.perf_counter()
    await asyncio.sleep(PAUSE)
    WAIT_DURATION.labels("loop").observe(max(0.0, time.perf_counter() - began - PAUSE))
    began = time.perf_counter()
    await run_in_lane("waits", bool)
    WAIT_DURATION.labels("thread").observe(time.perf_counter() - began)


def _report(services: dict[str, str]) -> tuple[int, str, bytes]:
    needed = {"database", "moves"} | ({"disk"} if connection.vendor == "sqlite" else set())
    down = any(services[name] not in (OK, STALLED) for name in needed)
    status = "down" if down else OK if set(services.values()) == {OK} else "degraded"
    report = {"status": status, **services, "version": version()}
    return 503 if down else 200, "application/json", json.dumps(report).encode()


def _may_read_metrics(scope: dict[str, Any]) -> bool:
    """True if the request has the token. Addresses prove nothing: behind a proxy all are loopback."""
    sent = dict(scope["headers"]).get(b"authorization", b"")
    token = settings.METRICS_TOKEN.encode()
    return bool(token) and hmac.compare_digest(sent, b"Bearer " + token)


def _metrics() -> bytes:
    """Return the metrics of this process, or of all that share PROMETHEUS_MULTIPROC_DIR."""
    newest = retention.newest_backup()
    BACKUP_TIMESTAMP.set(newest.made_at.timestamp() if newest else 0)
    DISK_FREE.set(shutil.disk_usage(settings.VAR_DIR).free)
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return generate_latest(REGISTRY)
    for pid in {int(file.stem.rpartition("_")[2]) for file in Path(folder).glob("gauge_live*_*.db")}:
        if not Path("/proc", str(pid)).exists():  # open pages of ended processes must not count
            multiprocess.mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
