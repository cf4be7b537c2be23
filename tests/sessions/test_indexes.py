"""What every visitor may ask is answered without looking through a whole table."""

from __future__ import annotations

import json

import pytest

from tests.servers import PostgresServer, ProcessServer
from tests.sessions.plans import plans


@pytest.mark.django_db
def test_queries_on_sqlite_use_their_indexes() -> None:
    for index, plan in plans().items():
        assert index in plan, plan
        assert "SCAN" not in plan, plan


def test_queries_on_postgresql_use_their_indexes(postgres: PostgresServer) -> None:
    server = ProcessServer(
        {
            "DATABASE_URL": postgres.migrated("plans"),
            "SECRET_KEY": "a key of its own, long enough for no warning",
        }
    )
    code = "from tests.sessions.plans import print_plans; print_plans()"
    for index, plan in json.loads(server.manage("shell", "-v0", "-c", code)).items():
        assert "Index" in plan, index
        assert "Seq Scan" not in plan, plan
