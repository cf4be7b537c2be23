"""Silence is an answer where all are asked at once: after the same time for all, and never for a reader."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.db import database_sync_to_async

from sessions.evening import free_sessions
from sessions.live import timers
from sessions.models import Role, Seat, Session, Table
from sessions.modules.goodcop.tests.table import Game
from sessions.table import bots, opening, table_cache
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import log_of, play, sit
from tests.phones import Phone, phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db(transaction=True)

#: Seconds that silence takes: a busy machine has shown a page by then.
SOON = 3.0
#: Nothing is playable with a Taser in a window, and a K-9 Unit is.
NOTHING, SOMETHING = "taser", "k9_unit"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "REACTION_SECONDS", SOON)
    monkeypatch.setattr(bots, "AFTER_READING", 0.1)
    monkeypatch.setattr(timers, "CHECK_READING_AFTER", 0.05)
    monkeypatch.setattr(bots, "PACE", 0.02)
    monkeypatch.setattr(bots, "BREATH", 0.02)


def in_a_window(seats: list[Seat], hands: dict[str, str]) -> Table:
    """A table of four, bots where there are no people, at which p2 has declared a shot."""
    sitters = [*map(Sitter, seats), *(Sitter(None, "steady") for _ in range(4 - len(seats)))]
    table = opening.open_table(session=seats[0].session, module_key="goodcop", players=sitters)
    game = Game("A H H | K C C | H H C | C C H", hands)
    game.change(turn="p2")
    game.set("p2", armed="gun", aim="p3")
    game.do("p2", "shoot")
    table.snapshot = game.snapshot
    table.save(update_fields=["snapshot"])
    table_cache.invalidate_table(table.pk)
    return table


def of_two(session: Session, one: Somebody, two: Somebody, hands: dict[str, str]) -> Table:
    return in_a_window([sit(session, one.person), sit(session, two.person)], hands)


def of_one(somebody: Somebody, hand: str) -> Table:
    """A table of one person with bots, in a session without other people."""
    return in_a_window([free_sessions.seat_in_solo_session(somebody.person)], {"p1": hand})


def kinds(table: Table, seat: str | None = None) -> list[str]:
    table.refresh_from_db()
    return [line.event.kind for line in log_of(table, seat)]


async def told(one: Phone) -> dict[str, Any]:
    return dict((await one.answer("silence"))["silence"])


@pytest.mark.parametrize("hand", [NOTHING, SOMETHING])
async def test_a_silent_player_passes_after_the_same_time_with_any_hand(
    server: ThreadServer, quick: None, session: Session, ayumi: Somebody, bo: Somebody, hand: str
) -> None:
    table = await database_sync_to_async(of_two)(session, ayumi, bo, {"p1": hand})
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        said = await told(one)
        assert said["of"] == SOON
        assert said["left"] <= SOON, "how much is left is a matter of how busy the machine was"
        await one.until_version(1)
    lines = await database_sync_to_async(kinds)(table, "p1")
    assert lines[0] == "passed"
    assert "bot_played" not in lines


async def test_a_sleeping_phone_does_not_hold_the_table_up(
    server: ThreadServer, quick: None, session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    """Bo's phone is not even there; Ayumi passes, and the shot is fired."""
    hands = {"p1": SOMETHING, "p2": "coffee"}
    table = await database_sync_to_async(of_two)(session, ayumi, bo, hands)
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await one.until_version(0)
        await one.play({"type": "pass"})
        await one.until_version(2)
    assert "fired" in await database_sync_to_async(kinds)(table)


async def test_a_player_who_reads_equipment_is_waited_for(
    server: ThreadServer, quick: None, session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    table = await database_sync_to_async(of_two)(session, ayumi, bo, {"p1": SOMETHING})
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await told(one)
        await one.socket.send('{"reads": true}')
        await one.pong()
        questions = await database_sync_to_async(
            lambda: bots.open_questions(table_cache.get_table(table.pk))
        )()
        assert bots.reading_seats(table.pk, questions) == {"p1"}
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(SOON + 0.5):
                await one.until_version(1)
        await one.socket.send('{"reads": false}')
        await one.until_version(1)


async def test_a_solo_player_without_a_possible_reaction_is_not_waited_for(
    server: ThreadServer, quick: None, ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "REACTION_SECONDS", 3600)
    table = await database_sync_to_async(of_one)(ayumi, NOTHING)
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await one.until_version(1)


@pytest.mark.parametrize(("hand", "looks_on"), [(SOMETHING, False), (NOTHING, True)])
def test_a_reaction_is_skipped_only_if_no_one_watches_and_none_is_possible(
    ayumi: Somebody, bo: Somebody, hand: str, looks_on: bool
) -> None:
    table = of_one(ayumi, hand)
    if looks_on:
        sit(table.session, bo.person, Role.SPECTATOR)
    assert bots.seat_without_options(table_cache.get_table(table.pk)) is None


@database_sync_to_async
def at_a_bots_turn(somebody: Somebody) -> Table:
    seat = free_sessions.seat_in_solo_session(somebody.person)
    players = [Sitter(seat), *[Sitter(None, "random")] * 3]
    return opening.open_table(
        session=seat.session, module_key="goodcop", players=players, options={"start": "p2"}
    )


async def test_bots_move_at_once_if_all_players_ask_for_it(
    server: ThreadServer, ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "PACE", 40)
    table = await at_a_bots_turn(ayumi)
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await one.until_version(0)
        assert "data-bots" in one.html[-1]
        await one.socket.send('{"tempo": "now"}')
        await one.until_version(1)


def test_a_game_without_reactions_has_no_reaction_timeout(
    session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    seats = [sit(session, ayumi.person), sit(session, bo.person)]
    table = opening.open_table(session=session, module_key="liarmafia", players=seats)
    now = table_cache.get_table(table.pk)
    assert (bots.open_questions(now), bots.is_reaction_open(now)) == ({}, False)


def test_a_timeout_pass_for_an_older_version_changes_nothing(
    session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    """The table has moved on while the time ran out."""
    table = of_two(session, ayumi, bo, {"p1": SOMETHING, "p2": "coffee"})
    play(table, "p1", b'{"type": "pass"}')
    assert bots.play_silence(table_pk=table.pk, version=0, seats={"p1", "p2"}) is None
    assert bots.play_silence(table_pk=table.pk, version=1, seats={"p1"}) is None
    assert table_cache.get_table(table.pk).version == 1
