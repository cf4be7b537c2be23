"""A cache with a size limit, for values that can be recomputed at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(dict[K, V]):
    """A mapping that is cleared when the total size of its values exceeds ``most``.

    :param size: returns the size of a value; by default every value counts one.
    """

    def __init__(self, most: int, size: Callable[[V], int] = lambda value: 1) -> None:
        super().__init__()
        self.most, self._size, self._sum = most, size, 0

    def __setitem__(self, key: K, value: V) -> None:
        self._sum += self._size(value) - (self._size(self[key]) if key in self else 0)
        if self._sum > self.most:
            self.clear()
            self._sum = self._size(value)
        super().__setitem__(key, value)
