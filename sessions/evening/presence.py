"""The presence of seats and their open pages, by heartbeats in the cache: only the display depends on it.

A person who shares a device that shows another person's page is at the table, but has no page of their own:
that device sends heartbeats for them, too (``Sign.is_beside``). A page in the background sends no
heartbeats, so it does not count as open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from django.core.cache import cache

from companion import shared_time

#: Seconds without a heartbeat after which a phone counts as away, and as gone.
AWAY_AFTER, GONE_AFTER = 15, 180
#: Seconds after which boards show that a seat's last page was closed (about ten with the interval of checks).
#: A reloaded page is back before that, and any other page of the seat has sent a heartbeat.
LEFT_AFTER = 8
#: Seconds without a heartbeat after which a GM is missed.
MISSED_AFTER = 60
_REMEMBERED = 24 * 60 * 60
#: The page that sent a seat's newest heartbeat, its time, and whether that page is open.
LastSign = tuple[str, float, bool] | None
#: Seconds that two pages must have been open at the same time. A reloaded page and its successor never are.
TOGETHER_FOR = 3
#: Seconds without a heartbeat after which a page counts as closed.
SILENT_AFTER = 12
#: The times of the first and the last heartbeat of each page of a seat, by its connection.
Pages = dict[str, tuple[float, float]]


class SeatPresence(NamedTuple):
    """The presence of a seat as pages show it, calculated from its heartbeats."""

    state: str  # as ``presence_state`` returns it
    missed: str  # as ``silence_words`` returns it
    left: bool  # as ``has_left`` returns it


class Sign(NamedTuple):
    """A heartbeat for a seat, or the closing of its page (``is_open`` is False)."""

    seat_pk: int
    connection: str
    is_open: bool = True
    is_beside: bool = False  # the page is that of another seat, whose person shares the device


def note_signs(signs: Sequence[Sign]) -> set[int]:
    """Note heartbeats in their order; return the seats whose presence has changed.

    Closing an older page does not mark a seat as away that has a newer one.
    """
    now, changed = shared_time.seconds(), set()
    known = cache.get_many({_key(sign.seat_pk, beside=sign.is_beside) for sign in signs})
    noted = {}
    for seat_pk, connection, is_open, is_beside in signs:
        key = _key(seat_pk, beside=is_beside)
        was = known.get(key)
        if not is_open and (was is None or was[0] != connection):
            continue
        if not is_open or presence_state(was) != "here":
            changed.add(seat_pk)
        known[key] = noted[key] = connection, now, is_open
    cache.set_many(noted, _REMEMBERED)
    return changed


def page_states(seat_pks: Iterable[int]) -> dict[int, str]:
    """Return each seat's state by its own pages: "here", "away", "gone" or "absent" (no heartbeat yet)."""
    keys = {_key(pk): pk for pk in seat_pks}
    found = cache.get_many(keys)
    return {pk: presence_state(found.get(key)) for key, pk in keys.items()}


def presence_state(known: LastSign) -> str:
    """Return the present state of a seat with this newest heartbeat."""
    if known is None:
        return "absent"
    _, at, is_open = known
    silent = shared_time.seconds() - at
    if silent >= GONE_AFTER:
        return "gone"
    return "here" if is_open and silent < AWAY_AFTER else "away"


def seat_presences(seat_pks: Iterable[int]) -> dict[int, SeatPresence]:
    """Return each seat's presence by its own pages and those of a shared device; the livelier one counts."""
    keys = {pk: (_key(pk), _key(pk, beside=True)) for pk in seat_pks}
    found = cache.get_many(key for both in keys.values() for key in both)
    presences = {}
    for pk, (own, beside) in keys.items():
        signs = found.get(own), found.get(beside)
        sign = max(signs, key=lambda sign: (presence_state(sign) == "here", sign[1] if sign else 0))
        presences[pk] = SeatPresence(presence_state(sign), silence_words(sign), has_left(sign))
    return presences


def has_left(known: LastSign) -> bool:
    """True if a seat's pages have been closed for ``LEFT_AFTER`` seconds, or silent for ``AWAY_AFTER``.

    A seat that has not sent any heartbeat yet has not left.
    """
    if known is None:
        return False
    _, at, is_open = known
    return shared_time.seconds() - at >= (AWAY_AFTER if is_open else LEFT_AFTER)


def silence_words(known: LastSign) -> str:
    """Return how long a seat with this newest heartbeat has been silent.

    :return: "silent" after a minute, "gone" after three minutes; "" before that, or if it had no heartbeat.
    """
    silent = shared_time.seconds() - known[1] if known else 0
    return "gone" if silent >= GONE_AFTER else "silent" if silent >= MISSED_AFTER else ""


def _key(seat_pk: int, *, beside: bool = False) -> str:
    return f"presence.{seat_pk}.beside" if beside else f"presence.{seat_pk}"


def note_open_pages(signs: Sequence[Sign]) -> set[int]:
    """Note heartbeats in their order; return those of their seats that have several open pages."""
    now = shared_time.seconds()
    known = cache.get_many({_pages_key(sign.seat_pk) for sign in signs})
    noted: dict[str, Pages] = {}
    for seat_pk, connection, is_open, _is_beside in signs:
        key = _pages_key(seat_pk)
        pages = noted.setdefault(key, _open_pages(known.get(key, {}), now))
        first, _ = pages.pop(connection, (now, now))
        if is_open:
            pages[connection] = first, now
    cache.set_many(noted, SILENT_AFTER)
    return {sign.seat_pk for sign in signs if len(noted[_pages_key(sign.seat_pk)]) > 1}


def seats_open_twice(seat_pks: Iterable[int]) -> set[int]:
    """Return those of the seats that have had two pages open together for ``TOGETHER_FOR`` seconds."""
    keys = {_pages_key(pk): pk for pk in seat_pks}
    now = shared_time.seconds()
    found = {keys[key]: _open_pages(pages, now) for key, pages in cache.get_many(keys).items()}
    return {pk for pk, pages in found.items() if _are_together(pages)}


def _open_pages(pages: Pages, now: float) -> Pages:
    return {connection: seen for connection, seen in pages.items() if now - seen[1] < SILENT_AFTER}


def _are_together(pages: Pages) -> bool:
    return any(
        min(last, other_last) - max(first, other_first) >= TOGETHER_FOR
        for (first, last), (other_first, other_last) in combinations(pages.values(), 2)
    )


def _pages_key(seat_pk: int) -> str:
    return f"open-pages.{seat_pk}"
