"""One move being carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.fate import Fate
from sessions.engine.contract import Event, Seat

from .state import Judgement, State


@dataclass(frozen=True)
class Scene:
    """The state being changed, the fate of this move, and what has happened so far."""

    state: State
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Let everybody know."""
        self.events.append(Event(kind, data))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Let one seat know."""
        self.events.append(Event(kind, data, (to,)))

    @property
    def judgement(self) -> Judgement:
        """The incident being judged; asked for only while there is one."""
        assert self.state.judgement
        return self.state.judgement
