"""Rows that an older version wrote, brought to the present one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone


def migrate(*targets: tuple[str, str]) -> Apps:
    """Bring the database to these migrations; return the models as they were then."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return executor.loader.project_state(list(targets)).apps


@pytest.fixture
def older(transactional_db: None):
    """The models of the version before tables ended with their evening; afterwards the present ones again."""
    yield migrate(("play", "0012_seating"))
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_a_table_that_an_older_version_left_running_ends_with_its_evening(older: Apps) -> None:
    over, person = timezone.now(), older.get_model("companion", "Person").objects.create(name="GM")
    campaign = older.get_model("play", "Campaign").objects.create(gm=person, name="無限の蛇")
    evenings, tables = older.get_model("play", "Session").objects, older.get_model("play", "Table").objects
    ended = evenings.create(campaign=campaign, title="終わった夜", code="111111", ended_at=over)
    running = evenings.create(campaign=campaign, title="今夜", code="222222")
    earlier = over - timedelta(hours=2)
    for evening, ended_at in ((ended, None), (ended, earlier), (running, None)):
        tables.create(session=evening, module="uroboros", snapshot=b"{}", ended_at=ended_at)
    now = migrate(("play", "0013_tables_of_ended_evenings"))
    assert list(now.get_model("play", "Table").objects.order_by("pk").values_list("ended_at", flat=True)) == [
        over,
        earlier,
        None,
    ]
