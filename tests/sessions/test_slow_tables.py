"""A slow table: a game over days goes on by itself, and only as far as people are late."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.fate import Fate
from sessions.board_games import games
from sessions.engine.registry import registry
from sessions.evening import free_sessions, nights
from sessions.game import Event
from sessions.models import Bot, Role, Seat, Session, Table
from sessions.table import clock, opening
from sessions.table.opening import Sitter
from sessions.table.slow_tables import SlowTables
from tests import tally as small_game
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import ThreadServer, wait_until
from tests.sessions.days import Days, lay, look, slow
from tests.sessions.plans import plan_of
from tests.sessions.test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tally")]


def played(table: Table) -> list[tuple[str, bool]]:
    """Return who moved, and whether a bot did."""
    return [(seat, bool(bot)) for seat, bot in table.moves.values_list("seat", "bot")]


def test_a_bot_plays_each_late_turn_of_a_slow_table(
    days: Days, session: Session, seats: list[Seat], server_looks: SlowTables
) -> None:
    """Ayumi plays every morning. Bo plays on the second day, and is not there on the others."""
    game = slow(session, seats)
    for day in range(4):
        days.pass_by(hours=9)
        look(server_looks)
        lay(game, "p1")
        if day == 1:
            days.pass_by(hours=23)
            look(server_looks)
            lay(game, "p2")
            continue
        days.pass_by(hours=23, minutes=59)
        look(server_looks)
        assert played(game)[-1] == ("p1", False), "Bo still has a minute"
        days.pass_by(minutes=2)
        look(server_looks)
    assert played(game) == [
        *[("p1", False), ("p2", True)],
        *[("p1", False), ("p2", False)],
        *[("p1", False), ("p2", True)] * 2,
    ]
    assert not game.table_seats.exclude(bot="").exists(), "the seat stays his"
    days.pass_by(days=3)
    look(server_looks)
    assert played(game)[-1] == ("p1", True), "and Ayumi is late once, whatever time has passed"
    assert len(played(game)) == 9
    lay(game, "p2")
    game.refresh_from_db()
    assert game.ended_at


def test_bots_of_a_slow_table_move_without_an_open_page(
    session: Session, seats: list[Seat], server_looks: SlowTables
) -> None:
    game = slow(session, [Sitter(seats[0]), Sitter(None, Bot.STEADY), Sitter(None, Bot.STEADY)])
    look(server_looks)
    assert played(game) == []
    lay(game, "p1")
    assert server_looks.read_changes() == [], "a page that looks lets them move sooner"
    look(server_looks)
    assert played(game) == [("p1", False), ("p2", True), ("p3", True)]


def test_only_running_slow_tables_go_on_without_an_open_page(
    days: Days, session: Session, seats: list[Seat], server_looks: SlowTables
) -> None:
    quick = opening.open_table(
        session=session,
        module_key="tally",
        players=[Sitter(seats[0]), Sitter(seats[1], Bot.STEADY)],
        clock=120,
    )
    stopped, over = (
        slow(session, seats),
        slow(nights.open_session(campaign=session.own_campaign, title="二"), seats),
    )
    lay(quick, "p1")
    games.stop_game(table=stopped, by=seats[0])
    nights.close_session(session=over.session)
    days.pass_by(days=2)
    look(server_looks)
    assert len(played(quick)) == 1
    assert not stopped.moves.exists()
    assert not over.moves.exists()


def test_a_restarted_server_gives_late_players_ten_minutes(
    days: Days, session: Session, seats: list[Seat]
) -> None:
    game = slow(session, seats)
    days.pass_by(days=3)
    begun = SlowTables()
    look(begun)
    days.pass_by(minutes=9)
    look(begun)
    assert not game.moves.exists()
    days.pass_by(minutes=2)
    look(begun)
    assert played(game) == [("p1", True)]


def test_a_bot_plays_all_moves_of_a_late_turn(
    days: Days, session: Session, seats: list[Seat], server_looks: SlowTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table where everybody lays two numbers before it is the next one's turn."""

    def apply(state: small_game.State, seat: str, move: Any, fate: Fate) -> list[Event]:
        turn, told = state.turn, small_game.apply(state, seat, move, fate)
        if len(state.laid[seat]) % 2:
            state.turn = turn
        return told

    monkeypatch.setitem(registry(), "tally", replace(small_game.module, apply=apply))
    game = slow(session, seats, rounds=4)
    lay(game, "p1")
    days.pass_by(days=1)
    look(server_looks)
    assert played(game) == [("p1", False), ("p1", True)]
    days.pass_by(days=1)
    look(server_looks)
    assert played(game)[2:] == [("p2", True), ("p2", True)], "not a day for each, and Ayumi has a day again"


