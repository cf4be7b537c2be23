"""A request for a move, and the results that are not refusals."""

from __future__ import annotations

import uuid
from dataclasses import dataclass


@dataclass(frozen=True)
class Receipt:
    """The result of an accepted move.

    The same move sent again gets a receipt with the same version, and ``again`` set.
    """

    version: int
    again: bool = False


class Overtaken(Exception):
    """Another change of the table was stored after the move had been tried on it."""


class Reseated(Exception):
    """The session's seating has changed since the mover's permission was checked."""


@dataclass(frozen=True, kw_only=True)
class MoveRequest:
    """A move that a seat wants to play."""

    seat: str
    client_id: uuid.UUID
    raw: bytes
    #: The table's version that the mover saw. An older one is accepted while the seat's question is the same.
    version: int
    #: The hash of the question that the seat was asked, as the page sent it.
    asked: str
    #: The session's seating when the mover's permission for this seat was checked; None if none is needed.
    seating: int | None = None
    #: The name of the stand-in who plays for the seat (代行), for the log.
    stand_in: str = ""
    #: The kind of the bot that plays this seat, or only this one move of it (``once``); "" for a person.
    bot: str = ""
    #: True if the bot moves because the player's time is over (clock.py): the seat stays the player's.
    once: bool = False
