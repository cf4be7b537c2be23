"""People are called to their turn at a slow table: once, while they are not here, and with nothing hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async

from companion.models import PushSubscription
from companion.push import notifications
from sessions.board_games import games
from sessions.evening import nights, presence
from sessions.evening.presence import Sign
from sessions.models import Seat, Session, Table
from sessions.table import clock, slow_tables
from sessions.table.slow_tables import SlowTables, TurnNotification, TurnNotifier
from tests.conftest import Somebody
from tests.push_service import PushService, push_service
from tests.sessions.days import Days, lay, look, slow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tally")]


@pytest.fixture
def service(settings: Any, ayumi: Somebody, bo: Somebody) -> Iterator[PushService]:
    """The push service of Ayumi's and Bo's phones."""
    settings.PUSH_TO_TEST_SERVERS = True
    with push_service() as service:
        for who, name in ((ayumi, "ayumi"), (bo, "bo")):
            assert who.client.post("/push/", service.device(name)).status_code == 204
        yield service


@pytest.fixture
def game(session: Session, seats: list[Seat], days: Days) -> Table:
    return slow(session, seats)


def called(server_looks: SlowTables) -> list[TurnNotification]:
    """Return whom a server calls now."""
    look(server_looks)
    return server_looks.collect_notifications()


def names(calls: list[TurnNotification]) -> list[str]:
    return [call.person.name for call in calls]


def test_a_player_is_notified_once_a_turn_half_a_minute_after_the_move(
    days: Days, server_looks: SlowTables, game: Table
) -> None:
    assert called(server_looks) == []
    days.pass_by(seconds=25)
    assert names(called(server_looks)) == ["あゆみ"]
    days.pass_by(hours=5)
    assert called(server_looks) == []
    lay(game, "p1")
    assert called(server_looks) == []
    days.pass_by(seconds=25)
    assert names(called(SlowTables())) == ["ボー"], "a server that has begun anew"
    assert called(server_looks) == [], "and no other one besides"
    days.pass_by(days=1)
    assert called(server_looks) == []
    days.pass_by(seconds=25)
    assert names(called(server_looks)) == ["あゆみ"], "a bot has answered for Bo"
    for seat in ("p1", "p2"):
        lay(game, seat)
    days.pass_by(seconds=25)
    assert names(called(server_looks)) == ["あゆみ"], "in her next turn, too"


def test_a_player_with_an_open_page_is_not_notified_of_the_turn(
    days: Days, seats: list[Seat], game: Table, server_looks: SlowTables
) -> None:
    presence.note_signs([Sign(seats[0].pk, "a page")])
    days.pass_by(seconds=25)
    assert called(server_looks) == []
    presence.note_signs([Sign(seats[0].pk, "a page", is_open=False)])
    days.pass_by(hours=1)
    assert called(server_looks) == [], "she has seen it"
    lay(game, "p1")
    lay(game, "p2")
    days.pass_by(seconds=25)
    assert names(called(server_looks)) == ["あゆみ"]


def test_a_stand_in_is_notified_and_bots_and_removed_seats_are_not(
    days: Days, session: Session, seats: list[Seat], game: Table, server_looks: SlowTables
) -> None:
    one, two = seats
    handed, left = slow(session, seats), slow(session, seats)
    games.hand_to_bot(table=handed, key="p1")
    Table.objects.filter(pk=left.pk).update(ended_at=left.opened_at)
    Seat.objects.filter(pk=one.pk).update(stand_in=two)
    days.pass_by(seconds=25)
    look(server_looks)
    assert {(call.table, call.person.name) for call in server_looks.collect_notifications()} == {
        (game, "ボー")
    }
    nights.remove_seat(seat=two)
    lay(game, "p1")
    days.pass_by(seconds=25)
    assert called(server_looks) == []


def test_a_turn_notification_names_only_the_game_and_the_session(
    days: Days, game: Table, service: PushService, server_looks: SlowTables
) -> None:
    days.pass_by(seconds=25)
    [call] = called(server_looks)
    assert notifications.send(
        call.person, lambda: slow_tables.turn_notification(call.table), seconds=clock.DAY
    )
    [heard] = service.heard
    assert heard.path == "/ayumi"
    [letter] = service.letters()
    assert letter.pop("icon").startswith("/static/")
    assert letter == {
        "title": "Tally",
        "body": "第一夜：あなたの番です。",
        "url": f"/t/{game.pk}/",
        "lang": "ja",
    }


def test_a_turn_notification_does_not_depend_on_hidden_cards(
    days: Days, session: Session, seats: list[Seat], server_looks: SlowTables
) -> None:
    """Two tables of one game with other cards, at which the same was done."""
    tables = [slow(session, seats) for _ in range(2)]
    assert bytes(tables[0].snapshot) != bytes(tables[1].snapshot)
    days.pass_by(seconds=25)
    calls = called(server_looks)
    told = [
        sorted(
            (call.person.name, slow_tables.turn_notification(call.table)._replace(url=""))
            for call in calls
            if call.table == table
        )
        for table in tables
    ]
    assert len(told[0]) == 1
    assert told[0] == told[1]


@pytest.mark.django_db(transaction=True)
async def test_turn_notifications_are_sent_in_the_background_and_retried(
    monkeypatch: pytest.MonkeyPatch,
    days: Days,
    game: Table,
    service: PushService,
    server_looks: SlowTables,
) -> None:
    monkeypatch.setattr(slow_tables, "AGAIN", (0.0, 0.0))
    service.status = 503
    days.pass_by(seconds=25)
    await server_looks.check_tables()
    await server_looks.check_tables()
    caller: TurnNotifier = server_looks._notifier
    await asyncio.gather(*caller._tasks)
    assert len(service.letters()) == 3
    await server_looks.check_tables()
    assert not caller._tasks


@pytest.mark.django_db(transaction=True)
async def test_a_device_that_is_gone_loses_its_push_subscription(
    days: Days, game: Table, service: PushService, server_looks: SlowTables
) -> None:
    service.status = 410
    days.pass_by(seconds=25)
    await server_looks.check_tables()
    await asyncio.gather(*server_looks._notifier._tasks)
    left = await database_sync_to_async(lambda: [row.person.name for row in PushSubscription.objects.all()])()
    assert left == ["ボー"]
