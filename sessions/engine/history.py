"""The moves of a log that stand. Rows are never changed: an undo or a rewind is a row of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

#: From any version a milestone is so many moves away at most.
SPAN = 32


@dataclass(frozen=True)
class Leg:
    """A part of the way from the deal to a version: a milestone, and the moves played on it, oldest first."""

    milestone: int
    moves: list[int]


@dataclass(frozen=True)
class History:
    """A log of ``version`` rows, and of each undo and rewind which version it brought back.

    A version is named by its newest move that stands, so ``restored`` leads to such a move, or to 0: the
    table as dealt. ``unseen`` are the moves that were taken back from under a veil.
    """

    version: int
    restored: Mapping[int, int]
    unseen: Collection[int] = ()

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

    def stands(self, number: int) -> bool:
        """True if there is a move of this number, and it stands."""
        index = bisect_right(self._gaps, number, key=lambda gap: gap.start)
        return 0 < number <= self.version and not (index and number in self._gaps[index - 1])

    def after(self, number: int) -> list[int]:
        """Return the moves that stand after move ``number``, newest first; none if it does not stand."""
        if number and not self.stands(number):
            return []
        return list(takewhile(lambda standing: standing > number, self.standing()))

    def legs(self) -> Iterator[Leg]:
        """Yield the way back from the present to the deal, newest leg first, each of ``SPAN`` moves at most.

        The first one has no moves if the present is a milestone, and the last one begins at the deal, 0.
        """
        version, moves, is_due = self.version, list[int](), False
        while True:
            if is_due or version % SPAN == 0:
                yield Leg(version, moves[::-1])
                moves = []
            if version == 0:
                return
            restored = self._named(version)
            is_due = restored != version and restored in due(version, restored)
            if restored == version:
                moves.append(version)
            version = min(restored, version - 1)

    @cached_property
    def _gaps(self) -> list[range]:
        """The numbers that do not stand: undos, rewinds, and all that they took back."""
        gaps, rows, version = list[range](), sorted(self.restored), self.version
        while index := bisect_right(rows, version):
            newest = rows[index - 1]
            version = self.restored[newest]
            gaps.append(range(version + 1, newest + 1))
        return gaps[::-1]

    def _named(self, version: int) -> int:
        return self.restored.get(version, version)


def due(number: int, restored: int) -> set[int]:
    """Return the versions at which a milestone is due when row ``number`` is written.

    These are every ``SPAN``-th version, and one that is brought back from behind such a version: the way back
    from there on leads past it.

    :param restored: the version that the row brought back; its own number for a move of the rules.
    """
    newest = number // SPAN * SPAN
    return {one for one in (number, restored) if one and (one % SPAN == 0 or one < newest)}
