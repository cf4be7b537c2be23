"""Bots that play from their seat's view: they look for leaders, shoot when sure enough, and protect allies.

First come the conclusions about leaders and teams, then the worth of each equipment card (chapters 7 and 8),
then the worth of a move and the bots.

In 1,000 games of five players, with the sides swapped in turn, a team of strong bots wins 63 % against a team
of plain bots, and a team of plain bots wins 94 % against random legal moves.
In 200 games for each number of players, the team of one strong bot among random players wins 80 to 86 % of
the base game and 67 to 72 % with zombies. With a random player in its seat, the team wins 46 to 52 % and
26 to 38 % of these games. Measure again with ``python -m sessions.modules.goodcop.tests.measure 200``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from math import comb
from typing import Literal

from sessions.game import Fate, Seat

from . import moves
from .moves import LEADERS, NUMBERS, AnyMove, CardPosition, EquipmentId, Face, Play, Position, Team
from .view import View

#: A card that is worth less than this stays in hand.
WORTH_IT = 1.0
#: The least worth of a shot for firing it, and for taking a gun to fire it later.
FIRE, TAKE_AIM = 2.6, 1.5
#: Added to the worth of playing equipment: that costs no action, so it comes first.
FREE = 20.0
#: Cards that the bot plays in an action phase alone, and cards that it plays while no action is declared.
IN_ACTION = frozenset(
    {"metal_detector", "polygraph", "surveillance_camera", "taser", "truth_serum", "wiretap"}
)
UNDECLARED = frozenset(
    {"alarm_clock", "chainsaw", "crossbow", "defibrillator", "disguise", "flamethrower", "med_kit"}
    | {"transfusion_tube", "walkie_talkie", "weapon_crate"}
)
#: Cards that it never plays at itself, and cards that are of no use to zombies.
AT_OTHERS = frozenset({"alarm_clock", "surveillance_camera", "truth_serum", "walkie_talkie"})
FOR_COPS = frozenset({"defibrillator", "flamethrower", "med_kit", "walkie_talkie"})
#: The cards best kept in hand, the best first; all others are worth the same.
KEEP = ("riot_shield", "restraining_order", "k9_unit", "med_kit", "crossbow", "chainsaw", "taser", "wiretap")
#: The most that chance adds to the plain bot's worth of a move, if that worth is above ``HARMFUL``.
WHIM, HARMFUL = 16.0, -1.0
#: The worth of a wasted card: even a bad action is better.
WASTE = -99.0
#: The opposing team.
OTHER: dict[Team, Team] = {"honest": "crooked", "crooked": "honest"}


class Deductions:
    """Chances by seat, from one view: every unseen card may lie in any unknown position."""

    def __init__(self, view: View) -> None:
        assert view.seat
        assert view.me
        self.view, self.seat, self.me = view, view.seat, view.me
        self.mine = view.players[view.seat]
        self._chances: dict[tuple[Seat, Face], float] = {}

    def faces(self, seat: Seat) -> list[Face]:
        return [card.face for card in self.view.players[seat].cards if card.face != "?"]

    def face_at(self, place: CardPosition) -> Face | Literal["?"]:
        return self.view.players[place.seat].cards[place.position].face

    def unknown(self, seat: Seat) -> int:
        return sum(card.face == "?" for card in self.view.players[seat].cards)

    @cached_property
    def unseen_faces(self) -> Counter[Face]:
        """Return the cards that this seat has not seen, counted by face."""
        zombies = self.view.options.zombies
        each = NUMBERS[len(self.view.players)][zombies]
        left: Counter[Face] = Counter({"honest": each, "crooked": each, "agent": 1, "kingpin": 1})
        left["infector"] = int(zombies)
        left.subtract(face for seat in self.view.players for face in self.faces(seat))
        return left

    def holds(self, seat: Seat, face: Face) -> float:
        """Return the chance that a player holds a special card."""
        if (seat, face) not in self._chances:
            weights = {other: self._room(other, face) for other in self.view.players}
            chance = weights[seat] / (sum(weights.values()) or 1) if self.unseen_faces[face] else 0.0
            self._chances[seat, face] = 1.0 if face in self.faces(seat) else chance
        return self._chances[seat, face]

    def _room(self, seat: Seat, face: Face) -> int:
        """Return the number of a player's positions in which a special card may lie."""
        special = {"agent", "kingpin", "infector"} & set(self.faces(seat))
        if special or (face in LEADERS and self.view.players[seat].zombie):
            return 0
        return self.unknown(seat)

    def leads(self, seat: Seat, side: Team) -> float:
        return sum(self.holds(seat, face) for face, led in LEADERS.items() if led == side)

    def leads_any(self, seat: Seat) -> float:
        return self.leads(seat, "honest") + self.leads(seat, "crooked")

    def in_team(self, seat: Seat, side: Team) -> float:
        if self.view.players[seat].zombie:
            return float(side == "zombie")
        infector = self.holds(seat, "infector")
        if side == "zombie":
            return infector
        agent, kingpin = self.holds(seat, "agent"), self.holds(seat, "kingpin")
        plain = max(0.0, 1 - infector - agent - kingpin)
        return self.leads(seat, side) + plain * self.majority(seat, side)

    def majority(self, seat: Seat, side: Team) -> float:
        """Return the chance that most of a player's plain cards are of a side."""
        if "planted_evidence" in self.view.players[seat].active:
            side = OTHER[side]
        plain: Face = "honest" if side == "honest" else "crooked"
        have, unknown = self.faces(seat).count(plain), self.unknown(seat)
        pool = self.unseen_faces["honest"] + self.unseen_faces["crooked"]
        chance = self.unseen_faces[plain] / pool if pool else 0.5
        return sum(
            comb(unknown, more) * chance**more * (1 - chance) ** (unknown - more)
            for more in range(unknown + 1)
            if have + more >= 2
        )

    def has_wound(self, seat: Seat) -> bool:
        return any(card.wounded for card in self.view.players[seat].cards)

    def tokens(self, seat: Seat) -> int:
        return sum(card.infected for card in self.view.players[seat].cards)

    def harm(self, seat: Seat) -> float:
        """Return the worth, for the bot's team, of shooting this player; a shot below 0 hurts the team."""
        mine = self.me.team
        if mine == "zombie":
            return self._harm_for_zombies(seat)
        enemy, ally = self.leads(seat, OTHER[mine]), self.leads(seat, mine)
        weight = 12.0 if self.has_wound(seat) else 6.0
        plain = 1 - enemy - ally
        if self.view.options.zombies:
            gain = -1.0 if not self.view.players[seat].zombie else 0.4
            return weight * (enemy - 1.3 * ally) + plain * gain
        foe = self.in_team(seat, OTHER[mine]) - enemy
        friend = self.in_team(seat, mine) - ally
        return weight * (enemy - 1.3 * ally) + 1.2 * foe - 1.6 * friend

    def _harm_for_zombies(self, seat: Seat) -> float:
        """Return the worth for zombies: a shot makes a player a zombie, but they lose a leader who falls."""
        if self.view.players[seat].zombie:
            return -0.5
        leader = self.leads_any(seat)
        return (1 - leader) * 1.5 - leader * (8 if self.has_wound(seat) else 1)

    def prey(self, seat: Seat) -> float:
        """Return the worth for a zombie of biting this player."""
        if self.view.players[seat].zombie:
            return -1.0
        leader = self.leads_any(seat)
        dice = min(3, self.tokens(seat) + 1)
        return dice * (3 * leader + 0.5 * (1 - leader))

    def threat(self, seat: Seat) -> float:
        """Return the cost for the bot's team if this player is shot or bitten."""
        if seat == self.seat:
            return 8.0 if self.me.leader else 2.0
        return -self.harm(seat)


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


