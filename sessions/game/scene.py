"""One move being carried out: what every game's rules hand from one to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.fate import Fate

from .vocabulary import Event, Seat

S = TypeVar("S")


@dataclass(frozen=True)
class Scene(Generic[S]):
    """The state being changed, the fate of this move, and what has happened so far."""

    state: S
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Let everybody know."""
        self.events.append(Event(kind, data))

    def seal(self, number: int, to: tuple[Seat, ...], kind: str, /, **data: Any) -> None:
        """Let some seats know, and everybody once the state opens this number."""
        self.events.append(Event(kind, data, to, number))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Let one seat know."""
        self.events.append(Event(kind, data, (to,)))
