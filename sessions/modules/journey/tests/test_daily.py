"""The game of the day: signs that tell of no card and no place."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.journey.telling import signs


def told(suits: list[str]) -> list[Event]:
    """Two stories in the first week, none in the second, one in the third."""
    first, second, third = (Event("solved", {"suit": suit, "letters": 1}) for suit in suits)
    loop = Event("looped", {"card": f"{suits[0]}-1"})
    return [first, second, loop, loop, third, Event("ended", {"reason": "home"})]


def test_the_signs_of_a_result_have_a_square_for_each_week() -> None:
    assert signs(told(["red", "blue", "white"]), "p1") == "🟩⬜🟨"


def test_the_signs_of_a_result_do_not_depend_on_the_stories() -> None:
    one, other = (told(suits) for suits in (["red", "blue", "white"], ["green", "yellow", "red"]))
    assert signs(one, "p1") == signs(other, "p1")
