"""Bots that play from their seat's view: they look for leaders, shoot when sure enough, and protect allies.

The worth of each equipment card (chapters 7 and 8) comes first, then the worth of a move and the bots.

In 1,000 games of five players, with the sides swapped in turn, a team of strong bots wins 63 % against a team
of plain bots, and a team of plain bots wins 94 % against random legal moves.
In 200 games for each number of players, the team of one strong bot among random players wins 80 to 86 % of
the base game and 67 to 72 % with zombies. With a random player in its seat, the team wins 46 to 52 % and
26 to 38 % of these games. Measure again with ``python -m sessions.modules.goodcop.tests.measure 200``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sessions.game import Fate, Seat

from .deductions import Deductions
from .moves import (
    Aim,
    AnyMove,
    Arm,
    Bite,
    CardPosition,
    Discard,
    Equip,
    EquipmentId,
    Investigate,
    Keep,
    Play,
    Position,
    Shield,
    Shoot,
    Weapon,
)
from .view import View

#: A card that is worth less than this stays in hand.
WORTH_IT = 1.0
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


def weigh(guess: Deductions, move: Play) -> float:
    """Return the worth of a play now; below ``WORTH_IT`` the card is kept."""
    return WEIGHTS.get(move.card, _never)(guess, move)


def _never(guess: Deductions, move: Play) -> float:
    return 0.0


def _seat(move: Play) -> Seat:
    assert isinstance(move.seat, str)
    return move.seat


def _own_turn(guess: Deductions) -> bool:
    return guess.view.phase == "action"


def danger(guess: Deductions) -> float:
    """Return the cost of the pending shot or bite for the bot's team, 0 when there is none."""
    declared = guess.view.declared
    if not declared or "target" not in declared or guess.view.turn == guess.seat:
        return 0.0
    target = declared["target"]
    if declared["type"] == "bite":
        if guess.me.team == "zombie" or guess.view.players[target].zombie:
            return 0.0
        return 6.0 if target == guess.seat and guess.me.leader else 4 * guess.leads(target, guess.me.team)
    return guess.threat(target)


def _divert(guess: Deductions, move: Play) -> float:
    return danger(guess)


def _k9_unit(guess: Deductions, move: Play) -> float:
    """Disarm the player who is about to shoot, or an enemy who aims at a leader of the bot's team."""
    seat = _seat(move)
    if guess.view.declared:
        return 1.1 * danger(guess) if seat == guess.view.turn else 0.0
    if not _own_turn(guess) or seat == guess.seat:
        return 0.0
    aim = guess.view.players[seat].aim
    foe = 1 - guess.in_team(seat, guess.me.team)
    return foe * guess.threat(aim) / 3 if aim else 0.0


def _coffee(guess: Deductions, move: Play) -> float:
    """Value another turn most when a weapon is aimed at a good target."""
    mine = guess.view.players[guess.seat]
    if guess.view.phase == "end_reaction":
        return 2.0 if mine.armed and mine.aim and _hits(guess, mine.aim) > 1 else 1.1
    return 0.0


def _hits(guess: Deductions, seat: Seat) -> float:
    zombie = guess.view.players[guess.seat].zombie
    return guess.prey(seat) if zombie else guess.harm(seat)


def _defibrillator(guess: Deductions, move: Play) -> float:
    """Revive or cure a likely ally; their cards are all face up."""
    seat = _seat(move)
    if guess.view.declared:
        return 0.0
    if guess.view.players[seat].zombie:
        return 0.0 if guess.me.team == "zombie" else 2 * guess.majority(seat, guess.me.team)
    return 3 * guess.in_team(seat, guess.me.team) if guess.me.team != "zombie" else 0.0


def _disguise(guess: Deductions, move: Play) -> float:
    """Hide a leader or the infector, the bot's own card first."""
    if guess.view.declared:
        return 0.0
    seat = _seat(move)
    if seat == guess.seat:
        return 2.5 if guess.me.leader or "infector" in guess.me.cards else 0.3
    return 1.5 * guess.leads(seat, guess.me.team) if guess.me.team != "zombie" else 0.0


def _med_kit(guess: Deductions, move: Play) -> float:
    if guess.view.declared or guess.me.team == "zombie":
        return 0.0
    seat = _seat(move)
    return 6.0 if seat == guess.seat else 6 * guess.leads(seat, guess.me.team)


def _seat_views(guess: Deductions, move: Play) -> float:
    """Value a look more where a leader may still be hidden."""
    if not _own_turn(guess) or not isinstance(move.looks, tuple):
        return 0.0
    return 1 + sum(curiosity(guess, place) for place in move.looks)


def curiosity(guess: Deductions, place: CardPosition) -> float:
    """Return how much information a look at a card is worth."""
    card = guess.view.players[place.seat].cards[place.position]
    if card.face != "?":
        return 0.0
    hidden = guess.unknown(place.seat)
    leader = guess.leads(place.seat, "honest") + guess.leads(place.seat, "crooked")
    return 0.2 + leader / max(1, hidden) + 0.1 * (3 - hidden)


