"""Who is here: kept in the cache, because only the display depends on it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import cache

#: Seconds without a sign of life after which a phone counts as away, and as gone.
AWAY_AFTER, GONE_AFTER = 15, 180
_REMEMBERED = 24 * 60 * 60


@dataclass(frozen=True)
class Presence:
    """``state`` is here, away, gone or absent (never seen tonight); ``since`` is in seconds of the epoch."""

    state: str
    since: int


def arrived(seat_pk: int, connection: str) -> bool:
    """Note a sign of life of a seat's page; return whether the seat's display changes by it."""
    was = state_of(cache.get(_key(seat_pk)))
    cache.set(_key(seat_pk), (connection, int(time.time()), True), _REMEMBERED)
    return was.state != "here"


def left(seat_pk: int, connection: str) -> bool:
    """Note that a page closed; a stale page's end does not mark a newer one away."""
    known = cache.get(_key(seat_pk))
    if known is None or known[0] != connection:
        return False
    cache.set(_key(seat_pk), (connection, int(time.time()), False), _REMEMBERED)
    return True


def of(seat_pks: Iterable[int]) -> dict[int, Presence]:
    """Return the presence of each seat."""
    keys = {_key(pk): pk for pk in seat_pks}
    found = cache.get_many(keys)
    return {pk: state_of(found.get(key)) for key, pk in keys.items()}


def state_of(known: tuple[str, int, bool] | None) -> Presence:
    """Return the presence that a remembered sign of life means by now."""
    if known is None:
        return Presence("absent", 0)
    _, at, is_open = known
    silent = time.time() - at
    if silent >= GONE_AFTER:
        return Presence("gone", at)
    return Presence("here" if is_open and silent < AWAY_AFTER else "away", at)


def _key(seat_pk: int) -> str:
    return f"presence.{seat_pk}"
