"""A hosted evening for tests: processes that share PostgreSQL and Redis, an evening opened by HTTP alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests import phones
from tests.phones import Visitor, joined
from tests.servers import ProcessServer


def environment(database_url: str, redis_url: str) -> dict[str, str]:
    """Return the environment of a hosted installation."""
    return {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": "a hosted evening has a key of its own, long enough to be no warning",
        "ALLOWED_HOSTS": "127.0.0.1",
    }


@contextmanager
def two_processes(
    database_url: str, redis_url: str, log: Path | None = None
) -> Iterator[list[ProcessServer]]:
    """Run two servers of one hosted installation, whose database is migrated."""
    servers = [ProcessServer(environment(database_url, redis_url), log=log) for _ in range(2)]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()


@dataclass(frozen=True)
class Evening:
    """Two processes, the GM, a player who came in through each, the paths of the session and its table."""

    a: ProcessServer
    b: ProcessServer
    gm: Visitor
    one: Visitor
    two: Visitor
    session: str
    table: str
    code: str

    @property
    def lobby_socket(self) -> str:
        return f"/ws/sessions/{self.session.split('/')[2]}/"

    @property
    def table_socket(self) -> str:
        return f"/ws/tables/{self.table.split('/')[2]}/"

    def open_table(self) -> str:
        """Deal one more table to everybody, and return its path."""
        desk = self.gm.get(self.a, self.session)
        seats = dict.fromkeys(re.findall(r'name="seat" value="(\d+)"', desk))
        return self.gm.post(self.b, f"{self.session}tables/", module="uroboros", seat=list(seats))

    def log(self) -> str:
        """Return the whole log as the GM reads it on either process."""
        return self.gm.get(self.b, f"{self.table}log/")


def let_in(a: ProcessServer, b: ProcessServer) -> Visitor:
    """Return the GM, let in by a link from the terminal."""
    issued = a.manage("shell", "-v0", "-c", "from companion.identity import gm_link; print(gm_link.issue())")
    token, visitor = issued.split()[-1], Visitor()
    visitor.get(b, f"/gm/enter/{token}/")
    visitor.post(b, f"/gm/enter/{token}/")
    return visitor


def opened(a: ProcessServer, b: ProcessServer, gm: Visitor) -> Evening:
    """Return an evening opened, joined and dealt, now through one process, now through the other."""
    session, code = phones.opened(a, gm)
    one, two = joined(a, code, "あゆみ"), joined(b, code, "ボー")
    evening = Evening(a, b, gm, one, two, session, "", code)
    return replace(evening, table=evening.open_table())
