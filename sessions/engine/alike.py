"""Compare a stored state with the one that a log leads to."""

from __future__ import annotations

from sessions.engine.step import encode
from sessions.game import AnyModule


def is_same_state(module: AnyModule, played: bytes, kept: bytes) -> bool:
    """True if a stored snapshot equals the replayed one.

    An older snapshot may lack fields that its game has added since.

    :raises GameFailed: the game cannot read a snapshot.
    """
    return played == kept or comparable_snapshot(module, played) == comparable_snapshot(module, kept)


def comparable_snapshot(module: AnyModule, snapshot: bytes) -> bytes:
    """Return a snapshot as the game encodes it today, without the fields that only describe recent moves."""
    state = module.load(snapshot)
    for name in module.telling.fields:
        setattr(state, name, None)
    return encode(state)
