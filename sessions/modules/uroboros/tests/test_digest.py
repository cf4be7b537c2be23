"""A night report's words about a table: from made-up events, one by one."""

from __future__ import annotations

from sessions.engine.contract import Event
from sessions.modules.uroboros.digest import digest
from sessions.modules.uroboros.options import Options


def event(kind: str, /, **data: object) -> Event:
    return Event(kind, {"npc": None, **data})


def called(number: int, seat: str, level: int, **data: object) -> Event:
    told = {"number": number, "kind": "check", "seat": seat, "difficulty": level, "level": level, "label": ""}
    return Event("called", {"npc": None, **told, **data})


def decided(number: int, seat: str, level: int, *, success: bool, **data: object) -> Event:
    return event(
        "decided",
        number=number,
        kind="check",
        seat=seat,
        difficulty=level,
        card="h07",
        success=success,
        **data,
    )


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
