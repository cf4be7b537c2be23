"""The clock of a board game: a bot gives one answer for a late player, once, and the player goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db.models import F

from companion import shared_time
from companion.fate import Fate
from sessions.board_games import games
from sessions.engine import bots as engine
from sessions.engine.registry import registry
from sessions.game import AnyModule, Event
from sessions.models import Move, Seat, Session, Table
from sessions.table import bots, clock, opening
from tests import tally as small_game
from tests.conftest import Somebody
from tests.evening import log_of
from tests.phones import phone
from tests.servers import ThreadServer
from tests.sessions.days import lay
from tests.sessions.test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tally")]


@pytest.fixture
def game(tally: AnyModule, session: Session, seats: list[Seat]) -> Table:
    """A game of Ayumi, who begins, and Bo, with half a minute for an answer."""
    opened = {"module_key": "tally", "opened_by": seats[0], "options": {"rounds": 2}}
    return opening.open_table(session=session, players=seats, clock=30, **opened)


def wait(table: Table, seconds: float) -> None:
    """Let the table wait for so long already."""
    earlier = timedelta(seconds=seconds)
    Table.objects.filter(pk=table.pk).update(opened_at=F("opened_at") - earlier)
    Move.objects.filter(table=table).update(played_at=F("played_at") - earlier)


def late(table: Table) -> Any:
    table.refresh_from_db()
    return bots.play_late(table_pk=table.pk, version=table.version)


def test_a_bot_moves_once_for_a_late_player_who_keeps_the_seat(game: Table) -> None:
    wait(game, 29)
    assert late(game) is None
    wait(game, 2)
    assert late(game)
    move = game.moves.get()
    assert (move.seat, move.bot) == ("p1", engine.default_kind(registry()["tally"]))
    game.refresh_from_db()
    assert [line.event.kind for line in log_of(game, None)] == ["bot_played", "laid"]
    assert not game.table_seats.exclude(bot="").exists()
    assert late(game) is None, "the clock begins anew with every move"
    lay(game, "p2")
    lay(game, "p1")
    assert list(game.moves.values_list("seat", "bot"))[1:] == [("p2", ""), ("p1", "")]


def test_a_bot_moves_for_all_late_players_in_one_call(session: Session, seats: list[Seat]) -> None:
    table = opening.open_table(session=session, module_key="liarmafia", players=seats, clock=60)
    wait(table, 61)
    assert late(table)
    assert sorted(table.moves.values_list("seat", flat=True)) == ["p1", "p2"]


def test_a_late_player_with_a_new_question_gets_the_full_time_for_it(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table where all may lay at once, and are asked again after each number."""

    def apply(state: small_game.State, seat: str, move: Any, fate: Fate) -> list[Event]:
        state.turn = state.seats.index(seat)
        return small_game.apply(state, seat, move, fate)

    def legal_moves(state: small_game.State, seat: str) -> list[Any]:
        return [small_game.Lay(number) for number in state.hands[seat]]

    together = {"waiting_for": lambda state: set(state.seats), "asked": lambda state, seat: state.laid}
    module = replace(small_game.module, apply=apply, legal_moves=legal_moves, **together)
    monkeypatch.setitem(registry(), "tally", module)
    wait(game, 31)
    assert late(game)
    assert list(game.moves.values_list("seat", flat=True)) == ["p1"]
    assert late(game) is None, "the clock begins anew"


def test_no_player_is_late_without_a_clock_or_after_the_end(
    session: Session, seats: list[Seat], game: Table
) -> None:
    patient = opening.open_table(session=session, module_key="tally", players=seats)
    games.stop_game(table=game, by=seats[0])
    for table in (patient, game):
        wait(table, 10_000)
        assert late(table) is None
        assert not table.moves.exists()


@pytest.mark.django_db(transaction=True)
def test_two_concurrent_calls_make_one_move_for_a_late_player(game: Table) -> None:
    wait(game, 31)
    at_once(*[lambda: bots.play_late(table_pk=game.pk, version=0)] * 2)
    assert game.moves.count() == 1


