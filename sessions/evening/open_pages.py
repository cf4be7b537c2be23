"""The pages of a seat that are open side by side, kept in the cache, because only a hint depends on it.

A page in the background gives no signs of life, and so is not open here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import combinations

from django.core.cache import cache

from sessions.evening.presence import Sign

#: Seconds that two pages must have lived side by side. A page that is reloaded and its successor never do.
TOGETHER_FOR = 3
#: Seconds without a sign of life after which a page counts as closed.
SILENT_AFTER = 12
#: The first and the last sign of life of each page of a seat, by its connection.
Pages = dict[str, tuple[float, float]]


def note(signs: Sequence[Sign]) -> set[int]:
    """Note signs of life in their order; return those of their seats of which several pages live."""
    now = time.time()
    known = cache.get_many({_key(sign.seat_pk) for sign in signs})
    noted: dict[str, Pages] = {}
    for seat_pk, connection, is_open, _is_beside in signs:
        key = _key(seat_pk)
        pages = noted.setdefault(key, _living(known.get(key, {}), now))
        first, _ = pages.pop(connection, (now, now))
        if is_open:
            pages[connection] = first, now
    cache.set_many(noted, SILENT_AFTER)
    return {sign.seat_pk for sign in signs if len(noted[_key(sign.seat_pk)]) > 1}


def open_twice(seat_pks: Iterable[int]) -> set[int]:
    """Return those of the seats of which two pages live side by side."""
    keys = {_key(pk): pk for pk in seat_pks}
    now = time.time()
    found = {keys[key]: _living(pages, now) for key, pages in cache.get_many(keys).items()}
    return {pk for pk, pages in found.items() if _are_together(pages)}


def _living(pages: Pages, now: float) -> Pages:
    return {connection: seen for connection, seen in pages.items() if now - seen[1] < SILENT_AFTER}


def _are_together(pages: Pages) -> bool:
    """True if some two pages have both given signs of life for some seconds since the later of them came."""
    return any(
        min(last, other_last) - max(first, other_first) >= TOGETHER_FOR
        for (first, last), (other_first, other_last) in combinations(pages.values(), 2)
    )


def _key(seat_pk: int) -> str:
    return f"open-pages.{seat_pk}"
