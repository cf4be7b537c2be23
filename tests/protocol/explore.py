"""Every state that steps can lead to, the nearest first: a small exhaustive explorer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)
Steps = Callable[[S], Iterable[tuple[str, S]]]
Property = Callable[[S], bool]


@dataclass
class Explored(Generic[S]):
    """How many states there are, and for each property that fails in one a shortest way there."""

    states: int = 0
    failed: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        ways = ("\n".join([f"{name} fails:", *way]) for name, way in self.failed.items())
        return "\n".join([f"{self.states} states", *ways])


def explore(start: S, steps: Steps[S], properties: Mapping[str, Property[S]]) -> Explored[S]:
    """Go through all states; nothing is asked of what follows after a state in which a property fails."""
    found: Explored[S] = Explored()
    came: dict[S, tuple[str, S] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        broken = [name for name, holds in properties.items() if not holds(state)]
        for name in broken:
            if name not in found.failed:
                found.failed[name] = _way_to(state, came)
        if not broken:
            for label, following in steps(state):
                if following not in came:
                    came[following] = label, state
                    waiting.append(following)
    found.states = len(came)
    return found


def _way_to(state: S, came: Mapping[S, tuple[str, S] | None]) -> list[str]:
    way: list[str] = []
    while step := came[state]:
        label, state = step
        way.insert(0, label)
    return [f"{number:3}. {label}" for number, label in enumerate(way, start=1)]
