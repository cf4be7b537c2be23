"""The frames that pages send."""

from __future__ import annotations

import json
import uuid
from contextlib import suppress
from typing import Any, NamedTuple

from sessions.game import IllegalMove


def parse(text: str) -> dict[str, Any]:
    """Return the fields of a frame; an empty one if it is no JSON object."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


class Wanted(NamedTuple):
    """A move as a page asks for it: ``{"id": UUID, "version": n, "asked": mark, "move": {…}}``."""

    client_id: uuid.UUID
    raw: bytes
    version: int
    asked: str


def move_of(frame: dict[str, Any]) -> Wanted:
    """Return the move that a frame asks for.

    :raises IllegalMove: ``malformed_move``.
    """
    match frame:
        case {"id": str(client_id), "version": int(version), "asked": str(asked), "move": dict(move)}:
            with suppress(ValueError, RecursionError):
                return Wanted(uuid.UUID(client_id), json.dumps(move).encode(), version, asked)
    raise IllegalMove("malformed_move")
