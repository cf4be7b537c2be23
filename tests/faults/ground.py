"""What the phones play on: at home SQLite and one process, hosted PostgreSQL, Redis and two machines.

The second machine has a wrong clock, and lines to the services of the first that can be interrupted.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.server.serving import HUNG_AFTER
from tests.faults.lines import Line
from tests.servers import PostgresServer, ProcessServer, RedisServer

#: The seconds by which the clock of the second machine is wrong.
SKEW = -40.0


class Watched(ProcessServer):
    """A process as systemd keeps one: it is replaced when it gives no sign of life any more."""

    def __init__(self, folder: Path, number: int, more: dict[str, str]) -> None:
        self._signs = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._signs.bind(str(folder / f"signs-{number}"))
        env = {"NOTIFY_SOCKET": str(folder / f"signs-{number}"), **more}
        super().__init__(env, "tests.hanging_app:application", folder / f"log-{number}", is_watched=True)

    def replace_when_silent(self) -> None:
        """Wait until it is silent, and start another one in its place."""
        self._signs.settimeout(HUNG_AFTER)
        with suppress(TimeoutError):
            while self._signs.recv(100):
                pass
        self.kill()
        self.start()


@dataclass(frozen=True)
class Ground:
    """The servers of one installation."""

    servers: list[Watched]
    postgres: PostgresServer | None = None
    redis: RedisServer | None = None
    #: The lines of the second machine to PostgreSQL and Redis.
    lines: tuple[Line, ...] = ()


@contextmanager
def ground(folder: Path, *, hosted: bool) -> Iterator[Ground]:
    """Set up an installation, and Django in this process on its database."""
    with ExitStack() as stack:
        env = {"TAKUJO_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "tests.settings"}
        postgres = redis = None
        if hosted:
            postgres, redis = PostgresServer(), RedisServer()
            stack.callback(postgres.stop)
            stack.callback(redis.stop)
            env |= {"DATABASE_URL": postgres.database("faults"), "REDIS_URL": redis.url}
        os.environ |= env
        lines = tuple(
            stack.enter_context(Line(env[name]).held()) for name in ("DATABASE_URL", "REDIS_URL") if hosted
        )
        servers = [Watched(folder, 0, {})]
        if hosted:
            database, cache = lines
            other = {"DATABASE_URL": database.url, "REDIS_URL": cache.url, "TAKUJO_TEST_SKEW": str(SKEW)}
            servers.append(Watched(folder, 1, other))
        _prepare()
        for server in servers:
            server.start()
            stack.callback(server.kill)
        yield Ground(servers, postgres, redis, lines)


def _prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("compile_catalogues", verbosity=0)
    call_command("migrate", verbosity=0)
