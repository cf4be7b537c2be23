"""Bots see what their seat sees, play what is legal, and play once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError

from companion.fate import Fate
from sessions.board_games import games
from sessions.engine import bots as engine
from sessions.engine.registry import registry
from sessions.engine.step import encode, start
from sessions.evening import refusals
from sessions.game import AnyModule, Bots, IllegalMove
from sessions.live import hub
from sessions.models import Seat, Session, Table
from sessions.table import bots, opening
from sessions.table.opening import Sitter
from tests import tally as small_game
from tests.conftest import Somebody
from tests.evening import log_of, play
from tests.phones import phone
from tests.servers import ThreadServer
from tests.sessions.test_races import at_once

Game = AnyModule


# --- pure ----------------------------------------------------------------------------------------------


def test_a_random_bot_concedes_only_if_no_other_move_is_legal() -> None:
    legal = [small_game.Concede(), small_game.Lay(3)]
    assert {engine.choose_at_random(legal, Fate("any", number)) for number in range(20)} == {
        small_game.Lay(3)
    }
    assert engine.choose_at_random([small_game.Concede()], Fate("any", 1)) == small_game.Concede()


def test_a_random_bot_plays_every_legal_move_sooner_or_later() -> None:
    legal = [small_game.Lay(number) for number in range(4)]
    assert {engine.choose_at_random(legal, Fate("any", number)) for number in range(60)} == set(legal)


def test_a_game_with_two_bot_levels_offers_both_and_defaults_to_plain() -> None:
    """Each level plays its own moves; what a table holds of a level that is gone is played at random."""
    lays = {kind: small_game.Lay(number) for number, kind in enumerate(("strong", "steady"))}
    module = replace(
        small_game.module,
        bots=Bots(
            strong=lambda view, legal, fate: lays["strong"], plain=lambda view, legal, fate: lays["steady"]
        ),
    )
    assert (engine.kinds(module), engine.default_kind(module)) == (["strong", "steady", "random"], "steady")
    state = module.load(start(module, module.seat_list(2), {}, Fate("levels", 0)))
    for kind, move in lays.items():
        assert engine.choose_move(module, kind, state, "p1", Fate("bot", 0)) == move
    plain = replace(module, bots=replace(module.bots, strong=None))
    assert (engine.kinds(plain), engine.default_kind(plain)) == (["steady", "random"], "steady")
    assert engine.choose_move(plain, "strong", state, "p1", Fate("bot", 0)) in module.legal_moves(state, "p1")
    assert engine.default_kind(replace(plain, bots=Bots())) == "random"


def test_a_game_with_a_gm_offers_no_bots() -> None:
    assert engine.kinds(registry()["uroboros"]) == []


# --- at a live table -----------------------------------------------------------------------------------


def opened(session: Session, *sitters: Seat | Sitter) -> Table:
    return opening.open_table(session=session, module_key="tally", players=sitters, options={"rounds": 3})


@pytest.fixture
def against_bot(tally: Game, session: Session, seats: list[Seat]) -> Table:
    """A game whose first seat is a bot's, and Ayumi's the second."""
    return opened(session, Sitter(None, "steady"), seats[0])


@pytest.fixture
def bots_only(tally: Game, session: Session) -> Table:
    """A game in which a bot is always waited for."""
    return opened(session, Sitter(None, "steady"), Sitter(None, "random"))


@pytest.mark.django_db
def test_a_bot_plays_one_move_and_then_the_table_waits_for_the_player(against_bot: Table) -> None:
    receipt = bots.play_next(table_pk=against_bot.pk, version=0)
    assert receipt
    assert receipt.version == 1
    assert against_bot.moves.get().bot == "steady"
    assert bots.play_next(table_pk=against_bot.pk, version=1) is None


@pytest.mark.django_db
def test_all_bots_that_a_table_waits_for_move_in_one_call(session: Session) -> None:
    sitters = [Sitter(None, engine.RANDOM), Sitter(None, engine.RANDOM)]
    table = opening.open_table(session=session, module_key="liarmafia", players=sitters)
    bots.play_next(table_pk=table.pk, version=0)
    assert sorted(table.moves.values_list("seat", flat=True)) == ["p1", "p2"]


@pytest.mark.django_db
def test_a_page_with_an_outdated_version_triggers_no_bot_move(bots_only: Table) -> None:
    bots.play_next(table_pk=bots_only.pk, version=0)
    assert bots.play_next(table_pk=bots_only.pk, version=0) is None
    assert bots.play_next(table_pk=10**9, version=0) is None
    assert bots_only.moves.count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_pages_make_each_bot_move_only_once(bots_only: Table) -> None:
    def drive() -> object:
        return bots.play_next(table_pk=bots_only.pk, version=0)

    assert at_once(*[drive] * 5) == []
    assert list(bots_only.moves.values_list("number", "seat")) == [(1, "p1")]


@pytest.mark.django_db
def test_a_bots_choice_depends_on_the_tables_secret_and_log_only(
    tally: Game, session: Session, seats: list[Seat]
) -> None:
    """Two tables with one secret and one log: the random bots choose alike, after any other draws."""

    def moves() -> list[bytes]:
        table = opened(session, Sitter(None, "random"), Sitter(None, "random"))
        state = tally.load(bytes(table.snapshot))
        state.hands = {"p1": [1, 2, 3, 4, 5], "p2": [6, 7, 8, 9, 10]}
        Table.objects.filter(pk=table.pk).update(secret="5" * 64, snapshot=encode(state))
        for version in range(6):
            bots.play_next(table_pk=table.pk, version=version)
        return [bytes(raw) for raw in table.moves.values_list("move", flat=True)]

    assert moves() == moves()
    assert len(moves()) == 6


@pytest.mark.django_db
def test_a_bot_that_raises_an_error_still_makes_a_move(
    against_bot: Table, tally: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumbles(view: object, legal: object, fate: Fate) -> Any:
        raise ZeroDivisionError

    monkeypatch.setitem(registry(), "tally", replace(tally, bots=Bots(plain=stumbles)))
    assert bots.play_next(table_pk=against_bot.pk, version=0)


@pytest.mark.django_db
def test_a_move_sent_for_a_bots_seat_is_refused(against_bot: Table) -> None:
    state = small_game.module.load(bytes(against_bot.snapshot))
    number = state.hands["p1"][0]
    with pytest.raises(IllegalMove, match="bot_plays"):
        play(against_bot, "p1", encode({"type": "lay", "number": number}))
    assert not against_bot.moves.exists()


@pytest.mark.django_db
def test_a_table_with_an_unknown_kind_of_bot_is_not_opened(
    tally: Game, session: Session, seats: list[Seat]
) -> None:

    for sitter in (Sitter(None, "genius"), Sitter(seats[1], "genius")):
        with pytest.raises(refusals.Refused, match="no_such_bot"):
            opened(session, seats[0], sitter)
    with pytest.raises(refusals.Refused, match="no_such_bot"):
        opening.open_table(session=session, module_key="uroboros", players=[Sitter(None, "random")])
    assert not Table.objects.exists()


@pytest.mark.django_db
def test_the_log_says_when_a_bot_played_for_a_person(
    tally: Game, session: Session, seats: list[Seat]
) -> None:
    table = opened(session, *seats)
    games.hand_to_bot(table=table, key="p1")
    bots.play_next(table_pk=table.pk, version=0)
    table.refresh_from_db()
    assert [line.event.kind for line in log_of(table, None)] == ["bot_played", "laid"]
    games.take_from_bot(table=table, key="p1")
    state = tally.load(bytes(table.snapshot))
    play(table, "p2", encode({"type": "lay", "number": state.hands["p2"][0]}))
    play(table, "p1", encode({"type": "lay", "number": state.hands["p1"][0]}))
    table.refresh_from_db()
    kinds = [line.event.kind for line in log_of(table, None)]
    assert kinds == ["bot_played", "laid", "laid", "laid"]


@pytest.mark.django_db
def test_moves_of_a_bot_on_its_own_seat_add_no_extra_log_line(against_bot: Table) -> None:
    bots.play_next(table_pk=against_bot.pk, version=0)
    against_bot.refresh_from_db()
    assert [line.event.kind for line in log_of(against_bot, None)] == ["laid"]


# --- driven by open pages ------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PACE", 0.01)


@pytest.mark.django_db(transaction=True)
async def test_an_open_page_drives_the_bot_of_its_table(
    server: ThreadServer, quick: None, against_bot: Table, ayumi: Somebody
) -> None:
    async with phone(server, ayumi, f"/ws/tables/{against_bot.pk}/") as one:
        await one.until_version(1)
        state = small_game.module.load(
            bytes((await database_sync_to_async(Table.objects.get)(pk=against_bot.pk)).snapshot)
        )
        answer = await one.play({"type": "lay", "number": state.hands["p2"][0]})
        assert answer["accepted"] == 2
        await one.until_version(3)


@pytest.mark.django_db(transaction=True)
async def test_a_bots_move_is_retried_after_a_database_outage(
    server: ThreadServer, quick: None, against_bot: Table, ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_next, asked = bots.play_next, list[int]()

    def away_at_first(*, table_pk: int, version: int) -> object:
        asked.append(version)
        if len(asked) == 1:
            raise OperationalError("the database is away")
        return play_next(table_pk=table_pk, version=version)

    monkeypatch.setattr(bots, "play_next", away_at_first)
    monkeypatch.setattr(hub, "RETRY_AFTER", 0.01)
    async with phone(server, ayumi, f"/ws/tables/{against_bot.pk}/") as one:
        await one.until_version(1)


@pytest.mark.django_db(transaction=True)
async def test_the_table_face_alone_drives_bots_to_the_end(
    server: ThreadServer, quick: None, tally: Game, session: Session
) -> None:
    table = await database_sync_to_async(opened)(session, Sitter(None, "random"), Sitter(None, "steady"))
    async with phone(server, None, f"/ws/faces/{session.face_key}/") as face:
        await face.until_version(6)
    await database_sync_to_async(table.refresh_from_db)()
    assert table.ended_at


@pytest.mark.django_db(transaction=True)
async def test_two_open_pages_do_not_double_a_bots_moves(
    server: ThreadServer, quick: None, tally: Game, session: Session, gm: Somebody
) -> None:
    table = await database_sync_to_async(opened)(session, Sitter(None, "random"), Sitter(None, "steady"))
    path = f"/ws/tables/{table.pk}/"
    async with phone(server, gm, path) as one, phone(server, gm, path) as two:
        await one.until_version(6)
        await two.until_version(6)
    numbers = await database_sync_to_async(lambda: list(table.moves.values_list("number", flat=True)))()
    assert numbers == [1, 2, 3, 4, 5, 6]


@pytest.mark.django_db(transaction=True)
async def test_a_bot_plays_at_once_when_a_seat_is_handed_to_it(
    server: ThreadServer, quick: None, tally: Game, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(opened)(session, *seats)
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await one.until_version(0)
        await database_sync_to_async(games.hand_to_bot)(table=table, key="p1")
        await one.until_version(1)
