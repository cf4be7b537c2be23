"""The odds of dice, which a player may weigh before a challenge. [TF-5.6 to 5.9]"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from msgspec import Struct

from sessions.game import Seat

from .cards import SIDES, Dice
from .judging import BONUS, DAMAGE, guard
from .resolving import Strength
from .state import Judgement, State, Who
from .wounds import limit


class Odds(Struct, frozen=True):
    """The chances of one choice of dice, in percent; ranks assume that no other seat challenges after it."""

    dice: Dice
    success: int  # at least one die succeeds
    great: int  # at least one shows an 8
    first: int
    second: int
    damage: int  # any damage is left over
    hurt: int  # enough damage to be badly hurt
    bonus: float  # on average


class Throw(Struct, frozen=True):
    """One way the dice may fall."""

    bonus: int
    damage: int  # after what a Stand prevents
    great: bool


MOST_BONUS = 5
CHOICES: dict[Dice, tuple[str, ...]] = {"green": ("green",), "red": ("red",), "both": ("green", "red")}


@cache
def throws(dice: Dice, number: int, prevents: int) -> tuple[Throw, ...]:
    """Return every way the dice may fall, each as likely as any other."""
    found = []
    for faces in product(range(1, SIDES + 1), repeat=len(CHOICES[dice])):
        rolled = dict(zip(CHOICES[dice], faces, strict=True))
        bonus = sum(BONUS[die] + (face == SIDES) for die, face in rolled.items() if face > number)
        damage = sum(DAMAGE[die] for die, face in rolled.items() if face <= number)
        found.append(Throw(bonus, max(damage - prevents, 0), SIDES in faces))
    return tuple(found)


def odds(state: State, judgement: Judgement, seat: Seat, by_who: Mapping[Who, Strength]) -> tuple[Odds, ...]:
    """Return the odds of each choice of dice for ``seat`` at this incident."""
    player = state.players[seat]
    return _odds(
        judgement.number,
        guard(player, judgement.main, judgement.sub),
        limit(state, seat) - player.damage,
        places(by_who, seat),
    )


# Cached, because every seat's screen shows the same odds.
@lru_cache(maxsize=1024)
def _odds(number: int, prevents: int, left: int, places: tuple[int, ...]) -> tuple[Odds, ...]:
    return tuple(_chances(dice, throws(dice, number, prevents), left, places) for dice in CHOICES)


def _chances(dice: Dice, ways: Sequence[Throw], left: int, places: Sequence[int]) -> Odds:
    """Return the odds of ``dice``.

    :param left: the damage that would hurt badly.
    :param places: the rank for each bonus, from 0 on; 0 for a tie.
    """

    def percent(hits: list[bool]) -> int:
        return round(100 * sum(hits) / len(hits))

    return Odds(
        dice=dice,
        success=percent([way.bonus > 0 for way in ways]),
        great=percent([way.great for way in ways]),
        first=percent([places[way.bonus] == 1 for way in ways]),
        second=percent([places[way.bonus] == 2 for way in ways]),
        damage=percent([way.damage > 0 for way in ways]),
        hurt=percent([way.damage >= left for way in ways]),
        bonus=round(sum(way.bonus for way in ways) / len(ways), 2),
    )


def places(by_who: Mapping[Who, Strength], seat: Seat) -> tuple[int, ...]:
    """Return the rank that ``seat`` would have with each bonus, from 0 on; 0 for a tie."""
    hero, power, card = by_who[seat]
    others = {strength for who, strength in by_who.items() if who != seat}
    return tuple(_place((hero, power + bonus, card), others) for bonus in range(MOST_BONUS + 1))


def _place(own: Strength, others: Collection[Strength]) -> int:
    return 0 if own in others else 1 + sum(strength > own for strength in others)
