"""First games of any module: a newcomer plays five minutes against scripted seats. Pure Python."""

from __future__ import annotations

from hashlib import sha256

from sessions.game import AnyModule, Seat

#: The seat of the newcomer. Scripts play all others.
NEWCOMER: Seat = "p1"


def first_game_secret(module: AnyModule) -> str:
    """Return the secret that determines all chance of a module's first game."""
    assert module.first_game
    return sha256(f"first game of {module.key}: {module.first_game.deal}".encode()).hexdigest()
