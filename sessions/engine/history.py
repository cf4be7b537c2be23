"""The moves of a log that stand. Rows are never changed: an undo or a rewind is a row of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class History:
    """A log of ``version`` rows, and of each undo and rewind which version it brought back.

    A version is named by its newest move that stands, so ``restored`` leads to such a move, or to 0: the
    table as dealt.
    """

    version: int
    restored: Mapping[int, int]

    @property
    def newest(self) -> int:
        """The number of the newest move that stands, 0 when none does."""
        return self._named(self.version)

    @property
    def before(self) -> int:
        """The move that stood before the newest one."""
        return self._named(self.newest - 1)

    def standing(self) -> Iterator[int]:
        """Yield the numbers of the moves that stand, newest first."""
        number = self.newest
        while number:
            yield number
            number = self._named(number - 1)

    def _named(self, version: int) -> int:
        return self.restored.get(version, version)