def _k9_unit(guess: Deductions, move: Play) -> float:
    """Disarm the player who is about to shoot, or an enemy who aims at a leader of the bot's team."""
    seat = move.target
    if guess.view.declared:
        return 1.1 * danger(guess) if seat == guess.view.turn else 0.0
    if guess.view.phase != "action" or seat == guess.seat:
        return 0.0
    aim = guess.view.players[seat].aim
    foe = 1 - guess.in_team(seat, guess.me.team)
    return foe * guess.threat(aim) / 3 if aim else 0.0


def _coffee(guess: Deductions, move: Play) -> float:
    """Value another turn most when a weapon is aimed at a good target."""
    if guess.view.phase != "end_reaction":
        return 0.0
    return 2.0 if guess.mine.armed and guess.mine.aim and _hit(guess, guess.mine.aim) > 1 else 1.1


def _hit(guess: Deductions, seat: Seat) -> float:
    """Return the worth of shooting or, for a zombie, biting a player."""
    return guess.prey(seat) if guess.mine.zombie else guess.harm(seat)


def _disguise(guess: Deductions, move: Play) -> float:
    """Hide a leader or the infector, the bot's own card first."""
    if move.target == guess.seat:
        return 2.5 if guess.me.leader or "infector" in guess.me.cards else 0.3
    return 1.5 * guess.leads(move.target, guess.me.team) if guess.me.team != "zombie" else 0.0


