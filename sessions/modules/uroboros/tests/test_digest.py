"""A night report's words about a table: from made-up events, one by one."""

from __future__ import annotations

import pytest

from sessions.game import Event
from sessions.modules.uroboros.state import Options
from sessions.modules.uroboros.telling import digest, story


def event(kind: str, /, **data: object) -> Event:
    return Event(kind, {"npc": None, **data})


def called(number: int, seat: str, level: int, **data: object) -> Event:
    told = {"number": number, "kind": "check", "seat": seat, "difficulty": level, "level": level, "label": ""}
    return Event("called", {"npc": None, **told, **data})


def decided(number: int, seat: str, level: int, *, success: bool, **data: object) -> Event:
    told = {
        "number": number,
        "kind": "check",
        "seat": seat,
        "difficulty": level,
        "card": "h07",
        "success": success,
    }
    return event("decided", **{**told, "count": None, "damage": None, "target": None, **data})


def played(seat: str, card: str, *, success: bool, source: str = "hand", **data: object) -> Event:
    return event("played", seat=seat, card=card, suit=None, source=source, success=success, **data)


def told(*events: Event) -> list[tuple[str, dict[str, object]]]:
    return [(one.kind, one.data) for one in digest(events, Options()).highlights]


def test_the_best_check_is_the_hardest_success_of_a_player() -> None:
    events = [
        called(1, "p1", 3, label="wall"),
        decided(1, "p1", 3, success=True),
        decided(2, "p2", 3, success=True),
        decided(3, "p2", 5, success=False),
        Event("decided", {**decided(4, "gm", 5, success=True).data, "npc": "n1"}),
    ]
    assert told(*events) == [("best_check", {"seat": "p1", "difficulty": 3, "card": "h07", "label": "wall"})]


def test_helpers_and_deck_drawers_are_named() -> None:
    support = event("supported", seat="p1", to="p2", text="")
    draw = played("p2", "h01", success=True, source="deck")
    assert told(support, support, draw) == [
        ("deck_draws", {"seat": "p2", "count": 1}),
        ("helped", {"seat": "p1", "to": "p2", "count": 2}),
    ]
    both = [draw, played("p1", "h02", success=True, source="deck")]
    assert told(*both) == [], "nobody is singled out when two did the same"


def test_a_near_miss_is_a_failure_that_one_step_less_would_have_saved() -> None:
    field = event("turned", card="h07")
    same_colour, other_colour = played("p1", "d02", success=False), played("p1", "s02", success=False)
    near = ("near_miss", {"seat": "p1", "count": 1})
    assert told(field, called(1, "p1", 2), same_colour) == [near]
    assert told(field, called(1, "p1", 2), other_colour) == []
    assert told(called(1, "p1", 2), same_colour) == [], "the first field card was told to nobody"
    interrupted = [
        called(1, "p1", 2),
        event("called", kind="interrupt", number=2, seat="p2", level=0, label=""),
    ]
    back = event("decided", kind="interrupt", number=2, seat="p2", difficulty=0, card=None, success=False)
    assert told(field, *interrupted, back, same_colour) == [near]
    support = event("supported", seat="p2", to="p1", text="")
    assert near in told(field, *interrupted, support, same_colour), "it ends an interrupt, too"
    assert near in told(field, called(1, "p1", 2), support, same_colour), "and nothing else"


def tale(*events: Event) -> list[tuple[str, dict[str, object]]]:
    return [(one.kind, one.data) for one in digest(events, Options()).story]


def hp(who: str, was: int, now: int) -> Event:
    return Event("hp_changed", {"who": who, "was": was, "hp": now})


def test_a_joker_is_no_best_check_as_it_cannot_fail() -> None:
    joker = decided(1, "p1", 5, success=True, card="x01")
    assert told(joker, decided(2, "p2", 2, success=True)) == [
        ("best_check", {"seat": "p2", "difficulty": 2, "card": "h07", "label": ""})
    ]


def test_falls_and_rescues_are_told_in_order_with_their_cause() -> None:
    wolf = Event("npc_added", {"npc": "n1", "name": "wolf", "rank": 1})
    bite = decided(1, "gm", 1, success=True, kind="attack", npc="n1", target="p1", damage=3)
    heal = decided(2, "p2", 1, success=True, kind="treat", target="p1")
    assert tale(wolf, bite, hp("p1", 2, -1), hp("p1", -1, -2), heal, hp("p1", -2, 1), hp("p2", 3, 0)) == [
        ("fell", {"who": "p1", "name": "", "by": {"who": "n1", "name": "wolf"}}),
        ("rescued", {"who": "p1", "name": "", "by": {"who": "p2", "name": ""}}),
        ("fell", {"who": "p2", "name": "", "by": {}}),
    ]


def test_a_long_chain_is_told_with_its_cards() -> None:
    cards = ["h02", "h03", "h04"]
    chain = [called(1, "p1", 2, kind="chain"), *(played("p1", card, success=True) for card in cards)]
    end = decided(1, "p1", 2, success=True, count=3)
    long = [("chained", {"who": "p1", "name": "", "cards": cards})]
    assert tale(*chain, played("p1", "s09", success=False), end) == long
    stepping_in = [
        called(2, "p2", 1, kind="interrupt"),
        played("p2", "s09", success=True),
        decided(2, "p2", 1, success=True, kind="interrupt"),
    ]
    assert tale(*chain[:2], *stepping_in, *chain[2:], end) == long
    assert tale(*chain[:3], decided(1, "p1", 2, success=True, count=2)) == []


def test_the_serpent_is_the_longest_row_of_cards_that_fitted() -> None:
    fits, breaks = [played("p1", f"h0{n}", success=True) for n in (2, 3, 4)], event("turned", card="s01")
    assert ("serpent", {"cards": ["h02", "h03", "h04"], "count": 3}) in told(*fits)
    assert not [kind for kind, _ in told(*fits[:2], breaks, *fits[2:]) if kind == "serpent"]


@pytest.mark.parametrize(
    "between", [[], [event("hp_changed", who="p2", was=3, hp=2)]], ids=["alone", "after a hit"]
)
def test_a_chain_goes_on_after_a_support_that_ended_the_interrupt(between: list[Event]) -> None:
    cards = ["h07", "h08", "h09"]
    first, *others = [played("p1", card, success=True) for card in cards]
    events = [
        called(1, "p1", 2, kind="chain"),
        first,
        called(2, "p2", 1, kind="interrupt"),
        *between,
        event("supported", seat="p2", to="p1", text=""),
        *others,
        decided(1, "p1", 2, success=True, kind="chain", count=3),
    ]
    assert [(one.kind, one.data["cards"]) for one in story(events)] == [("chained", cards)]