def _polygraph(guess: Deductions, move: Play) -> float:
    if not _own_turn(guess) or guess.me.leader or "infector" in guess.me.cards:
        return 0.0
    return 0.7 * guess.unknown(_seat(move))


def _truth_serum(guess: Deductions, move: Play) -> float:
    """Turn up the enemy's leader card, or look for it."""
    if not _own_turn(guess) or move.seat == guess.seat:
        return 0.0
    assert isinstance(move.position, int)
    return 0.9 + curiosity(guess, CardPosition(_seat(move), move.position))


def _camera(guess: Deductions, move: Play) -> float:
    """Watch a likely enemy."""
    seat = _seat(move)
    if not _own_turn(guess) or seat == guess.seat:
        return 0.0
    return 1.2 * (1 - guess.in_team(seat, guess.me.team))


def _taser(guess: Deductions, move: Play) -> float:
    """Take the gun of an enemy."""
    if not _own_turn(guess):
        return 0.0
    seat = _seat(move)
    aim = guess.view.players[seat].aim
    foe = 1 - guess.in_team(seat, guess.me.team)
    return 2 * foe + (0.3 * guess.threat(aim) if aim else 0.0)


def _gather(guess: Deductions, move: Play) -> float:
    """Aim all guns at the enemy's leader."""
    seat = _seat(move)
    if guess.view.declared:
        return 0.0
    return 0.6 * guess.harm(seat) if seat != guess.seat and guess.me.team != "zombie" else 0.0


def _crossbow(guess: Deductions, move: Play) -> float:
    return 0.0 if guess.view.declared else guess.harm(_seat(move))


def _serum(guess: Deductions, move: Play) -> float:
    """Roll dice again that were bad for the bot's team."""
    dice = guess.view.dice
    if not dice or dice.kind == "infection":
        return 0.0
    leader = sum(guess.leads(dice.seat, side) for side in ("honest", "crooked"))
    if dice.seat == guess.seat:
        leader = float(guess.me.leader)
    if guess.me.team == "zombie":
        return 3 * leader if 1 not in dice.faces else 0.0
    return 9 * leader if 1 in dice.faces else 0.0


def _flames(guess: Deductions, move: Play) -> float:
    """Make zombies aim at themselves that now aim at the bot's team."""
    if guess.me.team == "zombie" or guess.view.declared:
        return 0.0
    zombies = [player for player in guess.view.players.values() if player.zombie and player.armed]
    return sum(max(0.0, guess.threat(player.aim)) / 2 for player in zombies if player.aim and player.can_fire)


def _chainsaw(guess: Deductions, move: Play) -> float:
    """Choose a card that is known to be no leader card: then its owner is shot."""
    if guess.view.declared:
        return 0.0
    assert isinstance(move.position, int)
    seat = _seat(move)
    face = guess.view.players[seat].cards[move.position].face
    return guess.harm(seat) if face in ("honest", "crooked") else 0.0


def _crate(guess: Deductions, move: Play) -> float:
    mine = guess.view.players[guess.seat]
    return 1.5 if not mine.armed and guess.tokens(guess.seat) and not guess.view.declared else 0.0


def _alarm(guess: Deductions, move: Play) -> float:
    """Aim the zombies at a player worth biting; a cop sees no worth in it."""
    seat = _seat(move)
    if guess.view.declared or seat == guess.seat:
        return 0.0
    if guess.me.team == "zombie":
        return guess.prey(seat) / 2
    return 0.0


def _tube(guess: Deductions, move: Play) -> float:
    """Move tokens from the bot's team and its leader to the enemy's."""
    if guess.view.declared or not isinstance(move.moves, tuple):
        return 0.0
    return sum(_burden(guess, one.source.seat) - _burden(guess, one.to.seat) for one in move.moves)


def _burden(guess: Deductions, seat: Seat) -> float:
    """Return the cost, for the bot's team, of a token on a player's card."""
    mine = guess.me.team
    if guess.view.players[seat].zombie:
        return 0.0
    if mine == "zombie":
        return -guess.leads(seat, "honest") - guess.leads(seat, "crooked")
    return 2 * guess.leads(seat, mine) + 0.4 * (guess.in_team(seat, mine) - 0.5)


WEIGHTS: dict[EquipmentId, Callable[[Deductions, Play], float]] = {
    "coffee": _coffee,
    "defibrillator": _defibrillator,
    "disguise": _disguise,
    "k9_unit": _k9_unit,
    "med_kit": _med_kit,
    "metal_detector": _seat_views,
    "polygraph": _polygraph,
    "restraining_order": _divert,
    "riot_shield": _divert,
    "surveillance_camera": _camera,
    "taser": _taser,
    "truth_serum": _truth_serum,
    "walkie_talkie": _gather,
    "wiretap": _seat_views,
    "alarm_clock": _alarm,
    "chainsaw": _chainsaw,
    "crossbow": _crossbow,
    "flamethrower": _flames,
    "transfusion_tube": _tube,
    "weapon_crate": _crate,
    "zombie_serum": _serum,
}


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
