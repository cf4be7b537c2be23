"""What everything is worth in the end. [TF-10]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from .cards import suit, value
from .state import Player, Result, State

SET_SIZE = 3


class ScoreParts(Struct, frozen=True):
    """Where the VP come from."""

    cards: int
    sets: int
    duty: int
    wolf: int

    @property
    def vp(self) -> int:
        """All together."""
        return self.cards + self.sets + self.duty + self.wolf


def score(player: Player) -> ScoreParts:
    """Return the VP of a player with what is in Stand and Coop now. [TF-10.1 to 10.3]"""
    held = sum(value(card) for card in [*player.stand, *player.coop])
    return ScoreParts(
        cards=held + player.assists,
        sets=set_bonus(player.coop, player.assists),
        duty=player.duty_vp,
        wolf=len(player.stand) if player.dead and player.detective == "wolf" else 0,
    )


def suits_in_sets(coop: Sequence[str], assists: int) -> list[str]:
    """Return the suits that make a set together with all assists. [TF-10.2]"""
    counts = Counter(suit(card) for card in coop)
    return [name for name, count in counts.items() if count + assists >= SET_SIZE]


def set_bonus(coop: Sequence[str], assists: int) -> int:
    """Return 1 VP for each event card of all sets, and for each assist if there is any set."""
    suits = suits_in_sets(coop, assists)
    return sum(suit(card) in suits for card in coop) + (assists if suits else 0)


def result(state: State) -> Result:
    """Return the outcome at the end: most VP wins. [TF-10.3]"""
    vp = {seat: score(state.players[seat]).vp for seat in state.seats}
    most = max(vp.values())
    return Result(tuple(seat for seat in state.seats if vp[seat] == most), "vp", vp)
