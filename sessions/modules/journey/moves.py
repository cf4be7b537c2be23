"""The moves and their JSON. Ids and ranges are checked before any rule sees a move."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sessions.game import Move

from .state import CARD_PATTERN, Black, Item, Suit
from .state import Card as AnyCard

Card = Annotated[AnyCard, Meta(pattern=CARD_PATTERN)]
Steps = Annotated[int, Meta(ge=-6, le=6)]


class Split(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of each black pawn, with the map. ``{"a": 2, "b": 1}``"""

    a: Steps
    b: Steps


class Pack(Move, frozen=True, tag="pack"):
    """Choose the items to take along. ``{"type": "pack", "items": ["map", "radio"]}`` [JO-2.1]"""

    items: Annotated[tuple[Item, ...], Meta(max_length=6)]


class Draw(Move, frozen=True, tag="draw"):
    """Go on to the turn's draw. ``{"type": "draw"}`` [JO-4.3]"""


class Play(Move, frozen=True, tag="play"):
    """Play a hand card and move. [JO-3.3]

    ``{"type": "play", "card": "red-3", "black": "a"}``; with the map ``{"type": "play", "card": "red-3",
    "split": {"a": 1, "b": 3}}``
    """

    card: Card
    black: Black | UnsetType = UNSET
    split: Split | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.black is UNSET) is (self.split is UNSET):
            raise ValueError("either black or split")


class GoOn(Move, frozen=True, tag="go_on"):
    """Go on to the effects, or to solving. ``{"type": "go_on"}`` [JO-4.3]"""


class Red(Move, frozen=True, tag="red"):
    """Move a black pawn one location. ``{"type": "red", "pawn": "a", "step": -1}`` [JO-3.7]"""

    pawn: Black
    step: Literal[1, -1]


class Blue(Move, frozen=True, tag="blue"):
    """Let two events of one number trade places, or decline with two nulls. [JO-3.8]

    ``{"type": "blue", "first": "red-3", "second": "white-3"}``, ``{"type": "blue", "first": null,
    "second": null}``
    """

    first: Card | None
    second: Card | None

    def __post_init__(self) -> None:
        if (self.first is None) is not (self.second is None):
            raise ValueError("both events, or neither")


class Yellow(Move, frozen=True, tag="yellow"):
    """Put a hand card back. ``{"type": "yellow", "card": "red-3", "to": "bottom"}`` [JO-3.9]"""

    card: Card
    to: Literal["top", "bottom"]


class Green(Move, frozen=True, tag="green"):
    """Copy the effect of an event next to the green one, or none. [JO-3.10]

    ``{"type": "green", "copy": "red-3"}``, ``{"type": "green", "copy": null}``
    """

    copy: Card | None


class White(Move, frozen=True, tag="white"):
    """Call a black pawn to the white one, or none. ``{"type": "white", "pawn": "b"}`` [JO-3.11]"""

    pawn: Black | None


class Solve(Move, frozen=True, tag="solve"):
    """Choose the story to solve. ``{"type": "solve", "suit": "blue"}`` [JO-3.12]"""

    suit: Suit


class EndTurn(Move, frozen=True, tag="end_turn"):
    """Go on to the clear check. ``{"type": "end_turn"}`` [JO-4.3]"""


class LocationMemory(Move, frozen=True, tag="location_memory"):
    """Spend a letter to move a black pawn by as many steps as there are letters. [JO-4.1]

    ``{"type": "location_memory", "pawn": "a", "steps": -2}``; with the map ``{"type": "location_memory",
    "split": {"a": -1, "b": 1}}``
    """

    pawn: Black | UnsetType = UNSET
    steps: Steps | UnsetType = UNSET
    split: Split | UnsetType = UNSET

    def __post_init__(self) -> None:
        one = self.pawn is not UNSET and self.steps is not UNSET and self.split is UNSET
        both = self.pawn is UNSET and self.steps is UNSET and self.split is not UNSET
        if not (one or both):
            raise ValueError("either pawn and steps, or split")

    @property
    def black_steps(self) -> tuple[int, int]:
        """The steps of pawn a and of pawn b."""
        if self.split:
            return self.split.a, self.split.b
        return (self.steps or 0, 0) if self.pawn == "a" else (0, self.steps or 0)


class AdventureMemory(Move, frozen=True, tag="adventure_memory"):
    """Spend a letter to put a discard on top of the deck. [JO-4.2]

    ``{"type": "adventure_memory", "card": "red-3"}``
    """

    card: Card


class Concede(Move, frozen=True, tag="concede"):
    """Give the journey up. ``{"type": "concede"}`` [JO-3.15]"""


Effect = Red | Blue | Yellow | Green | White
Memory = LocationMemory | AdventureMemory
AnyMove = Pack | Draw | Play | GoOn | Effect | Solve | EndTurn | Memory | Concede
