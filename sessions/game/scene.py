"""The context of one move, which the rule functions of every game pass to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.fate import Fate

from .vocabulary import Event, Seat

S = TypeVar("S")


@dataclass(frozen=True)
class Scene(Generic[S]):
    """The context of one move: the state that it changes, its randomness, and its events so far."""

    state: S
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Add an event for everybody."""
        self.events.append(Event(kind, data))

    def seal(self, number: int, to: tuple[Seat, ...], kind: str, /, **data: Any) -> None:
        """Add an event for some seats; everybody may read it once the state opens this number."""
        self.events.append(Event(kind, data, to, number))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Add an event for one seat."""
        self.events.append(Event(kind, data, (to,)))
