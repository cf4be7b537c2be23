"""The moves that players can make."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from sessions.game import Move, Seat

from .state import NUMBERS


class Lay(Move, frozen=True, tag="lay"):
    """Lay a card from the hand face down before another player, and claim its number."""

    card: str
    before: Seat
    number: Annotated[int, Meta(ge=NUMBERS[0], le=NUMBERS[-1])]


class Believe(Move, frozen=True, tag="believe"):
    """Accept the claim."""


class Doubt(Move, frozen=True, tag="doubt"):
    """Turn up the card to check the claim."""


AnyMove = Lay | Believe | Doubt