def test_a_bot_makes_one_simultaneous_choice_a_day_for_each_late_player(
    days: Days, session: Session, seats: list[Seat], server_looks: SlowTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table where all lay a number at once, round after round."""

    def apply(state: small_game.State, seat: str, move: Any, fate: Fate) -> list[Event]:
        state.turn = state.seats.index(seat)
        return small_game.apply(state, seat, move, fate)

    def waiting_for(state: small_game.State) -> set[str]:
        least = min(len(laid) for laid in state.laid.values())
        over = small_game.outcome(state)
        return set() if over else {seat for seat in state.seats if len(state.laid[seat]) == least}

    def legal_moves(state: small_game.State, seat: str) -> list[Any]:
        return [small_game.Lay(number) for number in state.hands[seat]] if seat in waiting_for(state) else []

    together = {"waiting_for": waiting_for, "asked": lambda state, seat: len(state.laid[seat])}
    module = replace(small_game.module, apply=apply, legal_moves=legal_moves, **together)
    monkeypatch.setitem(registry(), "tally", module)
    table = slow(session, seats)
    days.pass_by(days=1)
    look(server_looks)
    assert sorted(played(table)) == [("p1", True), ("p2", True)]


def test_a_broken_slow_game_is_retried_less_and_less_often(
    days: Days,
    session: Session,
    seats: list[Seat],
    server_looks: SlowTables,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def view(state: small_game.State, seat: str | None) -> Any:
        raise ValueError("a broken game")

    slow(session, seats)
    days.pass_by(days=1)
    server_looks.read_changes()
    registry()["tally"] = replace(small_game.module, view=view)
    tries = 0
    for _ in range(200):
        for pk in server_looks.read_changes():
            server_looks.play_table(pk)
            tries += 1
    assert 2 <= tries <= 8


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_processes_plays_a_late_turn(days: Days, session: Session, seats: list[Seat]) -> None:
    game = slow(session, seats)
    both = [SlowTables(timedelta()) for _ in range(2)]
    for each in both:
        each.read_changes()
    days.pass_by(days=1)
    at_once(*[lambda each=each: each.play_table(game.pk) for each in both])  # type: ignore[misc]
    assert game.moves.count() == 1


def test_slow_tables_are_found_by_one_query_with_an_index(
    session: Session, seats: list[Seat], server_looks: SlowTables
) -> None:
    for _ in range(3):
        slow(session, seats)
    look(server_looks)
    with CaptureQueriesContext(connection) as asked:
        server_looks.read_changes()
    [query] = [one["sql"] for one in asked.captured_queries if "clock" in one["sql"]]
    assert "table_slow" in plan_of(query)


def test_a_free_session_is_kept_while_its_slow_table_goes_on(days: Days, bo: Somebody, kei: Somebody) -> None:
    """Two guests who never come back: the moves of bots for them count as use."""
    host = free_sessions.open_with_friends(bo.person, "ボー")
    guest = nights.take_seat(session=host.session, person=kei.person, name="ケイ", role=Role.PLAYER)
    game, server = slow(host.session, [host, guest], rounds=5), SlowTables(timedelta())
    for _ in range(9):
        days.pass_by(days=4)
        look(server)
        free_sessions.delete_unused_sessions()
    assert game.moves.count() == 9
    assert Session.objects.filter(pk=host.session_id).exists()


def test_a_day_clock_can_be_chosen_in_a_session_and_not_for_a_solo_game(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    form = {"option-rounds": "2", "option-order": "ring", "clock": str(clock.DAY)}
    page = gm.client.get(f"/s/{session.pk}/games/tally/").content.decode()
    assert 'value="86400"' in page
    gm.client.post(f"/s/{session.pk}/games/tally/", {**form, "seat": [seats[0].pk, seats[1].pk]})
    assert Table.objects.get().is_slow
    assert bo.client.post("/games/tally/", {**form, "bot_count": "1"}).status_code == 422


@pytest.mark.django_db(transaction=True)
async def test_an_open_page_of_a_slow_table_gets_the_time_that_is_left(
    server: ThreadServer, days: Days, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    game = await database_sync_to_async(slow)(session, seats)
    days.pass_by(hours=3)
    async with phone(server, bo, f"/ws/tables/{game.pk}/") as device:
        time = (await device.answer("clock"))["clock"]
        assert time["of"] == clock.DAY
        assert clock.DAY - 3 * 3600 - 60 < time["left"] <= clock.DAY - 3 * 3600


@pytest.mark.django_db(transaction=True)
def test_a_running_server_plays_bots_of_slow_tables_by_itself(
    server: ThreadServer, session: Session, seats: list[Seat]
) -> None:
    """No page is open; a bot moves within some seconds."""
    game = slow(session, [Sitter(seats[0], Bot.STEADY), Sitter(seats[1])])
    wait_until(lambda: game.moves.exists(), what="the bot's move")
