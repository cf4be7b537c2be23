"""The moves of a log that stand, i.e. were not taken back.

Rows are never changed: an undo or a rewind is a row of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

#: The nearest earlier checkpoint of any version is at most this many moves away.
SPAN = 32


@dataclass(frozen=True)
class Leg:
    """A part of the way from the deal to a version: a checkpoint, and the moves after it, oldest first."""

    checkpoint: int
    moves: list[int]


@dataclass(frozen=True)
class History:
    """A log of ``version`` rows.

    ``restored`` maps the row of each undo and rewind to the version that it restored. A version is named by
    its newest move that stands, so ``restored`` leads to such a move, or to 0: the table as dealt. ``unseen``
    are the moves that were taken back while screens showed the masked state.
    """

    version: int
    restored: Mapping[int, int]
    unseen: Collection[int] = ()

    @property
    def newest_number(self) -> int:
        """The number of the newest move that stands, 0 when none does."""
        return self._resolve_version(self.version)

    @property
    def before(self) -> int:
        """The move that stood before the newest one."""
        return self._resolve_version(self.newest_number - 1)

    def standing(self) -> Iterator[int]:
        """Yield the numbers of the moves that stand, newest first."""
        number = self.newest_number
        while number:
            yield number
            number = self._resolve_version(number - 1)

    def stands(self, number: int) -> bool:
        """True if the log has a move with this number and it stands."""
        index = bisect_right(self._gaps, number, key=lambda gap: gap.start)
        return 0 < number <= self.version and not (index and number in self._gaps[index - 1])

    def after(self, number: int) -> list[int]:
        """Return the moves that stand after move ``number``, newest first; none if it does not stand."""
        if number and not self.stands(number):
            return []
        return list(takewhile(lambda standing: standing > number, self.standing()))

    def legs(self) -> Iterator[Leg]:
        """Yield the way back from the newest version to the deal, newest leg first.

        A leg has at most ``SPAN`` moves. The first leg has none if the newest version is a checkpoint; the
        last one begins at the deal, 0.
        """
        version, moves, is_due = self.version, list[int](), False
        while True:
            if is_due or version % SPAN == 0:
                yield Leg(version, moves[::-1])
                moves = []
            if version == 0:
                return
            restored = self._resolve_version(version)
            is_due = restored != version and restored in checkpoints_due(version, restored)
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

    def _resolve_version(self, version: int) -> int:
        return self.restored.get(version, version)


def checkpoints_due(number: int, restored: int) -> set[int]:
    """Return the versions at which a checkpoint is due when row ``number`` is written.

    These are every ``SPAN``-th version, and a restored version that is older than the last of those: the way
    back from the row skips that checkpoint.

    :param restored: the version that the row restored; the row's own number for a move of the game.
    """
    newest = number // SPAN * SPAN
    return {one for one in (number, restored) if one and (one % SPAN == 0 or one < newest)}
