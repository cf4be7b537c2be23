"""A memory of what is in use."""

from __future__ import annotations

import weakref

from companion.caches import LruCache


class Thing:
    """Something that can be remembered."""


def test_the_last_that_were_used_stay() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    first = memory.setdefault(1, Thing())
    assert memory.setdefault(1, Thing()) is first
    del first
    memory.setdefault(2, Thing())
    assert memory.get(1), "used again"
    memory.setdefault(3, Thing())
    assert [bool(memory.get(key)) for key in (1, 2, 3)] == [True, False, True]


def test_what_somebody_holds_on_to_stays_however_many_follow() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    held = memory.setdefault(1, Thing())
    for key in range(2, 9):
        memory.setdefault(key, Thing())
    assert memory.get(1) is held


def test_a_cleared_cache_has_nothing_left() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    held, alone = memory.setdefault(1, Thing()), weakref.ref(memory.setdefault(2, Thing()))
    memory.clear()
    assert memory.get(1) is None
    assert held
    assert alone() is None