def _looks(guess: Deductions, move: Play) -> float:
    """Value a look more where a leader may still be hidden."""
    return 1 + sum(curiosity(guess, place) for place in move.looks or ())


def curiosity(guess: Deductions, place: CardPosition) -> float:
    """Return how much information a look at a card is worth."""
    if guess.face_at(place) != "?":
        return 0.0
    hidden = guess.unknown(place.seat)
    return 0.2 + guess.leads_any(place.seat) / max(1, hidden) + 0.1 * (3 - hidden)


def _taser(guess: Deductions, move: Play) -> float:
    """Take the gun of an enemy."""
    aim = guess.view.players[move.target].aim
    foe = 1 - guess.in_team(move.target, guess.me.team)
    return 2 * foe + (0.3 * guess.threat(aim) if aim else 0.0)


def _serum(guess: Deductions, move: Play) -> float:
    """Roll dice again that were bad for the bot's team."""
    dice = guess.view.dice
    if not dice or dice.kind == "infection":
        return 0.0
    leader = float(guess.me.leader) if dice.seat == guess.seat else guess.leads_any(dice.seat)
    if guess.me.team == "zombie":
        return 3 * leader if 1 not in dice.faces else 0.0
    return 9 * leader if 1 in dice.faces else 0.0


def _flames(guess: Deductions, move: Play) -> float:
    """Make zombies aim at themselves that now aim at the bot's team."""
    zombies = [player for player in guess.view.players.values() if player.zombie and player.armed]
    return sum(max(0.0, guess.threat(player.aim)) / 2 for player in zombies if player.aim and player.can_fire)


def _burden(guess: Deductions, seat: Seat) -> float:
    """Return the cost, for the bot's team, of a token on a player's card."""
    mine = guess.me.team
    if guess.view.players[seat].zombie:
        return 0.0
    if mine == "zombie":
        return -guess.leads_any(seat)
    return 2 * guess.leads(seat, mine) + 0.4 * (guess.in_team(seat, mine) - 0.5)


