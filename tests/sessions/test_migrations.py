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
def older(transactional_db: None, request: pytest.FixtureRequest):
    """The models of an older version; afterwards the present ones again."""
    yield migrate(("play", request.param))
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.parametrize("older", ["0012_seating"], indirect=True)
def test_a_migration_ends_tables_left_open_in_ended_sessions(older: Apps) -> None:
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


@pytest.mark.parametrize("older", ["0027_house_values"], indirect=True)
def test_a_migration_gives_limits_random_ids_and_keeps_their_content(older: Apps) -> None:
    person = older.get_model("companion", "Person").objects.create(name="GM")
    campaign = older.get_model("play", "Campaign").objects.create(gm=person, name="無限の蛇")
    came = [("い", "veil", True), ("あ", "line", False), ("う", "line", True)]
    for words, kind, agreed in came:
        campaign.limits.create(words=words, kind=kind, agreed=agreed)
    now = migrate(("play", "0029_limits_renamed")).get_model("play", "Limit").objects
    assert sorted(now.values_list("words", "kind", "agreed")) == sorted(came)
    assert all(limit.pk.version == 4 for limit in now.all())
    before = migrate(("play", "0027_house_values")).get_model("play", "Limit").objects
    assert sorted(before.values_list("words", "kind", "agreed")) == sorted(came)
