"""One move being carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.fate import Fate
from sessions.engine.contract import Event

from .state import Reason, State


@dataclass(frozen=True)
class Scene:
    """The state being changed, the fate of this move, and what has happened so far; all of it is public."""

    state: State
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Let everybody know."""
        self.events.append(Event(kind, data))

    def finish(self, reason: Reason) -> None:
        """End the journey."""
        self.state.phase, self.state.reason = "over", reason
        self.tell("ended", reason=reason)
