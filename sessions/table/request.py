"""A move as a seat asks for it, and the answers to it besides a refusal."""

from __future__ import annotations

import uuid
from dataclasses import dataclass


@dataclass(frozen=True)
class Receipt:
    """The answer to an accepted move; the same move sent again gets the same receipt."""

    version: int
    again: bool = False


class Overtaken(Exception):
    """The table is no longer the one that the move was tried on."""


class Reseated(Exception):
    """The evening's seating has changed since the mover got leave to play."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A move as a seat asks for it."""

    seat: str
    client_id: uuid.UUID
    raw: bytes
    #: The table's version that the mover saw. An older version counts only while the seat is asked the same.
    version: int
    #: The mark of the question that the seat was asked, as the page carried it.
    asked: str
    #: The evening's seating at which the mover got leave to play this seat; None where none is needed.
    seating: int | None = None
    #: The stand-in who plays for the seat (代行), for the log.
    stand_in: str = ""
    #: The kind of the bot that plays because the seat was handed to it, or for this one move (``once``).
    bot: str = ""
    #: True if the bot plays because the player's time is over (clock.py): the seat stays in their hands.
    once: bool = False
