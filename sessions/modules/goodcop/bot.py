"""Bots that play from their seat's view: they look for leaders, shoot when sure enough, and protect allies.

In 1,000 games of five players, with the sides swapped in turn, a team of strong bots wins 63 % against a team
of plain bots, and a team of plain bots wins 94 % against random legal moves.
In 200 games for each number of players, the team of one strong bot among random players wins 80 to 86 % of
the base game and 67 to 72 % with zombies. With a random player in its seat, the team wins 46 to 52 % and
26 to 38 % of these games. Measure again with ``python -m sessions.modules.goodcop.tests.measure 200``.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate, Seat

from .cards import CardPosition, Position
from .deducing import Deductions
from .moves import (
    Aim,
    AnyMove,
    Arm,
    Bite,
    Discard,
    Equip,
    Investigate,
    Keep,
    Play,
    Shield,
    Shoot,
    Weapon,
)
from .view import View
from .weighing import WORTH_IT, curiosity, weigh

#: The least worth of a shot for firing it, and for taking a gun to fire it later.
FIRE, TAKE_AIM = 2.6, 1.5
#: Added to the worth of playing equipment: that costs no action, so it comes first.
FREE = 20.0
#: The cards best kept in hand, the best first; all others are worth the same.
KEEP = ("riot_shield", "restraining_order", "k9_unit", "med_kit", "crossbow", "chainsaw", "taser", "wiretap")
#: The most that chance adds to the plain bot's worth of a move, if that worth is above ``HARMFUL``.
WHIM, HARMFUL = 16.0, -1.0
#: The worth of a wasted card: even a bad action is better.
WASTE = -99.0


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the best of ``legal``; chance decides between equals."""
    guess = Deductions(view)
    return _best(legal, [_worth(guess, move) for move in legal], fate)


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a good move of ``legal``. This bot knows as much as ``strong_bot``, but adds chance.

    Harmful moves get no such addition, so the bot wastes no card and hurts no ally.
    """
    guess = Deductions(view)
    return _best(legal, [_on_a_whim(_worth(guess, move), fate) for move in legal], fate)


def _on_a_whim(worth: float, fate: Fate) -> float:
    return worth + WHIM * fate.roll("whim", 100) / 100 if worth > HARMFUL else worth


def _best(legal: Sequence[AnyMove], worths: Sequence[float], fate: Fate) -> AnyMove:
    best = max(worths)
    good = [move for move, worth in zip(legal, worths, strict=True) if worth > best - 1e-9]
    return good[fate.roll("equals", len(good)) - 1]


def _worth(guess: Deductions, move: AnyMove) -> float:
    match move:
        case Play():
            worth = weigh(guess, move)
            return worth + FREE if worth >= WORTH_IT else WASTE
        case Investigate(seat, position):
            return curiosity(guess, CardPosition(seat, position))
        case Arm(reveal, aim):
            return _arm(guess, reveal, aim)
        case Equip(reveal):
            return _equip(guess, reveal)
        case Shoot():
            return _shoot(guess)
        case Bite(position):
            return 3.0 + (position or 0) * 0.01
        case Weapon(aim):
            return 2.0 + guess.prey(aim)
        case Aim(seat):
            return _aim(guess, seat)
        case Keep():
            mine = guess.view.players[guess.seat].aim
            return _aim(guess, mine) + 0.01 if mine and mine != guess.seat else -9.0
        case Shield(seat):
            return guess.harm(seat)
        case Discard(card):
            return float(KEEP.index(card)) if card in KEEP else float(len(KEEP))
    return 0.0


def _shoot(guess: Deductions) -> float:
    aim = guess.view.players[guess.seat].aim
    assert aim
    harm = guess.harm(aim)
    return 5 + harm if harm >= FIRE else HARMFUL


def _arm(guess: Deductions, reveal: Position | None, aim: Seat) -> float:
    """Return the worth of aiming a new gun at a seat, or zombie arms, if the infector pays for it."""
    if reveal is not None and guess.me.cards[reveal] == "infector":
        return 1 + guess.prey(aim)
    harm = guess.harm(aim)
    return 1 + harm - _price(guess, reveal) if harm >= TAKE_AIM else -1 + harm / 10


def _equip(guess: Deductions, reveal: Position | None) -> float:
    return 0.45 - 0.25 * len(guess.me.hand) - _price(guess, reveal)


def _price(guess: Deductions, reveal: Position | None) -> float:
    """Return the cost of turning an own card up: leaders and the infector stay hidden as long as possible."""
    if reveal is None:
        return 0.0
    return 3.0 if guess.me.cards[reveal] in ("agent", "kingpin", "infector") else 0.2


def _aim(guess: Deductions, seat: Seat) -> float:
    zombie = guess.view.players[guess.seat].zombie
    return guess.prey(seat) if zombie else guess.harm(seat)
