"""The view of one seat: built field by field, so that nothing hidden gets in by accident."""

from __future__ import annotations

from msgspec import Struct

from sessions.game import Seat

from .rules import outcome, waiting_for
from .state import NUMBERS, OpenClaim, State, number_on


class PlayerView(Struct, frozen=True):
    """The public part of a player."""

    hand_count: int
    points: int


class View(Struct, frozen=True):
    turn: Seat | None
    claim: OpenClaim | None
    players: dict[Seat, PlayerView]
    shown: tuple[int, ...]  # the numbers that were turned up
    hand: dict[str, int] | None  # the seat's own cards, each with its number
    down: tuple[int, ...] | None  # the numbers of the seat's own cards that lie face down
    winners: tuple[Seat, ...] | None

    @property
    def numbers(self) -> range:
        """The numbers that may be claimed."""
        return NUMBERS

    @property
    def turned_up(self) -> dict[int, int]:
        """The count of each number that was turned up."""
        return {number: self.shown.count(number) for number in NUMBERS if number in self.shown}

    @property
    def totals(self) -> dict[Seat, int]:
        return {seat: player.points for seat, player in self.players.items()}


def view(state: State, seat: Seat | None) -> View:
    """Return the view of ``seat``, or of a spectator if it is None."""
    result = outcome(state)
    own = state.players[seat] if seat else None
    return View(
        turn=state.turn if waiting_for(state) else None,
        claim=state.claim,
        players={
            other: PlayerView(len(player.hand), player.points) for other, player in state.players.items()
        },
        shown=tuple(map(number_on, state.shown)),
        hand={card: number_on(card) for card in sorted(own.hand)} if own else None,
        down=tuple(map(number_on, own.down)) if own else None,
        winners=result.winners if result else None,
    )
