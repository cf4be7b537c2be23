"""The rules of sheets and their creation, without a database."""

from __future__ import annotations

import pytest

from characters import rules
from characters.rules import SheetRefused, Spending
from tests.characters.conftest import ONE_JOKER, TWELVE
from tests.rules import rule

SIX = ["h01", "d05", "h12", "s03", "c13", "c02"]
TWO_JOKERS = ["h01", "d05", "s12", "s03", "x02", "x01"]


def refusal(*args, call, **kwargs) -> tuple[str, str | None]:
    with pytest.raises(SheetRefused) as caught:
        call(*args, **kwargs)
    return caught.value.code, caught.value.rule


def red_and_black(cards: list[str]) -> dict[int, tuple[int, int]]:
    return {red: (choice.hp_max, choice.skills) for red, choice in rules.joker_choices(cards).items()}


@rule("UC-1.2")
def test_the_deck_of_creation_has_all_cards_and_both_jokers():
    assert len(rules.DECK) == len(set(rules.DECK)) == 54
    assert rules.CARDS_DRAWN == {"standard": 6, "twelve": 12}


@rule("UC-1.3")
def test_red_cards_are_hp_and_black_cards_are_skills():
    allowed = rules.standard_allowance(["h01", "d05", "h12", "d02", "c13", "s02"], 0)
    assert (allowed.hp_max, allowed.skills) == (4, 2)


@rule("UC-1.2")
@pytest.mark.parametrize(
    "cards",
    [["h01", "h02", "h03", "d01", "d02", "d03"], ["s01", "s02", "s03", "c01", "c02", "c03"]],
)
def test_six_cards_of_one_colour_must_be_drawn_again(cards):
    assert rules.judge("standard", cards) == "one_colour"
    assert refusal("standard", cards, call=rules.check_keep) == ("one_colour", "UC-1.2")


@rule("UC-1.2")
def test_a_joker_counts_as_red_or_black():
    assert red_and_black(ONE_JOKER) == {0: (3, 3), 1: (4, 2)}
    assert red_and_black(TWO_JOKERS) == {0: (2, 4), 1: (3, 3), 2: (4, 2)}


@rule("UC-1.2")
def test_a_joker_saves_five_cards_of_one_colour_but_not_by_its_own_colour():
    cards = ["h01", "h02", "h03", "d01", "d02", "x01"]
    assert rules.judge("standard", cards) == "good"
    assert red_and_black(cards) == {0: (5, 1)}
    assert refusal(cards, 1, call=rules.standard_allowance) == ("one_colour", "UC-1.2")


@rule("UC-1.2")
@pytest.mark.parametrize(("cards", "red"), [(SIX, 1), (ONE_JOKER, 2), (ONE_JOKER, -1)])
def test_no_more_jokers_count_than_were_drawn(cards, red):
    assert refusal(cards, red, call=rules.standard_allowance) == ("no_such_jokers", "UC-1.2")


@rule("UC-1.3")
def test_six_cards_may_always_be_drawn_again():
    rules.check_redraw("standard", SIX)


@rule("UC-1.1", "UC-1.4", "UC-1.6")
def test_every_new_standard_character_has_ca_eight():
    allowed = rules.standard_allowance(SIX, 0)
    assert (allowed.suits, allowed.specials) == (1, 1)
    assert allowed.ca == 8


@rule("UC-1.1")
@pytest.mark.parametrize("suits", ["x", "hh", "ah"])
def test_a_favoured_suit_is_one_of_the_four_and_only_once(suits):
    assert refusal(suits, call=rules.check_suits) == ("no_such_suit", "UC-1.1")


@rule("UC-1.1")
def test_a_wrong_number_of_favoured_suits_is_refused():
    assert rules.check_suits("ch", 2) == "hc"
    assert refusal("ch", 1, call=rules.check_suits)[0] == "wrong_number_of_suits"
    assert refusal("shdc", call=rules.check_suits)[0] == "wrong_number_of_suits"


@rule("UC-2.1")
def test_twelve_number_cards_must_be_drawn_again():
    cards = [f"{suit}{number:02}" for suit in "shd" for number in (1, 2, 3, 10)]
    assert rules.judge("twelve", cards) == "only_numbers"
    assert refusal("twelve", cards, call=rules.check_keep) == ("only_numbers", "UC-2.1")
    rules.check_redraw("twelve", cards)


@rule("UC-2.1")
def test_seven_court_cards_and_jokers_must_be_drawn_again():
    courts = ["s11", "s12", "s13", "h11", "h12", "x01"]
    numbers = ["c01", "c02", "c03", "c04", "c05"]
    assert rules.judge("twelve", [*courts, *numbers, "c06"]) == "good"
    assert rules.judge("twelve", [*courts, *numbers, "x02"]) == "too_many_courts"


@rule("UC-2.1")
def test_twelve_good_cards_cannot_be_drawn_again():
    assert refusal("twelve", TWELVE, call=rules.check_redraw) == ("redraw_not_allowed", "UC-2.1")


