"""What dice promise and threaten: chances a player may weigh before a challenge. [TF-5.6 to 5.9]"""

from __future__ import annotations

from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from sessions.engine.contract import Seat

from .cards import SIDES, Dice
from .judging import BONUS, DAMAGE, guard
from .resolving import standings
from .state import Judgement, State
from .wounds import limit


class Odds(Struct, frozen=True):
    """Chances of one choice of dice, in percent; the ranks are as if nobody decided after."""

    dice: Dice
    success: int  # at least one die succeeds
    great: int  # at least one shows an 8
    first: int
    second: int
    damage: int  # any damage is left over
    hurt: int  # enough to be badly hurt
    bonus: float  # on average


class Throw(Struct, frozen=True):
    """One way the dice may fall."""

    bonus: int
    damage: int  # after what a Stand prevents
    great: bool


CHOICES: dict[Dice, tuple[str, ...]] = {"green": ("green",), "red": ("red",), "both": ("green", "red")}


def throws(dice: Dice, number: int, prevents: int) -> list[Throw]:
    """Return every way the dice may fall, each as likely as any other."""
    found = []
    for faces in product(range(1, SIDES + 1), repeat=len(CHOICES[dice])):
        rolled = dict(zip(CHOICES[dice], faces, strict=True))
        bonus = sum(BONUS[die] + (face == SIDES) for die, face in rolled.items() if face > number)
        damage = sum(DAMAGE[die] for die, face in rolled.items() if face <= number)
        found.append(Throw(bonus, max(damage - prevents, 0), SIDES in faces))
    return found


def odds(state: State, judgement: Judgement, seat: Seat) -> tuple[Odds, ...]:
    """Return what each choice of dice may bring to ``seat`` at this incident."""
    player = state.players[seat]
    prevents = guard(player, judgement.main, judgement.sub)
    left = limit(state, seat) - player.damage
    places = {bonus: place_with(state, judgement, seat, bonus) for bonus in range(6)}
    result = []
    for dice in CHOICES:
        ways = throws(dice, judgement.number, prevents)

        def percent(hits: list[bool]) -> int:
            return round(100 * sum(hits) / len(hits))

        result.append(
            Odds(
                dice=dice,
                success=percent([way.bonus > 0 for way in ways]),
                great=percent([way.great for way in ways]),
                first=percent([places[way.bonus] == 1 for way in ways]),
                second=percent([places[way.bonus] == 2 for way in ways]),
                damage=percent([way.damage > 0 for way in ways]),
                hurt=percent([way.damage >= left for way in ways]),
                bonus=round(sum(way.bonus for way in ways) / len(ways), 2),
            )
        )
    return tuple(result)


def place_with(state: State, judgement: Judgement, seat: Seat, bonus: int) -> int:
    """Return the rank ``seat`` would have alone with so much more power, 0 for a tie."""
    powers = judgement.powers | {seat: judgement.powers[seat] + bonus}
    for place, rank in enumerate(standings(state, replace(judgement, powers=powers)), 1):
        if seat in rank:
            return place if len(rank) == 1 else 0
    raise LookupError(seat)
