"""One move being carried out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.fate import Fate
from sessions.engine.contract import Event, Outcome, Seat

from .state import Player, State


@dataclass(frozen=True)
class Scene:
    """The state being changed, the randomness of the move, and what has happened so far."""

    state: State
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Let everybody know."""
        self.events.append(Event(kind, data))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Let one seat know."""
        self.events.append(Event(kind, data, (to,)))

    def player(self, seat: Seat) -> Player:
        """Return a player."""
        return self.state.players[seat]

    @property
    def over(self) -> bool:
        """Tell whether the game has ended, maybe in the middle of an effect."""
        return self.state.result is not None

    def end(self, reason: str, winners: Iterable[Seat]) -> None:
        """End the game. [GC-9.1]"""
        self.state.result = Outcome(tuple(winners), reason)
        self.tell("ended", winners=list(self.state.result.winners), reason=reason)
