"""The context in which one move is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from sessions.game import Outcome, Seat
from sessions.game import Scene as AnyScene

from .state import Player, State


class GoodCopScene(AnyScene[State]):
    """The state being changed, the randomness of the move, and its events so far."""

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    @property
    def over(self) -> bool:
        """True if the game has ended, maybe in the middle of an effect."""
        return self.state.result is not None

    def end(self, reason: str, winners: Iterable[Seat]) -> None:
        """End the game. [GC-9.1]"""
        self.state.result = Outcome(tuple(winners), reason)
        self.tell("ended", winners=list(self.state.result.winners), reason=reason)
