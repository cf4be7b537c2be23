"""Playing cards as short ids."""

import re

from companion.cards import CARD_PATTERN, colour, is_joker, kind, rank, standard_deck, suit


def test_a_deck_has_52_cards_and_its_jokers() -> None:
    assert len(set(standard_deck(1))) == 53
    assert len(set(standard_deck())) == 54
    assert standard_deck(2)[:2] == ["s01", "s02"]
    assert standard_deck(2)[13] == "h01"
    assert standard_deck(2)[-2:] == ["x01", "x02"]


def test_rank_and_suit_of_a_card_are_those_printed() -> None:
    assert [rank(card) for card in ("s01", "h10", "d11", "c12", "s13", "x01")] == [1, 10, 11, 12, 13, None]
    assert [suit(card) for card in ("s01", "h10", "d11", "c12", "x02")] == ["s", "h", "d", "c", None]


def test_hearts_and_diamonds_are_red() -> None:
    assert [colour(suit) for suit in ("s", "h", "d", "c")] == ["black", "red", "red", "black"]


def test_a_card_is_a_number_a_face_or_a_joker() -> None:
    assert [kind(card) for card in ("s01", "s10", "s11", "s13", "x01")] == [
        "number",
        "number",
        "face",
        "face",
        "joker",
    ]
    assert [is_joker(card) for card in ("x01", "s01")] == [True, False]


def test_the_card_pattern_matches_cards_of_the_deck_only() -> None:
    assert all(re.search(CARD_PATTERN, card) for card in standard_deck())
    strangers = ("s00", "s14", "x00", "x03", "e01", "s1", "s010", "s01\n", "", "S01", "s0१")
    assert not any(re.search(CARD_PATTERN, card) for card in strangers)