def test_a_rematch_keeps_the_clock(game: Table, seats: list[Seat]) -> None:
    games.stop_game(table=game, by=seats[0])
    assert games.rematch(table=game, by=seats[0]).clock == 30


@pytest.mark.parametrize(("chosen", "found"), [("60", [60]), ("", [0]), ("7", []), ("x", [])])
def test_only_clocks_that_are_offered_can_be_chosen(ayumi: Somebody, chosen: str, found: list[int]) -> None:
    options = {"option-rounds": "2", "option-order": "ring"}
    ayumi.client.post("/games/tally/", {"clock": chosen, "bot_count": "1", **options})
    assert list(Table.objects.values_list("clock", flat=True)) == found


@pytest.mark.django_db(transaction=True)
async def test_an_open_page_shows_the_clock_and_triggers_a_late_seats_move(
    server: ThreadServer, game: Table, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restarted server takes the clock up where it was, and leaves a moment to come back."""
    await database_sync_to_async(wait)(game, 20)
    async with phone(server, bo, f"/ws/tables/{game.pk}/") as device:
        time = (await device.answer("clock"))["clock"]
        assert time["of"] == 30
        assert clock.LEAST_AFTER_START - 5 < time["left"] <= clock.LEAST_AFTER_START
    monkeypatch.setattr(clock, "LEAST_AFTER_START", 0.0)
    await database_sync_to_async(wait)(game, 20)
    async with phone(server, bo, f"/ws/tables/{game.pk}/") as device:
        await device.until_version(1)
        while (time := (await device.answer("clock"))["clock"])["left"] < 20:
            pass


def at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the table's opening back by this number of seconds, for lessons."""
    monkeypatch.setattr(shared_time, "seconds", lambda: 1_000_000.0 + seconds)


def test_the_clock_pauses_while_a_lesson_is_read_up_to_a_limit(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first reader to the last; no sleeping phone holds the table."""
    assert clock.clock_pause(game) == (0, 0)
    at(monkeypatch, 5)
    clock.note_lesson(game, "p1", reads=True)
    at(monkeypatch, 15)
    clock.note_lesson(game, "p2", reads=True)
    clock.note_lesson(game, "p1", reads=False)
    at(monkeypatch, 25)
    assert clock.clock_pause(game) == (20, 40)
    wait(game, 40)
    assert late(game) is None
    clock.note_lesson(game, "p2", reads=False)
    assert clock.clock_pause(game) == (20, 0)
    wait(game, 11)
    assert late(game)
    game.refresh_from_db()
    assert clock.clock_pause(game) == (0, 0), "with every move it begins anew"
    clock.note_lesson(game, "p2", reads=True)
    at(monkeypatch, 1_000)
    assert clock.clock_pause(game) == (clock.LONGEST, 0)
    wait(game, 30 + clock.LONGEST)
    assert late(game)


@pytest.mark.django_db(transaction=True)
async def test_all_pages_of_a_table_are_told_that_the_clock_is_paused(
    server: ThreadServer, game: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with (
        phone(server, ayumi, f"/ws/tables/{game.pk}/") as reader,
        phone(server, bo, f"/ws/tables/{game.pk}/") as other,
    ):
        await other.socket.send('{"learns": true}')  # The table does not wait for them.
        await other.pong()
        assert (await reader.answer("clock"))["clock"]["stands"] == 0
        for learns in ("true", "false"):
            await reader.socket.send(f'{{"learns": {learns}}}')
            for device in (reader, other):
                time = (await device.answer("clock"))["clock"]
                while (time["stands"] > 0) != (learns == "true"):
                    time = (await device.answer("clock"))["clock"]
                assert time["stands"] == 0 or time["stands"] > clock.LONGEST - 10
                assert time["left"] > 20


@pytest.mark.django_db(transaction=True)
async def test_a_page_of_a_table_without_a_clock_gets_no_clock_frame(
    server: ThreadServer, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="tally", players=seats
    )
    async with phone(server, bo, f"/ws/tables/{table.pk}/") as device:
        await device.until_version(0)
        await device.pong()
        assert '"clock"' not in device.bytes