#: The worth of a play now, by card; other cards are kept.
WEIGHTS: dict[EquipmentId, Callable[[Deductions, Play], float]] = {
    "coffee": _coffee,
    # Revive or cure a likely ally; their cards are all face up.
    "defibrillator": lambda guess, move: (
        2 * guess.majority(move.target, guess.me.team)
        if guess.view.players[move.target].zombie
        else 3 * guess.in_team(move.target, guess.me.team)
    ),
    "disguise": _disguise,
    "k9_unit": _k9_unit,
    "med_kit": lambda guess, move: (
        6 * (1.0 if move.target == guess.seat else guess.leads(move.target, guess.me.team))
    ),
    "metal_detector": _looks,
    "polygraph": lambda guess, move: (
        0.0 if guess.me.leader or "infector" in guess.me.cards else 0.7 * guess.unknown(move.target)
    ),
    "restraining_order": lambda guess, move: danger(guess),
    "riot_shield": lambda guess, move: danger(guess),
    "surveillance_camera": lambda guess, move: 1.2 * (1 - guess.in_team(move.target, guess.me.team)),
    "taser": _taser,
    "truth_serum": lambda guess, move: 0.9 + curiosity(guess, move.place),
    "walkie_talkie": lambda guess, move: 0.6 * guess.harm(move.target),
    "wiretap": _looks,
    "alarm_clock": lambda guess, move: guess.prey(move.target) / 2 if guess.me.team == "zombie" else 0.0,
    # A card that is known to be no leader card: then its owner is shot.
    "chainsaw": lambda guess, move: (
        guess.harm(move.target) if guess.face_at(move.place) in ("honest", "crooked") else 0.0
    ),
    "crossbow": lambda guess, move: guess.harm(move.target),
    "flamethrower": _flames,
    "transfusion_tube": lambda guess, move: sum(
        _burden(guess, one.source.seat) - _burden(guess, one.to.seat) for one in move.moves or ()
    ),
    "weapon_crate": lambda guess, move: 1.5 if not guess.mine.armed and guess.tokens(guess.seat) else 0.0,
    "zombie_serum": _serum,
}


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the best of ``legal``; chance decides between equals."""
    guess = Deductions(view)
    return _best(legal, [_worth(guess, move) for move in legal], fate)


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a good move. This bot is ``strong_bot`` with chance added to moves that are not harmful."""
    guess = Deductions(view)
    worths = [_worth(guess, move) for move in legal]
    return _best(
        legal,
        [worth + WHIM * fate.roll("whim", 100) / 100 if worth > HARMFUL else worth for worth in worths],
        fate,
    )


def _best(legal: Sequence[AnyMove], worths: Sequence[float], fate: Fate) -> AnyMove:
    best = max(worths)
    good = [move for move, worth in zip(legal, worths, strict=True) if worth > best - 1e-9]
    return good[fate.roll("equals", len(good)) - 1]


def _worth(guess: Deductions, move: AnyMove) -> float:
    match move:
        case Play():
            return _play(guess, move)
        case moves.Investigate(seat, position):
            return curiosity(guess, CardPosition(seat, position))
        case moves.Arm(reveal, aim):
            return _arm(guess, reveal, aim)
        case moves.Equip(reveal):
            return 0.45 - 0.25 * len(guess.me.hand) - _price(guess, reveal)
        case moves.Shoot():
            assert guess.mine.aim
            harm = guess.harm(guess.mine.aim)
            return 5 + harm if harm >= FIRE else HARMFUL
        case moves.Bite(position):
            return 3.0 + (position or 0) * 0.01
        case moves.Weapon(aim):
            return 2.0 + guess.prey(aim)
        case moves.Aim(seat):
            return _hit(guess, seat)
        case moves.Keep():
            now = guess.mine.aim
            return _hit(guess, now) + 0.01 if now and now != guess.seat else -9.0
        case moves.Shield(seat):
            return guess.harm(seat)
        case moves.Discard(card):
            return float(KEEP.index(card)) if card in KEEP else float(len(KEEP))
    return 0.0


def _play(guess: Deductions, move: Play) -> float:
    """Return the worth of a play: nothing now, at this target or for this team, if the card is useless so."""
    card = move.card
    useless = (
        (card in IN_ACTION and guess.view.phase != "action")
        or (card in UNDECLARED and guess.view.declared)
        or (card in AT_OTHERS and move.seat == guess.seat)
        or (card in FOR_COPS and guess.me.team == "zombie")
    )
    worth = 0.0 if useless or card not in WEIGHTS else WEIGHTS[card](guess, move)
    return worth + FREE if worth >= WORTH_IT else WASTE


def _arm(guess: Deductions, reveal: Position | None, aim: Seat) -> float:
    """Return the worth of aiming a new gun at a seat, or zombie arms, if the infector pays for it."""
    if reveal is not None and guess.me.cards[reveal] == "infector":
        return 1 + guess.prey(aim)
    harm = guess.harm(aim)
    return 1 + harm - _price(guess, reveal) if harm >= TAKE_AIM else -1 + harm / 10


def _price(guess: Deductions, reveal: Position | None) -> float:
    """Return the cost of turning an own card up: leaders and the infector stay hidden as long as possible."""
    if reveal is None:
        return 0.0
    return 3.0 if guess.me.cards[reveal] in ("agent", "kingpin", "infector") else 0.2
