"""The setting of a bench. It is passed through the environment, because Django's settings need it."""

from __future__ import annotations

import os
import secrets
from functools import cache

import msgspec

VARIABLE = "TAKUJO_BENCH"
#: The page's host. Each frame has a host below it, so that it has its own cookies and is a device of its own.
#: Browsers resolve names below localhost to this machine only.
HOST = "bench.localhost"


class BenchConfig(msgspec.Struct, frozen=True):
    """A game, its number of players, and the secret of its first table."""

    game: str
    players: int
    secret: str


@cache
def setting() -> BenchConfig:
    return msgspec.json.decode(os.environ[VARIABLE], type=BenchConfig)


def new_secret() -> str:
    """Return a new random secret, short enough to be typed again."""
    return secrets.token_hex(4)
