"""First games, for any module: a newcomer's first five minutes, against scripts. Pure Python."""

from __future__ import annotations

from hashlib import sha256

from sessions.game import AnyModule, Seat

#: The seat of the newcomer. Scripts play all others.
NEWCOMER: Seat = "p1"


def secret_of(module: AnyModule) -> str:
    """Return the secret from which all chance of a module's first game follows."""
    assert module.first_game
    return sha256(f"first game of {module.key}: {module.first_game.deal}".encode()).hexdigest()
