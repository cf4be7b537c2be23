"""What the phones play on: at home SQLite and one process, hosted PostgreSQL, Redis and two processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import PostgresServer, ProcessServer, RedisServer


@dataclass(frozen=True)
class Ground:
    """The servers of one installation."""

    servers: list[ProcessServer]
    postgres: PostgresServer | None = None
    redis: RedisServer | None = None


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
        servers = [ProcessServer({}, log=folder / f"log-{n}") for n in range(2 if hosted else 1)]
        _prepare()
        for server in servers:
            server.start()
            stack.callback(server.kill)
        yield Ground(servers, postgres, redis)


def _prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("compile_catalogues", verbosity=0)
    call_command("migrate", verbosity=0)