@rule("UC-2.2")
def test_twelve_unspent_cards_give_the_starting_figures():
    assert rules.twelve_allowance(TWELVE, Spending()) == rules.Allowance(1, 1, 0, 0)


@rule("UC-2.2")
def test_pairs_of_cards_buy_hp_skills_and_suits():
    spending = Spending(hp=2, skills=1, suits=1, specials=3)
    assert rules.twelve_allowance(TWELVE, spending) == rules.Allowance(3, 2, 1, 3)
    assert rules.Allowance(hp_max=3, skills=2, suits=1, specials=3).ca == 9


@rule("UC-2.2")
def test_every_card_pays_once():
    layout = rules.lay_out(TWELVE, Spending(hp=2, skills=1, suits=1, specials=2))
    used = [*layout.hp, *layout.skills, *layout.suits, *layout.specials]
    assert sorted([*used, *layout.numbers_left, *layout.courts_left]) == sorted(TWELVE)
    assert [len(layout.hp), len(layout.skills), len(layout.suits), len(layout.specials)] == [4, 2, 2, 2]
    assert "x01" in [*layout.suits, *layout.specials]


@rule("UC-2.2")
@pytest.mark.parametrize(
    ("spending", "code"),
    [
        (Spending(hp=4), "too_few_numbers"),
        (Spending(hp=2, skills=2), "too_few_numbers"),
        (Spending(specials=6), "too_few_courts"),
        (Spending(suits=2, specials=2), "too_few_courts"),
        (Spending(suits=3), "too_many_suits"),
    ],
)
def test_spending_more_cards_than_were_drawn_is_refused(spending, code):
    assert refusal(TWELVE, spending, call=rules.lay_out) == (code, "UC-2.2")


@rule("UC-2.2")
@pytest.mark.parametrize(("what", "by"), [("hp", -1), ("ca", 1), ("hp", 2), ("changed", 1)])
def test_an_unknown_purchase_with_cards_is_refused(what, by):
    assert refusal(what, by, call=Spending().with_purchase) == ("no_such_purchase", "UC-2.2")


@rule("UC-1.4", "UC-7.1", "UC-7.2", "UC-7.4")
@pytest.mark.parametrize(
    ("item", "value"),
    [
        (("tool", 1, 0, True), 1),
        (("tool", 3, 0, False), 3),
        (("weapon", 2, 0, True), 3),
        (("weapon", 2, 1, False), 3),
        (("armour", 4, 3, True), 8),
        (("shield", 0, 0, False), 0),
    ],
)
def test_an_items_value_is_the_sum_of_table_quality_and_being_special(item, value):
    assert rules.item_value(*item) == value


@rule("UC-7.1", "UC-7.4")
@pytest.mark.parametrize(
    ("item", "code"),
    [
        (("weapon", 5, 0, False), "no_such_value"),
        (("weapon", 0, -1, False), "no_such_value"),
        (("tool", 1, 1, False), "tool_has_no_quality"),
        (("weapon", 4, 4, True), "value_too_high"),
    ],
)
def test_an_item_off_the_tables_is_refused(item, code):
    assert refusal(*item, call=rules.item_value)[0] == code


@rule("UC-1.4")
def test_a_special_tool_has_value_one():
    rules.check_special("tool", 1)
    rules.check_special("weapon", 3)
    assert refusal("tool", 2, call=rules.check_special) == ("special_tool_is_one", "UC-1.4")


@rule("UC-7.3")
@pytest.mark.parametrize(
    ("armour", "shield", "value"),
    [(None, None, 0), (2, None, 2), (None, 1, 1), (2, 1, 3), (1, 3, 4), (0, 0, 1)],
)
def test_armour_and_shield_together_are_the_better_one_and_one_more(armour, shield, value):
    assert rules.defence(armour, shield) == value


@rule("UC-10.3")
def test_the_sheet_warns_of_death_from_minus_hp_max_on():
    assert [rules.in_mortal_danger(hp, 3) for hp in (-2, -3, -4)] == [False, True, True]


@rule("UC-11.2")
def test_a_ticked_line_gives_two_points_and_costs_grow():
    rates = rules.ExperienceRates()
    assert rules.experience_points(7, rates) == 14
    assert rules.costs(hp_max=4, skills=2, suits=1, rates=rates) == {"hp": 25, "skill": 9, "suit": 40}
    assert rules.costs(20, 20, 3, rates) == {"hp": None, "skill": None, "suit": None}


@rule("UC-11.2")
def test_a_campaign_may_have_its_own_experience_rates():
    rates = rules.ExperienceRates(points_a_line=3, hp_max_cost=4, skill_cost=2, suit_cost=10, suits_at_most=1)
    assert rules.experience_points(5, rates) == 15
    assert rules.costs(hp_max=4, skills=2, suits=1, rates=rates) == {"hp": 20, "skill": 6, "suit": None}
    no_limit = rules.ExperienceRates(suits_at_most=9)
    assert rules.costs(1, 1, 3, no_limit)["suit"] is None
