"""The presence of seats, kept in the cache, because only the display depends on it."""

from __future__ import annotations

import time
from collections.abc import Iterable

from django.core.cache import cache

#: Seconds without a sign of life after which a phone counts as away, and as gone.
AWAY_AFTER, GONE_AFTER = 15, 180
#: Seconds without a sign of life after which a GM is missed.
MISSED_AFTER = 60
_REMEMBERED = 24 * 60 * 60


def arrived(seat_pk: int, connection: str) -> bool:
    """Note a sign of life of a seat's page; return whether the seat's display changes by it."""
    was = state_of(cache.get(_key(seat_pk)))
    cache.set(_key(seat_pk), (connection, time.time(), True), _REMEMBERED)
    return was != "here"


def left(seat_pk: int, connection: str) -> bool:
    """Note that a page closed; the end of a stale page does not mark a newer one away."""
    known = cache.get(_key(seat_pk))
    if known is None or known[0] != connection:
        return False
    cache.set(_key(seat_pk), (connection, time.time(), False), _REMEMBERED)
    return True


def of(seat_pks: Iterable[int]) -> dict[int, str]:
    """Return for each seat: here, away, gone, or absent (not seen tonight)."""
    keys = {_key(pk): pk for pk in seat_pks}
    found = cache.get_many(keys)
    return {pk: state_of(found.get(key)) for key, pk in keys.items()}


def state_of(known: tuple[str, float, bool] | None) -> str:
    """Return the state by now after a remembered sign of life."""
    if known is None:
        return "absent"
    _, at, is_open = known
    silent = time.time() - at
    if silent >= GONE_AFTER:
        return "gone"
    return "here" if is_open and silent < AWAY_AFTER else "away"


def missed(seat_pk: int) -> str:
    """Return "" while a seat's page gives signs of life, "silent" after a minute, "gone" after three.

    A seat without any sign of life tonight is not missed.
    """
    known = cache.get(_key(seat_pk))
    silent = time.time() - known[1] if known else 0
    return "gone" if silent >= GONE_AFTER else "silent" if silent >= MISSED_AFTER else ""


def _key(seat_pk: int) -> str:
    return f"presence.{seat_pk}"
