"""The rules of characters of Uroboros Chain in plain Python, without database, dice or clock.

Rule ids are those of ``RULES.md`` in this folder. A function that refuses raises ``SheetRefused``, with one
of the codes that its docstring names as refusals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Literal

from companion.cards import SUITS, colour, is_joker, kind, standard_deck, suit
from companion.fate import Fate

Method = Literal["standard", "twelve"]
Figure = Literal["hp", "skills", "suits", "specials", "together"]
Verdict = Literal["good", "one_colour", "only_numbers", "too_many_courts"]

DECK = standard_deck()
CARDS_DRAWN: dict[Method, int] = {"standard": 6, "twelve": 12}
#: The HP that six cards can give: neither all nor none of them may be red. [UC-1.2]
HP_OF_SIX = range(1, CARDS_DRAWN["standard"])
#: The most frequent HP of six cards.
HP_USUAL = 3

HP_MAX = range(1, 21)
HP_LOWEST = -99
SUITS_AT_MOST = 3
SUITS_AT_CREATION = 2
NAME_LENGTH = 40
CONCEPT_LENGTH = 120
BACKGROUND_LENGTH = 4000
ROWS_AT_MOST = 20
#: Labelled faces for chat lines, besides the portrait.
FACES_AT_MOST = 12
LABEL_LENGTH = 20
TABLE_VALUES = range(5)
VALUE_AT_MOST = 8
SPECIAL_TOOL_VALUE = 1
TOO_MANY_COURTS = 7


class SheetRefused(Exception):
    """The rules or the state of a sheet forbid a change. Nothing was changed."""

    def __init__(self, code: str, rule: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule


# Standard creation


@dataclass(frozen=True)
class Allowance:
    """The figures of a sheet that a creation determines."""

    hp_max: int
    skills: int
    suits: int
    specials: int

    @property
    def ca(self) -> int:
        """The character ability. [UC-1.6, UC-2.2]"""
        return self.hp_max + self.skills + self.suits + self.specials


def jokers_in(cards: Iterable[str]) -> int:
    return sum(map(is_joker, cards))


def standard_allowance(cards: Sequence[str], red_jokers: int) -> Allowance:
    """Return HP by red cards, skills by black ones, a favoured suit, a special item. [UC-1.1 to UC-1.4]

    The player chooses how many jokers count as red (``red_jokers``).
    Refusals: ``no_such_jokers``; ``one_colour`` if all cards have the same colour.
    """
    if not 0 <= red_jokers <= jokers_in(cards):
        raise SheetRefused("no_such_jokers", "UC-1.2")
    red = red_jokers + sum(colour(printed) == "red" for card in cards if (printed := suit(card)))
    if red in (0, len(cards)):
        raise SheetRefused("one_colour", "UC-1.2")
    return Allowance(hp_max=red, skills=len(cards) - red, suits=1, specials=1)


def joker_choices(cards: Sequence[str]) -> dict[int, Allowance]:
    """Return the possible figures of six cards, by the number of jokers taken as red. [UC-1.2]"""
    choices = {}
    for red_jokers in range(jokers_in(cards) + 1):
        with suppress(SheetRefused):
            choices[red_jokers] = standard_allowance(cards, red_jokers)
    return choices


def allowance_by_hand(hp_max: int) -> Allowance:
    """Return the allowance of six cards with ``hp_max`` red ones. Refusals: ``not_of_six``. [UC-1.3]

    A player may redraw six cards at will, so every such number can be reached.
    """
    if hp_max not in HP_OF_SIX:
        raise SheetRefused("not_of_six", "UC-1.3")
    return Allowance(hp_max, CARDS_DRAWN["standard"] - hp_max, suits=1, specials=1)


# Draws of cards


def draw(secret: str, number: int, method: Method) -> list[str]:
    """Return the cards of draw ``number``, counted from 0, under a secret. [UC-1.2, UC-2.1]

    Each draw is a shuffle "creation" of the secret's ``Fate``, so the revealed secret proves all draws.
    """
    fate = Fate(secret, 0)
    for _ in range(number):
        fate.shuffle("creation", DECK)
    return fate.shuffle("creation", DECK)[: CARDS_DRAWN[method]]


def judge(method: Method, cards: Sequence[str]) -> Verdict:
    """Return the verdict on drawn cards: "good", or the reason to draw again. [UC-1.2, UC-2.1]"""
    if method == "standard":
        return "good" if joker_choices(cards) else "one_colour"
    numbers = sum(kind(card) == "number" for card in cards)
    if numbers == len(cards):
        return "only_numbers"
    return "too_many_courts" if len(cards) - numbers >= TOO_MANY_COURTS else "good"


def check_redraw(method: Method, cards: Sequence[str]) -> None:
    """Refuse to redraw a valid twelve; six cards may always be drawn again. [UC-1.3, UC-2.1]"""
    if method == "twelve" and judge(method, cards) == "good":
        raise SheetRefused("redraw_not_allowed", "UC-2.1")


def check_keep(method: Method, cards: Sequence[str]) -> None:
    """Refuse cards that must be drawn again, with their verdict as the code. [UC-1.2, UC-2.1]"""
    verdict = judge(method, cards)
    if verdict != "good":
        raise SheetRefused(verdict, "UC-1.2" if method == "standard" else "UC-2.1")


# Twelve-card creation


@dataclass(frozen=True)
class Spending:
    """The purchases for twelve cards. [UC-2.2]"""

    hp: int = 0
    skills: int = 0
    suits: int = 0
    specials: int = 0

    def with_purchase(self, what: str, by: int) -> Spending:
        """Return a copy with one purchase more or less; refuse a number below 0: ``no_such_purchase``."""
        known = what in [field.name for field in fields(self)] and by in (-1, 1)
        if not known or getattr(self, what) + by < 0:
            raise SheetRefused("no_such_purchase", "UC-2.2")
        return replace(self, **{what: getattr(self, what) + by})


@dataclass(frozen=True)
class Layout:
    """The cards of each purchase, and the unspent cards. [UC-2.2]"""

    hp: list[str]
    skills: list[str]
    suits: list[str]
    specials: list[str]
    numbers_left: list[str]
    courts_left: list[str]


def lay_out(cards: Sequence[str], spending: Spending) -> Layout:
    """Assign each card to a purchase or to the unspent cards. [UC-2.2]

    Number cards pay for HP and skills in pairs. Courts and jokers pay for suits in pairs and for special
    items one by one. Refusals: ``too_few_numbers``, ``too_few_courts``, ``too_many_suits``.
    """
    numbers = [card for card in cards if kind(card) == "number"]
    courts = [card for card in cards if kind(card) != "number"]
    if 2 * (spending.hp + spending.skills) > len(numbers):
        raise SheetRefused("too_few_numbers", "UC-2.2")
    if spending.suits > SUITS_AT_CREATION:
        raise SheetRefused("too_many_suits", "UC-2.2")
    if 2 * spending.suits + spending.specials > len(courts):
        raise SheetRefused("too_few_courts", "UC-2.2")
    hp, skills, numbers_left = _split(numbers, 2 * spending.hp, 2 * spending.skills)
    suits, specials, courts_left = _split(courts, 2 * spending.suits, spending.specials)
    return Layout(hp, skills, suits, specials, numbers_left, courts_left)


def _split(cards: list[str], first: int, second: int) -> tuple[list[str], list[str], list[str]]:
    return cards[:first], cards[first : first + second], cards[first + second :]


def twelve_allowance(cards: Sequence[str], spending: Spending) -> Allowance:
    """Return HP 1 and one skill, plus the purchases. [UC-2.2]"""
    check_keep("twelve", cards)
    lay_out(cards, spending)
    return Allowance(1 + spending.hp, 1 + spending.skills, spending.suits, spending.specials)


# Sheets from elsewhere


@dataclass(frozen=True)
class Excess:
    """A figure that is higher than any creation gives, and the most that one gives."""

    what: Figure
    given: int
    most: int


def find_excesses(sheet: Allowance) -> list[Excess]:
    """Return the figures beyond every creation, or "together" if only their sum is. [UC-1.6, UC-2.2]"""
    courts_at_most = TOO_MANY_COURTS - 1
    most = 1 + _pairs_of_numbers(1)
    alone = [
        Excess("hp", sheet.hp_max, most),
        Excess("skills", sheet.skills, most),
        Excess("suits", sheet.suits, SUITS_AT_CREATION),
        Excess("specials", sheet.specials, courts_at_most),
    ]
    if found := [excess for excess in alone if excess.given > excess.most]:
        return found
    hp, skills = max(sheet.hp_max, 1), max(sheet.skills, 1)
    within_six = hp + skills <= CARDS_DRAWN["standard"] and sheet.suits <= 1 and sheet.specials <= 1
    courts = max(2 * sheet.suits + sheet.specials, 1)
    bought = (hp - 1) + (skills - 1)
    within_twelve = courts <= courts_at_most and bought <= _pairs_of_numbers(courts)
    return [] if within_six or within_twelve else [Excess("together", 0, 0)]


def _pairs_of_numbers(courts: int) -> int:
    """Return the pairs of number cards if ``courts`` of the twelve are court cards or jokers. [UC-2.2]"""
    return (CARDS_DRAWN["twelve"] - courts) // 2


# Suits and items


def check_suits(suits: str, count: int | None = None) -> str:
    """Return favoured suits in the order of the deck. [UC-1.1, UC-2.2]

    Refusals: ``no_such_suit``, ``wrong_number_of_suits``.

    :param count: the exact number required. Without it, up to three are allowed.
    """
    if set(suits) - set(SUITS) or len(set(suits)) != len(suits):
        raise SheetRefused("no_such_suit", "UC-1.1")
    if len(suits) > SUITS_AT_MOST or count not in (None, len(suits)):
        raise SheetRefused("wrong_number_of_suits", "UC-1.1")
    return "".join(sorted(suits, key="".join(SUITS).index))


def item_value(item: str, table_value: int, quality: int, special: bool) -> int:
    """Return the value that an item adds to a check. [UC-7.1, UC-7.2]

    A tool has its table value. Weapons and armour add the tool value of their quality (UC-7.4), and special
    ones add 1 (UC-1.4). Refusals: ``no_such_value``, ``tool_has_no_quality``, ``value_too_high``.
    """
    if table_value not in TABLE_VALUES or quality not in TABLE_VALUES:
        raise SheetRefused("no_such_value", "UC-7.1")
    if item == "tool" and quality:
        raise SheetRefused("tool_has_no_quality", "UC-7.4")
    value = table_value + quality + (special and item != "tool")
    if value > VALUE_AT_MOST:
        raise SheetRefused("value_too_high", "UC-7.4")
    return value


def check_special(item: str, table_value: int) -> None:
    """Refuse a special tool of another value than 1. Special weapons and armour may have any. [UC-1.4]"""
    if item == "tool" and table_value != SPECIAL_TOOL_VALUE:
        raise SheetRefused("special_tool_is_one", "UC-1.4")


def defence(armour: int | None, shield: int | None) -> int:
    """Return the defence. Armour and shield together count as the higher of the two plus one. [UC-7.3]"""
    worn = [value for value in (armour, shield) if value is not None]
    return max(worn, default=0) + (len(worn) == 2)


# In play and after it


def hp_after_rest(hp: int, hp_max: int) -> int:
    """Return the HP after a day of natural recovery. [UC-10.1]"""
    return min(hp + 1, hp_max)


def in_mortal_danger(hp: int, hp_max: int) -> bool:
    """True if the sheet shows a warning of death. The GM decides about death. [UC-10.3]"""
    return hp <= -hp_max


@dataclass(frozen=True)
class ExperienceRates:
    """Points per ticked line, and prices in points. A campaign may change both. [UC-11.2]"""

    points_a_line: int = 2
    hp_max_cost: int = 5
    skill_cost: int = 3
    suit_cost: int = 20
    suits_at_most: int = SUITS_AT_MOST


DEFAULT_RATES = ExperienceRates()


def experience_points(lines: int, rates: ExperienceRates) -> int:
    """Return the points for this number of ticked lines. [UC-11.2]"""
    return rates.points_a_line * lines


def costs(hp_max: int, skills: int, suits: int, rates: ExperienceRates) -> dict[str, int | None]:
    """Return the price of one more of each kind, None if the limit is reached. [UC-11.2]"""
    suits_at_most = min(rates.suits_at_most, SUITS_AT_MOST)
    return {
        "hp": rates.hp_max_cost * (hp_max + 1) if hp_max + 1 in HP_MAX else None,
        "skill": rates.skill_cost * (skills + 1) if skills < ROWS_AT_MOST else None,
        "suit": rates.suit_cost * (suits + 1) if suits < suits_at_most else None,
    }
