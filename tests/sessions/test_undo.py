"""Taking back one's own last move, and the GM's rewind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.fate import Fate
from sessions.engine.contract import IllegalMove, Module, Move, Seat
from sessions.engine.history import History
from sessions.engine.random_play import random_game
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, encode, step
from sessions.engine.undo import Rewind, Undo, decode, is_safe, rewind, undo
from sessions.modules.uroboros import module as uroboros
from sessions.modules.uroboros.tests.table import Table as CardTable


class Made(NamedTuple):
    """A move of a random game, and the snapshots round it."""

    before: bytes
    seat: Seat
    move: Any
    number: int
    after: bytes
    secret: str

    def safe(self, module: Module[Any, Any], before: bytes | None = None) -> bool:
        fate = Fate(self.secret, self.number)
        return is_safe(module, before or self.before, self.seat, self.move, fate, f"{self.secret}/undo")


@pytest.fixture(params=shelf().values(), ids=shelf().keys())
def module(request: pytest.FixtureRequest) -> Module[Any, Any]:
    return request.param


def moves_made(module: Module[Any, Any], seed: int, most: int = 60) -> Iterator[Made]:
    secret = f"undo {seed}"
    first, *rest = random_game(module, module.seats[seed % len(module.seats)], secret)
    before = first.snapshot
    for number, played in enumerate(rest[:most], 1):
        assert played.seat
        yield Made(before, played.seat, decode_move(module, played.move), number, played.snapshot, secret)
        before = played.snapshot


# --- what stands


def test_without_undo_every_move_stands() -> None:
    assert list(History(3, {}).standing()) == [3, 2, 1]
    assert History(3, {}).before == 2
    assert History(0, {}).newest == 0


def test_undo_twice_takes_back_one_own_move_after_the_other() -> None:
    once = History(4, {4: 2})
    assert list(once.standing()) == [2, 1]
    assert (once.newest, once.before) == (2, 1)
    twice = History(5, {4: 2, 5: once.before})
    assert list(twice.standing()) == [1]


def test_what_is_played_after_a_rewind_stands_on_what_came_back() -> None:
    history = History(8, {6: 1, 8: 1})
    assert list(history.standing()) == [1]
    assert list(History(9, history.restored).standing()) == [9, 1]
    assert list(History(7, {6: 1}).standing()) == [7, 1]


# --- the two moves


def test_undo_and_rewind_are_moves_of_every_module(module: Module[Any, Any]) -> None:
    """A module's own move of such a name would make this union impossible."""
    assert decode(module, b'{"type": "undo"}') == Undo()
    assert decode(module, b'{"type": "rewind", "to": 3}') == Rewind(3, "")
    for own in (Undo, Rewind):
        with pytest.raises(IllegalMove, match="malformed_move"):
            decode_move(module, encode(own(*([0] if own is Rewind else []))))


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "undo", "to": 3},
        {"type": "rewind"},
        {"type": "rewind", "to": -1},
        {"type": "rewind", "to": 10**30},
        {"type": "rewind", "to": "3"},
        {"type": "rewind", "to": None},
        {"type": "rewind", "to": 1, "reason": "x" * 81},
        {"type": "rewind", "to": 1, "reason": "\0"},
        {"type": "rewind", "to": 1, "reason": ["x"]},
    ],
)
def test_bent_ones_are_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        decode(uroboros, json.dumps(fields).encode())


def test_only_the_gm_rewinds_and_only_to_what_stands() -> None:
    history = History(5, {4: 2})
    assert rewind(history, "gm", Rewind(2, " oops ")).numbers == [5]
    assert rewind(history, "gm", Rewind(0)).numbers == [5, 2, 1]
    assert rewind(history, "gm", Rewind(2, " oops ")).event.data == {"to": 2, "count": 1, "reason": "oops"}
    with pytest.raises(IllegalMove, match="gm_only"):
        rewind(history, "p1", Rewind(2))
    for to in (3, 4, 5, 6, 99):
        with pytest.raises(IllegalMove, match="cannot_rewind"):
            rewind(history, "gm", Rewind(to))


def test_every_refused_undo_has_one_code() -> None:
    with pytest.raises(IllegalMove, match="cannot_undo"):
        undo(History(5, {}), "p1", allowed=False)


# --- what is safe, at any table


