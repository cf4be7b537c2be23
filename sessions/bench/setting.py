"""What a bench was started for; it comes through the environment, as settings ask for it."""

from __future__ import annotations

import os
import secrets
from functools import cache

import msgspec

VARIABLE = "TAKUJO_BENCH"
#: The page's host; each frame has a host below it, so that cookies make it somebody else's device. Browsers
#: look for names below localhost on this machine and nowhere else.
HOST = "bench.localhost"


class Setting(msgspec.Struct, frozen=True):
    """A game, its number of players, and the secret of its first table."""

    game: str
    players: int
    secret: str


@cache
def setting() -> Setting:
    return msgspec.json.decode(os.environ[VARIABLE], type=Setting)


def new_secret() -> str:
    """Return a secret that nobody has seen, short enough to be typed again."""
    return secrets.token_hex(4)
