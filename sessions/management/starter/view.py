"""The view of one seat: built field by field, so that nothing hidden gets in by accident."""

from __future__ import annotations

from msgspec import Struct

from sessions.game import Seat

from .rules import is_over, outcome, waiting_for
from .state import State


class PlayerView(Struct, frozen=True):
    """The public part of a player."""

    laid: tuple[int, ...]
    total: int
    hand_count: int
    stays: bool
    over: bool  # above the limit


class View(Struct, frozen=True):
    limit: int
    turn: Seat | None
    players: dict[Seat, PlayerView]
    hand: tuple[int, ...] | None  # the seat's own
    winners: tuple[Seat, ...] | None

    @property
    def totals(self) -> dict[Seat, int]:
        """The scores: 0 for a player above the limit."""
        return {seat: 0 if player.over else player.total for seat, player in self.players.items()}


def view(state: State, seat: Seat | None) -> View:
    """Return the view of ``seat``, or of a spectator if it is None."""
    result = outcome(state)
    return View(
        limit=state.options.limit,
        turn=state.turn if waiting_for(state) else None,
        players={other: _player(state, other) for other in state.players},
        hand=tuple(sorted(state.players[seat].hand)) if seat in state.players else None,
        winners=result.winners if result else None,
    )


def _player(state: State, seat: Seat) -> PlayerView:
    player = state.players[seat]
    return PlayerView(tuple(player.laid), player.total, len(player.hand), player.stays, is_over(state, seat))
