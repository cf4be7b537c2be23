"""When a card succeeds. [UC-4.2 to 4.4]"""

import pytest

from sessions.modules.uroboros.checks import Check, Means, Target, Verdict
from sessions.modules.uroboros.state import STANDARD_LADDER, Rung
from tests.rules import rule

NOTHING = Means((), False, 0)


def target(card: str, named: str | None = None) -> Target:
    return Target(card, named if card[0] == "x" else card[0])  # type: ignore[arg-type]


def succeeds(level: int, card: str, field: str, named: str | None = None, **means: object) -> bool:
    helped = Means(means.get("suits", ()), bool(means.get("skill")), means.get("q", 0))  # type: ignore[arg-type]
    return Check(STANDARD_LADDER, level, target(field, named), helped).judge(card).success


@rule("UC-4.2")
@pytest.mark.parametrize(
    ("level", "q", "good", "bad"),
    [
        (0, 0, "s13 h02 d07 c01", ""),
        (1, 0, "h01 d13 s07 c07", "s06 c08 s13"),
        (1, 2, "d13 s05 c09", "s04 c10"),
        (2, 0, "h01 h13 d07 s07", "d06 s08"),
        (2, 1, "h13 d06 s08", "d05 s09"),
        (3, 0, "h02 h12 h07", "h01 h13 d07 s07"),
        (3, 1, "h01 h13", "d07"),
        (4, 0, "h05 h09", "h04 h10 d07"),
        (4, 2, "h03 h11", "h02 h12"),
        (5, 0, "h07", "h06 h08 d07"),
        (5, 3, "h04 h10", "h03 h11 d07"),
    ],
)
def test_each_level_of_the_ladder_accepts_its_cards_on_the_seven_of_hearts(
    level: int, q: int, good: str, bad: str
) -> None:
    assert [card for card in good.split() if not succeeds(level, card, "h07", q=q)] == []
    assert [card for card in bad.split() if succeeds(level, card, "h07", q=q)] == []


@rule("UC-4.2")
def test_ace_and_king_are_not_next_to_each_other() -> None:
    assert not succeeds(4, "h13", "h01")
    assert not succeeds(1, "s01", "h13", q=9)
    assert succeeds(1, "s04", "h13", q=9)


@rule("UC-4.3")
@pytest.mark.parametrize("level", range(1, 6))
def test_a_favoured_suit_of_the_target_or_a_skill_lowers_by_one_both_by_two(level: int) -> None:
    cards = [f"{suit}{rank:02}" for suit in "shdc" for rank in range(1, 14)]
    for card in cards:
        one = succeeds(max(level - 1, 0), card, "h07")
        two = succeeds(max(level - 2, 0), card, "h07")
        assert succeeds(level, card, "h07", suits=("h",)) == one
        assert succeeds(level, card, "h07", suits=("s", "h")) == one
        assert succeeds(level, card, "h07", skill=True) == one
        assert succeeds(level, card, "h07", suits=("h",), skill=True) == two


@rule("UC-4.3")
def test_the_suit_of_the_card_played_does_not_matter_for_favour() -> None:
    assert not succeeds(2, "d06", "h07", suits=("d",))
    assert succeeds(2, "d06", "h07", suits=("h",))


@rule("UC-4.3")
def test_the_verdict_says_when_only_lowering_helped() -> None:
    means = Means(("h",), False, 0)
    assert Check(STANDARD_LADDER, 2, target("h07"), means).judge("d01") == Verdict(True, "UC-4.3")
    assert Check(STANDARD_LADDER, 2, target("h07"), means).judge("h01") == Verdict(True, "UC-4.2")
    assert Check(STANDARD_LADDER, 2, target("h07"), means).judge("s01") == Verdict(False, "UC-4.2")
    assert Check(STANDARD_LADDER, 0, target("h07"), means).judge("s01") == Verdict(True, "UC-4.2")


@rule("UC-4.4")
@pytest.mark.parametrize("level", range(6))
def test_a_joker_always_succeeds_and_everything_on_an_unnamed_one(level: int) -> None:
    for field in ("h07", "x02"):
        assert Check(STANDARD_LADDER, level, target(field), NOTHING).judge("x01") == Verdict(True, "UC-4.4")
    assert Check(STANDARD_LADDER, level, target("x01"), NOTHING).judge("s13") == Verdict(True, "UC-4.4")


@rule("UC-4.4")
def test_on_a_named_joker_the_suit_counts_and_no_number_ever_fits() -> None:
    assert succeeds(1, "d13", "x01", "h", q=9)
    assert not succeeds(1, "s13", "x01", "h", q=9)
    assert not succeeds(2, "d13", "x01", "h", q=9)
    for level in (2, 3, 4, 5):
        assert succeeds(level, "h13", "x01", "h")
        assert not succeeds(level, "d13", "x01", "h")


@rule("UC-4.3", "UC-4.4")
def test_the_named_suit_of_a_joker_may_be_favoured() -> None:
    assert succeeds(2, "d13", "x01", "h", suits=("h",))
    assert not succeeds(2, "d13", "x01", "h", suits=("d",))


@rule("UC-4.2")
def test_a_campaigns_own_ladder_is_followed() -> None:
    ladder = [Rung(False, "near", 3), Rung(False, "suit", 2), *STANDARD_LADDER[2:]]
    assert Check(ladder, 0, target("h07"), NOTHING).judge("h04").success
    assert not Check(ladder, 0, target("h07"), NOTHING).judge("d07").success
    assert Check(ladder, 1, target("h07"), NOTHING).judge("s05").success
    assert not Check(ladder, 1, target("h07"), NOTHING).judge("s04").success
