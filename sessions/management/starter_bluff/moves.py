"""The moves."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from sessions.game import Move, Seat

from .state import NUMBERS


class Lay(Move, frozen=True, tag="lay"):
    """Lay a card of the hand face down before somebody, and say what it is."""

    card: str
    before: Seat
    number: Annotated[int, Meta(ge=NUMBERS[0], le=NUMBERS[-1])]


class Believe(Move, frozen=True, tag="believe"):
    """Take what was said for true."""


class Doubt(Move, frozen=True, tag="doubt"):
    """Turn the card up."""


AnyMove = Lay | Believe | Doubt
