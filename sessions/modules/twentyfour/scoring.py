"""The scoring at the end. [TF-10]"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .cards import Suit, suit, value
from .state import Player, State, VpOutcome

SET_SIZE = 3


class ScoreParts(Struct, frozen=True):
    """The VP of a player by source."""

    cards: int
    sets: int
    duty: int
    wolf: int

    @property
    def vp(self) -> int:
        """The total."""
        return self.cards + self.sets + self.duty + self.wolf


def score(player: Player) -> ScoreParts:
    """Return the VP of a player with the cards in Stand and Coop now. [TF-10.1 to 10.3]"""
    held = sum(map(value, player.stand)) + sum(map(value, player.coop))
    return ScoreParts(
        cards=held + player.assists,
        sets=set_bonus(player.coop, player.assists),
        duty=player.duty_vp,
        wolf=len(player.stand) if player.dead and player.detective == "wolf" else 0,
    )


def set_bonus(coop: Sequence[str], assists: int) -> int:
    """Return 1 VP for each event card of all sets, and for each assist if there is any set. [TF-10.2]"""
    in_sets = sum(count for count in by_suit(coop).values() if count + assists >= SET_SIZE)
    return in_sets + assists if in_sets else 0


def by_suit(cards: Sequence[str]) -> dict[Suit, int]:
    """Return the number of event cards of each suit, in the order of the cards."""
    counts: dict[Suit, int] = {}  # a Counter takes four times as long, and every view calls this often
    for card in cards:
        counts[suit(card)] = counts.get(suit(card), 0) + 1
    return counts


def result(state: State) -> VpOutcome:
    """Return the outcome at the end: most VP wins. [TF-10.3]"""
    vp = {seat: score(state.players[seat]).vp for seat in state.seats}
    most = max(vp.values())
    return VpOutcome(tuple(seat for seat in state.seats if vp[seat] == most), "vp", vp)
