"""The conclusions of a bot from its seat's view: leaders, teams, and players worth a shot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from math import comb
from typing import Literal

from msgspec.structs import replace

from sessions.game import Seat

from .moves import LEADERS, NUMBERS, CardPosition, Face, Swap, Team
from .view import CardView, PlayerView, View

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

    def allies(self) -> float:
        """Return how many of the other living players the bot's team has, by chance."""
        others = (seat for seat, player in self.view.players.items() if player.alive and seat != self.seat)
        return sum(self.in_team(seat, self.me.team) for seat in others)

    def wins_alone(self, seat: Seat, face: Face) -> float:
        """Return the chance that a player wins alone with one more special card. [GC-3.3]"""
        fatal: tuple[Face, ...] = (
            ("agent", "kingpin") if face == "infector" else ("agent", "kingpin", "infector")
        )
        return sum(self.holds(seat, other) for other in fatal if other != face)

    def with_players(self, changed: dict[Seat, PlayerView]) -> Deductions:
        return Deductions(replace(self.view, players={**self.view.players, **changed}))

    def after_exchange(self, swaps: Iterable[Swap]) -> Deductions:
        """Return the conclusions after known cards have traded places. [GC-8.12]"""
        cards = {seat: list(player.cards) for seat, player in self.view.players.items()}
        for swap in swaps:
            a, b = swap.a, swap.b
            cards[a.seat][a.position], cards[b.seat][b.position] = (
                cards[b.seat][b.position],
                cards[a.seat][a.position],
            )
        moved = {place.seat for swap in swaps for place in (swap.a, swap.b)}
        return self.with_players({seat: _with_cards(self.view.players[seat], cards[seat]) for seat in moved})


def _with_cards(player: PlayerView, cards: list[CardView]) -> PlayerView:
    faces = {card.face for card in cards}
    infected = any(card.face == "infector" and card.up for card in cards)
    zombie = (player.zombie or infected) and not faces & LEADERS.keys()
    return replace(player, cards=tuple(cards), zombie=zombie)


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


def hit(guess: Deductions, seat: Seat) -> float:
    """Return the worth of shooting or, for a zombie, biting a player."""
    return guess.prey(seat) if guess.mine.zombie else guess.harm(seat)


def curiosity(guess: Deductions, place: CardPosition) -> float:
    """Return how much information a look at a card is worth."""
    if guess.face_at(place) != "?":
        return 0.0
    hidden = guess.unknown(place.seat)
    return 0.2 + guess.leads_any(place.seat) / max(1, hidden) + 0.1 * (3 - hidden)