def test_who_undoes_has_gained_nothing(module: Module[Any, Any]) -> None:
    """A move that can be taken back looks to its mover the same in every world they could be in."""
    rng, allowed, refused = Random(1), 0, 0
    for made in (made for seed in range(5) for made in moves_made(module, seed, 40)):
        if not made.safe(module):
            refused += 1
            continue
        allowed += 1
        for _ in range(4):
            fate = Fate("another world", rng.getrandbits(64))
            twin = module.load(made.before)
            module.resample(twin, {made.seat}, fate)
            snapshot, events = step(module, encode(twin), made.seat, made.move, Fate("any", made.number))
            _, truly = step(module, made.before, made.seat, made.move, Fate("other", made.number))
            for looker in (made.seat, None):
                view = module.view(module.load(snapshot), looker)
                assert encode(view) == encode(module.view(module.load(made.after), looker)), made.move
            assert [event for event in events if event.to is None] == [
                event for event in truly if event.to is None
            ]
    assert allowed, "no move could be taken back: this test could not have failed"
    assert refused, "every move could be taken back: this test could not have failed"


@pytest.mark.parametrize("seed", range(4))
def test_whether_an_undo_is_offered_tells_the_mover_nothing(module: Module[Any, Any], seed: int) -> None:
    """It is the same in every state that the mover cannot tell apart, before and after."""
    for made in moves_made(module, seed, 40):
        twin = module.load(made.before)
        module.resample(twin, {made.seat}, Fate("another world", made.number))
        try:
            after, _ = step(module, encode(twin), made.seat, made.move, Fate(made.secret, made.number))
        except IllegalMove:
            continue
        seen = [encode(module.view(module.load(state), made.seat)) for state in (after, made.after)]
        if seen[0] == seen[1]:
            assert made.safe(module, encode(twin)) == made.safe(module), made.move


@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_always_the_same(module: Module[Any, Any], seed: int) -> None:
    for made in moves_made(module, seed, 10):
        assert made.safe(module) == made.safe(module)


def test_resample_keeps_what_two_seats_see_together(module: Module[Any, Any]) -> None:
    moved = 0
    for made in list(moves_made(module, 5))[::6]:
        state = module.load(made.before)
        for other in [*state.seats, None]:
            pair = {made.seat, other} - {None}
            twin = module.load(made.before)
            module.resample(twin, pair, Fate("pair", made.number))
            moved += encode(twin) != made.before
            for looker in [*pair, None]:
                assert encode(module.view(twin, looker)) == encode(module.view(state, looker))
    assert moved


class Answer(Move, frozen=True, tag="undo"):
    """A module's move by the engine's name."""


def test_a_module_with_a_move_called_undo_is_noticed() -> None:
    from dataclasses import replace

    with pytest.raises(TypeError):
        decode(replace(uroboros, move=Answer), b'{"type": "undo"}')


# --- what is safe at the card table


def safe(table: CardTable, mover: str, type_: str, /, **fields: Any) -> bool:
    """Say whether this move could be taken back if it were made now."""
    move = decode_move(uroboros, json.dumps({"type": type_, **fields}).encode())
    return is_safe(uroboros, table.snapshot, mover, move, Fate("any", 7), "seed")


def test_words_and_the_gms_settings_can_be_taken_back() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert safe(table, "p1", "declare", text="I climb")
    assert safe(table, "gm", "set_hp", who="p1", hp=1)
    assert safe(table, "gm", "start_combat")


def test_a_card_that_only_the_mover_showed_can_be_taken_back() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"}, field="h07")
    table.contest("p1", "p2", 1)
    assert safe(table, "p1", "play", card="h02")


def test_nothing_is_taken_back_once_a_card_was_drawn() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert not safe(table, "gm", "flip")
    assert not safe(table, "gm", "deal", seat="gm", count=1)
    table.call("p1", 1)
    assert not safe(table, "p1", "draw")
    assert not safe(table, "p1", "play", card="h02"), "the hand is filled up again"


def test_the_gm_does_not_take_back_what_a_player_drew() -> None:
    """The GM's own page is the same whatever the card was; the player has seen it."""
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert not safe(table, "gm", "deal", seat="p1", count=1)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "discard", cards=["h03"])
    assert not safe(table, "gm", "set_hp", who="p1", hp=2)


def test_nothing_is_taken_back_once_chance_had_a_part() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert safe(table, "gm", "add_npc", name="wolf", rank=3, hidden=True)
    assert not safe(table, "gm", "add_npc", name="wyrm", rank=5, hidden=True), "its suits are drawn by lot"


def test_hidden_gear_that_a_hit_gave_away_is_not_hidden_again() -> None:
    table = CardTable({"p1": "h09 h10"}, field="h07", gm="c02 c03")
    wolf = table.add_npc(name="wolf", rank=3, armour=2)
    table.do("gm", "start_combat")
    table.attack("p1", wolf, 1)
    table.do("p1", "play", card="h09")
    assert not safe(table, "gm", "give_up"), "p1 sees the damage through the armour, and draws"


def test_the_end_is_the_end() -> None:
    assert not safe(CardTable({"p1": "h02 h03"}), "gm", "end")
