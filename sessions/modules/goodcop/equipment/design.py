"""The design of an equipment card, and its targets. [chapter 7]"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal, Protocol, TypeVar

from msgspec import UNSET

from sessions.game import Seat

from ..moves import CardPosition, EquipmentId, Play
from ..state import GoodCopScene, State

#: ``any``: [GC-6.1]; ``own``: in one's own turn; ``shot``: a shot or bite is pending; ``dice``: after a roll.
Timing = Literal["any", "own", "shot", "dice"]

T = TypeVar("T")
Fields = frozenset[str]
Choices = dict[str, list[Any]]


class Targets(Protocol):
    """The targets of a card."""

    @property
    def fields(self) -> tuple[Fields, ...]:
        """Return the sets of fields that a play may have."""

    def exist(self, state: State, user: Seat) -> bool:
        """True if there is any legal target."""

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        """True if the targets of ``move`` are legal."""

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        """Return the legal plays."""

    def choices(self, state: State, user: Seat) -> Choices:
        """Return the values that can be named, by field, for the buttons on a phone."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """The design of an equipment card: its timing, its targets and its effect."""

    timing: Timing = "any"
    targets: Targets
    effect: Callable[[GoodCopScene, Seat, Play], None]
    stays: bool = False  # stays active in front of a player, or in the middle
    copies: int = 1


def given_fields(move: Play) -> Fields:
    """Return the target fields that a play sets, by their Python names (``source``, not ``from``)."""
    names = move.__struct_fields__
    return frozenset(name for name in names if name != "card" and getattr(move, name) is not UNSET)


def always(state: State, user: Seat) -> bool:
    """Return True, the condition of a card that has none."""
    return True


@dataclass(frozen=True)
class Nothing:
    """No target, only a condition."""

    condition: Callable[[State, Seat], bool] = always
    fields: tuple[Fields, ...] = (frozenset(),)

    def exist(self, state: State, user: Seat) -> bool:
        return self.condition(state, user)

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        return True

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        return [Play(card)]

    def choices(self, state: State, user: Seat) -> Choices:
        return {}


@dataclass(frozen=True)
class Seats:
    """One player: ``seat``."""

    candidates: Callable[[State, Seat], list[Seat]]
    fields: tuple[Fields, ...] = (frozenset({"seat"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return bool(self.candidates(state, user))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        return move.seat in self.candidates(state, user)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        return [Play(card, seat=seat) for seat in self.candidates(state, user)]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"seat": self.candidates(state, user)}


@dataclass(frozen=True)
class OneCard:
    """One integrity card: ``seat`` and ``position``."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    fields: tuple[Fields, ...] = (frozenset({"seat", "position"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return bool(self.candidates(state, user))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        return (move.seat, move.position) in [
            (place.seat, place.position) for place in self.candidates(state, user)
        ]

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        return [
            Play(card, seat=place.seat, position=place.position) for place in self.candidates(state, user)
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"places": list(self.candidates(state, user))}


@dataclass(frozen=True)
class TwoCards:
    """Two integrity cards of two different players: ``a`` and ``b``, either way round."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    fields: tuple[Fields, ...] = (frozenset({"a", "b"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return len({place.seat for place in self.candidates(state, user)}) > 1

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        places, a, b = self.candidates(state, user), move.a, move.b
        return (
            isinstance(a, CardPosition)
            and isinstance(b, CardPosition)
            and _apart(a, b)
            and {a, b} <= set(places)
        )

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        pairs = permutations(self.candidates(state, user), 2)
        return [Play(card, a=a, b=b) for a, b in pairs if _apart(a, b)]

    def choices(self, state: State, user: Seat) -> Choices:
        places = list(self.candidates(state, user))
        return {"a": places, "b": places}


def _apart(a: CardPosition, b: CardPosition) -> bool:
    return a.seat != b.seat


def sample(items: Sequence[T], most: int) -> list[T]:
    """Return at most ``most`` of the items, evenly spread; the same ones each time."""
    if len(items) <= most:
        return [*items]
    return [items[len(items) * number // most] for number in range(most)]
