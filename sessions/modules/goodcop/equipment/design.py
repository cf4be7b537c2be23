"""The design of an equipment card, and its targets. [chapter 7]"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, Literal

from sessions.game import Seat

from ..moves import CardPosition, EquipmentId, Play
from ..state import GoodCopScene, State

#: ``any``: [GC-6.1]; ``own``: in one's own turn; ``shot``: a shot or bite is pending; ``dice``: after a roll.
Timing = Literal["any", "own", "shot", "dice"]
Fields = frozenset[str]
Choices = dict[str, list[Any]]


class Targets(ABC):
    #: The sets of fields that a play may have, by their Python names (``source``, not ``from``).
    fields: ClassVar[tuple[Fields, ...]]

    def exist(self, state: State, user: Seat) -> bool:
        """True if there is any legal target."""
        return all(self.choices(state, user).values())

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        """True if the targets of ``move``, which has the right fields, are legal."""
        return move in self.plays(state, user, move.card)

    @abstractmethod
    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        """Return the legal plays."""

    @abstractmethod
    def choices(self, state: State, user: Seat) -> Choices:
        """Return the values that can be named, by field, for the buttons on a phone."""


@dataclass(frozen=True, kw_only=True)
class Design:
    timing: Timing = "any"
    targets: Targets
    effect: Callable[[GoodCopScene, Seat, Play], None]
    stays: bool = False  # stays active in front of a player, or in the middle
    copies: int = 1


@dataclass(frozen=True)
class Nothing(Targets):
    """No target, only a condition."""

    condition: Callable[[State, Seat], bool] = lambda state, user: True
    fields = (frozenset[str](),)

    def exist(self, state: State, user: Seat) -> bool:
        return self.condition(state, user)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        return [Play(card)]

    def choices(self, state: State, user: Seat) -> Choices:
        return {}


@dataclass(frozen=True)
class Seats(Targets):
    """One player: ``seat``."""

    candidates: Callable[[State, Seat], list[Seat]]
    fields = (frozenset({"seat"}),)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        return [Play(card, seat=seat) for seat in self.candidates(state, user)]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"seat": self.candidates(state, user)}


@dataclass(frozen=True)
class OneCard(Targets):
    """One integrity card: ``seat`` and ``position``."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    fields = (frozenset({"seat", "position"}),)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        places = self.candidates(state, user)
        return [Play(card, seat=place.seat, position=place.position) for place in places]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"places": self.candidates(state, user)}


@dataclass(frozen=True)
class TwoCards(Targets):
    """Two integrity cards of two different players: ``a`` and ``b``, either way round."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    fields = (frozenset({"a", "b"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return len({place.seat for place in self.candidates(state, user)}) > 1

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        pairs = permutations(self.candidates(state, user), 2)
        return [Play(card, a=a, b=b) for a, b in pairs if a.seat != b.seat]

    def choices(self, state: State, user: Seat) -> Choices:
        places = self.candidates(state, user)
        return {"a": places, "b": places}
