"""The view of one seat: built field by field, so that nothing hidden gets in by accident."""

from __future__ import annotations

from msgspec import Struct

from sessions.game import Seat

from .rules import outcome
from .state import State


class PlayerView(Struct, frozen=True):
    """The public part of a player."""

    has_chosen: bool
    shown: int | None
    points: int


class View(Struct, frozen=True):
    round: int
    rounds: int
    players: dict[Seat, PlayerView]
    past: tuple[int, ...]
    hand: tuple[int, ...] | None  # the seat's own
    chosen: int | None  # the seat's own
    winners: tuple[Seat, ...] | None

    @property
    def totals(self) -> dict[Seat, int]:
        return {seat: player.points for seat, player in self.players.items()}


def view(state: State, seat: Seat | None) -> View:
    """Return the view of ``seat``, or of a spectator if it is None."""
    result = outcome(state)
    own = state.players[seat] if seat else None
    return View(
        round=min(state.round, state.options.rounds),
        rounds=state.options.rounds,
        players={
            other: PlayerView(player.chosen is not None, player.shown, player.points)
            for other, player in state.players.items()
        },
        past=tuple(state.past),
        hand=tuple(sorted(own.hand)) if own else None,
        chosen=own.chosen if own else None,
        winners=result.winners if result else None,
    )
