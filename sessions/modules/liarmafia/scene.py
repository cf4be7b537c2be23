"""One move being carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sessions.engine.contract import Event, Seat

from .state import State


@dataclass(frozen=True)
class Scene:
    """The state being changed, and what has happened so far."""

    state: State
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Let everybody know."""
        self.events.append(Event(kind, data))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Let one seat know."""
        self.events.append(Event(kind, data, (to,)))
