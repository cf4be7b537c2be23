"""Blanks: what a game may do with a state in which the hidden values are blank."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from sessions.engine.blanks import Blank, BlankRead, blank_hidden, has_blanks


class Item(msgspec.Struct, frozen=True):
    name: str
    value: int = 0


class Small(msgspec.Struct):
    hand: list[str]
    items: tuple[Item, ...] = ()
    marks: dict[str, int] = {}
    secret: bool | int | str | None = None


def blanked(state: Small, *twins: Small) -> Small:
    made: Small = blank_hidden(state, twins)
    return made


def test_a_value_that_differs_in_a_twin_is_blank_and_the_others_stay() -> None:
    state = Small(["a", "b", "c"], (Item("rope", 1), Item("lamp", 2)), {"p1": 1, "p2": 2})
    other = Small(["a", "c", "b"], (Item("rope", 1), Item("lamp", 3)), {"p1": 1, "p2": 9})
    made = blanked(state, copy.deepcopy(state), other)
    assert (made.hand[0], made.items[0], made.items[1].name, made.marks["p1"]) == (
        "a",
        Item("rope", 1),
        "lamp",
        1,
    )
    hidden = [made.hand[1], made.hand[2], made.items[1].value, made.marks["p2"]]
    assert [type(one) for one in hidden] == [Blank] * 4
    assert state == Small(["a", "b", "c"], (Item("rope", 1), Item("lamp", 2)), {"p1": 1, "p2": 2})


@pytest.mark.parametrize(
    ("field", "value", "other"),
    [
        ("hand", ["a"], ["a", "b"]),
        ("marks", {"p1": 1}, {"p2": 1}),
        ("secret", None, 7),
        ("secret", True, False),
        ("secret", 7, "7"),
    ],
    ids=["lengths", "keys", "None", "truth", "types"],
)
def test_one_blank_stands_for_a_value_of_another_shape(field: str, value: Any, other: Any) -> None:
    made = blanked(Small(**{"hand": [], field: value}), Small(**{"hand": [], field: other}))
    assert type(getattr(made, field)) is Blank


READS: dict[str, Callable[[Any], Any]] = {
    "equality": lambda blank: blank == "a",
    "equality from the left": lambda blank: "a" == blank,  # noqa: SIM300
    "order": lambda blank: sorted([blank, blank]),
    "search": lambda blank: "a" in ["b", blank],
    "place": lambda blank: ["b", "a"].index(blank),
    "set": lambda blank: {blank},
    "key": lambda blank: {"a": 1}[blank],
    "truth": lambda blank: 1 if blank else 0,
    "text": lambda blank: f"{blank}",
    "format": lambda blank: "%s" % blank,  # noqa: UP031
    "sum": lambda blank: sum([1, blank]),
    "sum from the left": lambda blank: 1 + blank,
    "text from the left": lambda blank: "a" + blank,
    "number": lambda blank: int(blank),
    "range": lambda blank: range(blank),
    "place in a list": lambda blank: [1, 2][blank],
    "slice": lambda blank: blank[:1],
    "method": lambda blank: blank.startswith("a"),
    "kind": lambda blank: isinstance(blank, str),
    "loop": lambda blank: list(blank),
    "copy": copy.deepcopy,
}


@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
def test_a_blank_cannot_be_read(read: Callable[[Any], Any]) -> None:
    with pytest.raises(BlankRead):
        read(Blank())


def test_blanks_can_be_moved_and_counted_and_are_found_in_a_view() -> None:
    made = blanked(Small(["a", "b", "c"]), Small(["b", "c", "a"]))
    made.hand.append(made.hand.pop(0))
    assert len(made.hand) == 3
    assert has_blanks([{"hand": made.hand}])
    assert not has_blanks([{"count": len(made.hand)}])
