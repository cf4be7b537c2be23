"""A memory of what is in use."""

from __future__ import annotations

import weakref

from companion.caches import LruCache


class Thing:
    """Something that can be remembered."""


def test_an_lru_cache_keeps_the_entries_used_last() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    first = memory.setdefault(1, Thing())
    assert memory.setdefault(1, Thing()) is first
    del first
    memory.setdefault(2, Thing())
    assert memory.get(1), "used again"
    memory.setdefault(3, Thing())
    assert [bool(memory.get(key)) for key in (1, 2, 3)] == [True, False, True]


def test_an_lru_cache_keeps_entries_that_are_still_referenced() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    held = memory.setdefault(1, Thing())
    for key in range(2, 9):
        memory.setdefault(key, Thing())
    assert memory.get(1) is held


def test_a_cleared_lru_cache_is_empty() -> None:
    memory: LruCache[int, Thing] = LruCache(2)
    held, alone = memory.setdefault(1, Thing()), weakref.ref(memory.setdefault(2, Thing()))
    memory.clear()
    assert memory.get(1) is None
    assert held
    assert alone() is None
