"""The bot's conclusions about leaders and teams, drawn from the view of its seat."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import comb
from typing import Literal

from sessions.game import Seat

from .moves import LEADERS, NUMBERS, CardPosition, Face, Team
from .view import View

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
