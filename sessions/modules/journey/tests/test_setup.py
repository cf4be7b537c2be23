"""The box, and the beginning of a journey. [JO-1, JO-2]"""

from __future__ import annotations

from collections import Counter

import pytest

from sessions.engine.step import decode_move, start
from sessions.game import IllegalMove
from sessions.modules.journey import module
from sessions.modules.journey.state import CARDS, KEYS, ROOM, SUITS, key_of, suit_of

from .table import FixedFate, Journey

rule = pytest.mark.rule


@rule("JO-1.1", "JO-1.2")
def test_locations_hold_as_many_events_as_their_icons_say() -> None:
    journey = Journey()
    assert [(day.location, day.capacity) for day in journey.view.days] == [
        ("coast", 2),
        ("beach", 2),
        ("town", 2),
        ("city", 3),
        ("station", 2),
        ("mine", 1),
        ("tree", 0),
    ]
    lit = Journey(items="lantern")
    assert [day.capacity for day in lit.view.days] == [3, 3, 3, 4, 3, 2, 0]
    assert Counter(room.black for room in ROOM.values()) == {2: 4, 3: 1, 1: 1, 0: 1}


@rule("JO-1.3", "JO-1.4")
def test_thirty_events_with_ten_key_icons_of_each_kind_two_in_each_suit() -> None:
    assert len(CARDS) == 30
    assert (CARDS[0], CARDS[-1]) == ("red-1", "white-6")
    assert Counter(map(key_of, CARDS)) == dict.fromkeys(KEYS, 10)
    assert {
        Counter((suit_of(card), key_of(card)) for card in CARDS)[suit, key] for suit in SUITS for key in KEYS
    } == {2}
    named = {"red-1": "star", "red-3": "moon", "green-1": "feather", "blue-1": "moon", "white-4": "feather"}
    assert {card: key_of(card) for card in named} == named


@rule("JO-1.5", "JO-2.1")
def test_before_packing_no_event_lies_on_any_day() -> None:
    view = module.view(module.load(start(module, ["p1"], {}, FixedFate())), "p1")
    assert (view.phase, view.turn, view.deck_count, view.letters) == ("pack", 0, 30, 0)
    assert view.waiting_for == ("p1",)
    assert (view.hand, view.items, view.discards, view.top, view.played) == ((), (), (), None, None)
    assert (view.pawns.white, view.pawns.a, view.pawns.b) == (1, 1, 1)
    assert [(day.location, day.capacity) for day in view.days] == [(None, 0)] * 6 + [("tree", 0)]
    assert view.stories == dict.fromkeys(SUITS, False)
    assert (view.result, view.score) == (None, None)


@rule("JO-1.6", "JO-2.1")
def test_any_items_may_be_packed_once() -> None:
    journey = Journey(items="tent map lantern")
    assert journey.view.items == ("lantern", "map", "tent")
    assert journey.refused("pack", items=[]) == "not_now"
    assert Journey().view.items == ()
    unpacked = module.load(start(module, ["p1"], {}, FixedFate()))
    assert len([move for move in module.legal_moves(unpacked, "p1") if hasattr(move, "items")]) == 64


@rule("JO-2.1")
def test_an_item_cannot_be_packed_twice_and_nothing_else_comes_before() -> None:
    journey = Journey()
    journey.snapshot = start(module, ["p1"], {}, FixedFate())
    assert journey.refused("pack", items=["map", "map"]) == "item_twice"
    assert journey.refused("play", card="red-1", black="a") == "not_now"
    assert journey.refused("adventure_memory", card="red-1") == "not_now"
    assert journey.refused("location_memory", pawn="a", steps=1) == "not_now"


@pytest.mark.parametrize("items", [["sword"], "map", None, ["map"] * 7, [1]])
def test_unknown_items_are_refused_as_a_malformed_move(items: object) -> None:
    journey = Journey()
    journey.snapshot = start(module, ["p1"], {}, FixedFate())
    assert journey.refused("pack", items=items) == "malformed_move"


@rule("JO-2.2", "JO-2.3")
def test_locations_and_events_are_shuffled_and_dealt() -> None:
    journey = Journey("white-6 red-2 blue-3 green-1")
    assert journey.view.days[6].location == "tree"
    assert journey.view.hand == ("white-6", "red-2")
    assert (journey.view.turn, journey.view.phase, journey.view.deck_count) == (1, "move", 28)
    assert Journey("white-6 red-2 blue-3", "rucksack").view.hand == ("white-6", "red-2", "blue-3")
    pawns = journey.view.pawns
    assert (pawns.white, pawns.a, pawns.b) == (1, 1, 1)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type": "play", "card": "red-1"}',
        b'{"type": "play", "card": "red-1", "black": "a", "split": {"a": 1, "b": 5}}',
        b'{"type": "play", "card": "red-7", "black": "a"}',
        b'{"type": "play", "card": "red-1", "black": "white"}',
        b'{"type": "play", "card": "red-1", "split": {"a": 6}}',
        b'{"type": "play", "card": "red-1", "split": {"a": 3.5, "b": 2.5}}',
        b'{"type": "red", "pawn": "a", "step": 2}',
        b'{"type": "blue", "first": "red-1", "second": null}',
        b'{"type": "blue", "first": "red-1"}',
        b'{"type": "yellow", "card": "red-1", "to": "middle"}',
        b'{"type": "green"}',
        b'{"type": "white"}',
        b'{"type": "solve", "suit": "black"}',
        b'{"type": "location_memory", "pawn": "a"}',
        b'{"type": "location_memory", "steps": 1}',
        b'{"type": "location_memory", "pawn": "a", "steps": 1, "split": {"a": 1, "b": 0}}',
        b'{"type": "draw", "card": "red-1"}',
    ],
)
def test_moves_with_wrong_fields_are_malformed(raw: bytes) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        decode_move(module, raw)


def test_wrong_options_open_no_table() -> None:
    for wrong in ({"single_key": 4}, {"single_key": "1"}, {"single_key": True}):
        with pytest.raises(ValueError, match=r".+"):
            start(module, ["p1"], wrong, FixedFate())
    assert Journey(single_key="full").view.single_key == "full"
