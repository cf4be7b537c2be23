"""The open pages of each seat, kept in the cache, because only a hint to the player depends on them.

A page in the background sends no heartbeats, so it does not count as open.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import combinations

from django.core.cache import cache

from sessions.evening.presence import Sign

#: Seconds that two pages must have been open at the same time. A reloaded page and its successor never are.
TOGETHER_FOR = 3
#: Seconds without a heartbeat after which a page counts as closed.
SILENT_AFTER = 12
#: The times of the first and the last heartbeat of each page of a seat, by its connection.
Pages = dict[str, tuple[float, float]]


def note_open_pages(signs: Sequence[Sign]) -> set[int]:
    """Note heartbeats in their order; return those of their seats that have several open pages."""
    now = time.time()
    known = cache.get_many({_pages_key(sign.seat_pk) for sign in signs})
    noted: dict[str, Pages] = {}
    for seat_pk, connection, is_open, _is_beside in signs:
        key = _pages_key(seat_pk)
        pages = noted.setdefault(key, _living(known.get(key, {}), now))
        first, _ = pages.pop(connection, (now, now))
        if is_open:
            pages[connection] = first, now
    cache.set_many(noted, SILENT_AFTER)
    return {sign.seat_pk for sign in signs if len(noted[_pages_key(sign.seat_pk)]) > 1}


def open_twice(seat_pks: Iterable[int]) -> set[int]:
    """Return those of the seats that have had two pages open together for ``TOGETHER_FOR`` seconds."""
    keys = {_pages_key(pk): pk for pk in seat_pks}
    now = time.time()
    found = {keys[key]: _living(pages, now) for key, pages in cache.get_many(keys).items()}
    return {pk for pk, pages in found.items() if _are_together(pages)}


def _living(pages: Pages, now: float) -> Pages:
    return {connection: seen for connection, seen in pages.items() if now - seen[1] < SILENT_AFTER}


def _are_together(pages: Pages) -> bool:
    """True if any two of the pages have been open together for ``TOGETHER_FOR`` seconds."""
    return any(
        min(last, other_last) - max(first, other_first) >= TOGETHER_FOR
        for (first, last), (other_first, other_last) in combinations(pages.values(), 2)
    )


def _pages_key(seat_pk: int) -> str:
    return f"open-pages.{seat_pk}"
