"""Caches in memory: one with a size limit, and one of values that are in use or were used recently."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(dict[K, V]):
    """A mapping that is cleared when the ``size`` of its values together exceeds ``most``; thread-safe."""

    def __init__(self, most: int, size: Callable[[V], int] = lambda value: 1) -> None:
        super().__init__()
        self.most, self._size, self._sum, self._lock = most, size, 0, Lock()

    def __setitem__(self, key: K, value: V) -> None:
        with self._lock:
            self._sum += self._size(value) - (self._size(self[key]) if key in self else 0)
            if self._sum > self.most:
                self.clear()
                self._sum = self._size(value)
            super().__setitem__(key, value)


class LruCache(Generic[K, V]):
    """A thread-safe mapping of values that are referenced elsewhere, plus the ``most`` last used ones."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._all: WeakValueDictionary[K, V] = WeakValueDictionary()
        self._last: dict[K, V] = {}
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            value = self._all.get(key)
            return None if value is None else self._use(key, value)

    def setdefault(self, key: K, value: V) -> V:
        with self._lock:
            return self._use(key, self._all.setdefault(key, value))

    def store(self, key: K, value: V) -> None:
        with self._lock:
            self._all[key] = value
            self._use(key, value)

    def clear(self) -> None:
        with self._lock:
            self._all.clear()
            self._last.clear()

    def _use(self, key: K, value: V) -> V:
        self._last.pop(key, None)
        self._last[key] = value
        if len(self._last) > self.most:
            del self._last[next(iter(self._last))]
        return value
