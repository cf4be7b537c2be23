"""Whether a state that somebody kept is the one that a log leads to."""

from __future__ import annotations

from sessions.engine.step import encode
from sessions.game import AnyModule


def alike(module: AnyModule, played: bytes, kept: bytes) -> bool:
    """True if a kept snapshot is what was played; an older one may lack what its game has learnt.

    :raises GameFailed: ``kept`` is no state of this game.
    """
    return played == kept or ruled(module, played) == ruled(module, kept)


def ruled(module: AnyModule, snapshot: bytes) -> bytes:
    """Return a snapshot as it is written today, without what only tells of the last moves."""
    state = module.load(snapshot)
    for name in module.telling.fields:
        setattr(state, name, None)
    return encode(state)
