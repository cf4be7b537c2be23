"""The presence of seats, kept in the cache, because only the display depends on it.

Whoever shares a device that shows a page of another's seat is at the table, but has no page of their own.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.core.cache import cache

#: Seconds without a sign of life after which a phone counts as away, and as gone.
AWAY_AFTER, GONE_AFTER = 15, 180
#: Seconds after which a board says that a seat's last page has closed: about ten, with the pause between two
#: looks. A page that loads anew is back before, and another page of the same seat has given a sign.
LEFT_AFTER = 8
#: Seconds without a sign of life after which a GM is missed.
MISSED_AFTER = 60
_REMEMBERED = 24 * 60 * 60
#: The last page that gave a sign of life, when, and whether it is open.
Known = tuple[str, float, bool] | None


class Looks(NamedTuple):
    """How a seat looks by its signs of life."""

    #: As ``state_of`` returns it.
    state: str
    #: As ``silence_of`` returns it.
    missed: str
    #: True if boards say that nobody is there.
    left: bool


class Sign(NamedTuple):
    """A sign of life of a seat's page, or of one beside which its person sits; or the end of that page."""

    seat_pk: int
    connection: str
    is_open: bool = True
    #: True if the page is that of another seat, whose person shares the device.
    is_beside: bool = False


def note(signs: Sequence[Sign]) -> set[int]:
    """Note signs in their order; return the seats whose display changes by them.

    The end of a stale page does not mark a newer one away.
    """
    now, changed = time.time(), set()
    known = cache.get_many({_key(sign.seat_pk, beside=sign.is_beside) for sign in signs})
    noted = {}
    for seat_pk, connection, is_open, is_beside in signs:
        key = _key(seat_pk, beside=is_beside)
        was = known.get(key)
        if not is_open and (was is None or was[0] != connection):
            continue
        if not is_open or state_of(was) != "here":
            changed.add(seat_pk)
        known[key] = noted[key] = connection, now, is_open
    cache.set_many(noted, _REMEMBERED)
    return changed


def of(seat_pks: Iterable[int]) -> dict[int, str]:
    """Return for each seat, by its own pages: here, away, gone, or absent (not seen tonight)."""
    keys = {_key(pk): pk for pk in seat_pks}
    found = cache.get_many(keys)
    return {pk: state_of(found.get(key)) for key, pk in keys.items()}


def state_of(known: Known) -> str:
    """Return the state by now after a remembered sign of life."""
    if known is None:
        return "absent"
    _, at, is_open = known
    silent = time.time() - at
    if silent >= GONE_AFTER:
        return "gone"
    return "here" if is_open and silent < AWAY_AFTER else "away"


def looks(seat_pks: Iterable[int]) -> dict[int, Looks]:
    """Return how each seat looks by now: of its own pages and those beside it the livelier one counts."""
    keys = {pk: (_key(pk), _key(pk, beside=True)) for pk in seat_pks}
    found = cache.get_many(key for both in keys.values() for key in both)
    known = {pk: _livelier(found.get(own), found.get(beside)) for pk, (own, beside) in keys.items()}
    return {pk: Looks(state_of(sign), silence_of(sign), has_left(sign)) for pk, sign in known.items()}


def _livelier(own: Known, beside: Known) -> Known:
    return max((own, beside), key=lambda sign: (state_of(sign) == "here", sign[1] if sign else 0))


def has_left(known: Known) -> bool:
    """True if a seat's pages have been closed for a while by now, or are silent as if they were.

    A seat without any sign of life tonight has not left.
    """
    if known is None:
        return False
    _, at, is_open = known
    return time.time() - at >= (AWAY_AFTER if is_open else LEFT_AFTER)


def silence_of(known: Known) -> str:
    """Return how a seat is missed by now after a remembered sign of life.

    :return: "" while it gives signs, or if none came tonight; "silent" after a minute, "gone" after three.
    """
    silent = time.time() - known[1] if known else 0
    return "gone" if silent >= GONE_AFTER else "silent" if silent >= MISSED_AFTER else ""


def _key(seat_pk: int, *, beside: bool = False) -> str:
    return f"presence.{seat_pk}.beside" if beside else f"presence.{seat_pk}"
