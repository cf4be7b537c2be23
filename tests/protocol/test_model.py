"""The way of a move holds in every order in which its steps can meet, and each of its guards is needed.

Run with ``-s`` to see how many states that were, and what happens without a guard, a line a step.
"""

from __future__ import annotations

import pytest

from tests.protocol.explore import Explored, explore
from tests.protocol.model import GUARDS, Bounds, Model, World
from tests.protocol.properties import properties

TWO_SEATS = Bounds()
TWO_PHONES_OF_A_SEAT = Bounds("aa", acts=("rewind",))
SEAT_TAKEN_AWAY = Bounds("a", acts=("reseat",))
TAKEN_BACK_BY_THE_GM = Bounds("a", acts=("rewind",), ticks=2)
GRACE = Bounds("a", ("play", "undo", "draw"), moves=3, faults=0, ticks=2)

LONGER = {
    "more faults": Bounds(faults=2),
    "a seat taken away beside another": Bounds(acts=("reseat",)),
    "two phones of a seat in the grace": Bounds("aa", ("play", "undo"), moves=2, faults=0, ticks=2),
    "two phones of a seat that can draw": Bounds("aa", ("play", "undo", "draw"), moves=2, faults=0, ticks=3),
    "faults in the grace": Bounds("a", ("play", "undo", "draw"), moves=2, faults=1, ticks=2),
    "the GM takes back twice": Bounds("a", acts=("rewind",), ticks=2, acting=2),
}


def explored(bounds: Bounds, *left_out: str) -> Explored[World]:
    model = Model(bounds, *left_out)
    found = explore(model.start(), model.steps, properties(model))
    print(f"\n{bounds}\nwithout {', '.join(left_out) or 'nothing'}: {found}")
    return found


@pytest.mark.parametrize(
    "bounds", [TWO_SEATS, TWO_PHONES_OF_A_SEAT, SEAT_TAKEN_AWAY, TAKEN_BACK_BY_THE_GM, GRACE], ids=str
)
def test_nothing_goes_wrong_on_the_way_of_a_move(bounds: Bounds) -> None:
    assert not explored(bounds).failed


@pytest.mark.long
@pytest.mark.parametrize("bounds", LONGER.values(), ids=LONGER)
def test_nothing_goes_wrong_on_a_longer_way(bounds: Bounds) -> None:
    assert not explored(bounds).failed


@pytest.mark.parametrize("guard", ["version", "number"])
def test_two_moves_do_not_become_one_version_by_either_of_two_guards(guard: str) -> None:
    assert not explored(TWO_SEATS, guard).failed


NEEDED = {
    ("version", "number"): (TWO_SEATS, "accepted_is_in_the_log_once pages_show_what_was_written"),
    ("id",): (TAKEN_BACK_BY_THE_GM, "accepted_is_in_the_log_once"),
    ("lookup",): (TWO_SEATS, "refused_is_not_in_the_log"),
    ("current",): (TWO_PHONES_OF_A_SEAT, "refused_is_not_in_the_log"),
    ("order",): (TWO_PHONES_OF_A_SEAT, "refused_is_not_in_the_log"),
    ("seating",): (SEAT_TAKEN_AWAY, "only_who_has_the_seat_moves"),
    ("locked",): (GRACE, "what_was_seen_is_not_undone"),
    ("grace",): (GRACE, "what_was_seen_is_not_undone"),
    ("unshown",): (GRACE, "nobody_knows_too_early"),
    ("lift",): (TAKEN_BACK_BY_THE_GM, "nobody_knows_too_early"),
    ("commit",): (TWO_SEATS, "pages_show_what_was_written"),
    ("heartbeat",): (TWO_SEATS, "up_to_date_after_a_heartbeat"),
}


@pytest.mark.parametrize("left_out", NEEDED, ids=" ".join)
def test_without_a_guard_its_property_fails_and_no_other(left_out: tuple[str, ...]) -> None:
    bounds, broken = NEEDED[left_out]
    assert set(explored(bounds, *left_out).failed) == set(broken.split())


def test_every_guard_is_left_out_once() -> None:
    assert {guard for guards in NEEDED for guard in guards} == GUARDS.keys()
