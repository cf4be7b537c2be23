"""The type names of moves. Pure Python."""

from __future__ import annotations

from collections.abc import Iterable

from .vocabulary import Move


def kind_of(move: Move | type[Move]) -> str:
    """Return the ``type`` of a move in JSON."""
    return str(move.__struct_config__.tag)


def kinds(moves: Iterable[Move]) -> tuple[str, ...]:
    """Return the types of these moves in their order, without duplicates."""
    return tuple(dict.fromkeys(map(kind_of, moves)))
