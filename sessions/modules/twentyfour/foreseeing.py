"""The chances of each rank for a seat while others' cards are face down, from its own view alone.

A hidden card is any of those that its owner has not shown yet, with equal probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from .cards import ACTIONS, HERO, SIDES
from .judging import BONUS, CLASHING_SCOTCH
from .state import NPC
from .view import DOWN, PlayerView, View

#: The assumed probability that a rival challenges, with the red die.
CHALLENGES = 0.3


class Pair(NamedTuple):
    """Two cards at an incident: their power, the first card's part of it, and both if heroes clash."""

    hero: bool
    power: int
    first: int
    clash_power: int
    clash_first: int


class Hope(NamedTuple):
    """The probabilities to be alone first, alone second, and tied for either."""

    first: float
    second: float
    tied: float


Chances = Mapping[Pair, float]


class Count(NamedTuple):
    """The numbers of rivals above and equal to a pair.

    Rivals with a hero are counted separately, because a lone hero ranks first.
    """

    heroes: int = 0
    above: int = 0
    equal: int = 0
    heroes_above: int = 0
    heroes_equal: int = 0


@lru_cache(maxsize=1024)
def _and_one(count: Count, hero: bool, above: bool, equal: bool) -> Count:
    """Return the count with one more rival. Numbers saturate at two, because more make no difference."""
    more = Count(1, 0, 0, int(above), int(equal)) if hero else Count(0, int(above), int(equal))
    return Count(*(min(one + other, 2) for one, other in zip(count, more, strict=True)))


@lru_cache(maxsize=256)
def pair(first: str, second: str, *, scotch: bool) -> Pair:
    """Return the power of two cards; ``scotch`` is True if his skill is at work. [TF-5.1, 5.2, 9.1]"""
    clash = CLASHING_SCOTCH if scotch else 0
    one, two = (0 if card == HERO else int(card) for card in (first, second))
    one_clash, two_clash = (clash if card == HERO else int(card) for card in (first, second))
    return Pair(HERO in (first, second), one + two, one, one_clash + two_clash, one_clash)


def rivals(view: View, place: int) -> list[Chances]:
    """Return the possible final pairs of each rival in this season at a place, counted from 0."""
    return [
        _chances(one, place, place + 1 if who != NPC else None)
        for who, one in view.players.items()
        if who != view.seat and not one.out
    ]


def hope(mine: Pair, others: Sequence[Chances]) -> Hope:
    """Return the chances of the ranks for a pair against these rivals. [TF-6.1 to 6.4]"""
    against = {id(hands): _against(mine, hands) for hands in others}  # unknown hands are one object
    counts: dict[Count, float] = {Count(): 1.0}
    for hands in others:
        after: dict[Count, float] = {}
        for count, chance in counts.items():
            for one, share in against[id(hands)].items():
                then = _and_one(count, *one)
                after[then] = after.get(then, 0.0) + chance * share
        counts = after
    first = second = tied = 0.0
    for count, chance in counts.items():
        ahead, level = _ahead(mine, count)
        tied += chance if level and ahead < 2 else 0.0
        first += chance if not level and ahead == 0 else 0.0
        second += chance if not level and ahead == 1 else 0.0
    return Hope(first, second, tied)


def _ahead(mine: Pair, count: Count) -> tuple[int, int]:
    """Return how many rivals rank above and equal, taking a lone hero into account."""
    if mine.hero and not count.heroes:
        return 0, 0
    if count.heroes == 1 and not mine.hero:
        return count.above + 1, count.equal
    return count.above + count.heroes_above, count.equal + count.heroes_equal


def _against(mine: Pair, hands: Chances) -> dict[tuple[bool, bool, bool], float]:
    """Return the probability of each combination: the rival has a hero, is above, is equal."""
    found: dict[tuple[bool, bool, bool], float] = {}
    own = (mine.clash_power, mine.clash_first) if mine.hero else (mine.power, mine.first)
    for one, chance in hands.items():
        theirs = (one.clash_power, one.clash_first)  # without a hero these equal power and first
        key = (one.hero, theirs > own, theirs == own)
        found[key] = found.get(key, 0.0) + chance
    return found


def _chances(rival: PlayerView, place: int, number: int | None) -> Chances:
    """Return the possible pairs of a rival; ``number`` is the incident's, None for the NPC (no challenge)."""
    scotch = rival.skill and rival.detective == "scotch"
    if rival.first is None or rival.first[place] == DOWN:
        return _any_pair(number, scotch=scotch)
    first, second = rival.first[place], rival.second[place] if rival.second else DOWN
    left = Counter[str](ACTIONS)
    left.subtract(card for card in (*rival.first, *(rival.second or ())) if card != DOWN)
    seconds = left.elements() if second == DOWN else [second]
    return _likely([pair(first, card, scotch=scotch) for card in seconds], number)


@lru_cache(maxsize=32)
def _any_pair(number: int | None, *, scotch: bool) -> Chances:
    return _likely([pair(one, two, scotch=scotch) for one, two in permutations(ACTIONS, 2)], number)


def _likely(pairs: Sequence[Pair], number: int | None) -> Chances:
    """Return the chances of equally likely pairs, including the power that a challenge may add. [TF-5.7]"""
    found: dict[Pair, float] = {}
    for one in pairs:
        for bonus, share in _bonuses(number):
            then = one._replace(power=one.power + bonus, clash_power=one.clash_power + bonus)
            found[then] = found.get(then, 0.0) + share / len(pairs)
    return found


def _bonuses(number: int | None) -> list[tuple[int, float]]:
    if number is None:
        return [(0, 1.0)]
    great, success = CHALLENGES / SIDES, CHALLENGES * (SIDES - 1 - number) / SIDES
    return [(0, 1 - great - success), (BONUS["red"], success), (BONUS["red"] + 1, great)]
