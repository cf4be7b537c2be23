"""Shares with their confidence intervals. Pure Python."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959964  # 95 %


class Proportion(NamedTuple):
    """A number of hits and the total that they are counted from."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share itself; 0 if the total is 0."""
        return self.hits / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's interval, right 95 times in 100; from 0 to 1 if the total is 0."""
        if not self.of:
            return 0.0, 1.0
        share, square = self.value, Z * Z / self.of
        middle = (share + square / 2) / (1 + square)
        half = Z * sqrt(share * (1 - share) / self.of + square / self.of / 4) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)


class Difference(NamedTuple):
    """The difference of two shares, with Newcombe's interval."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """True if the interval does not contain 0."""
        return self.low > 0 or self.high < 0


def difference(one: Proportion, other: Proportion) -> Difference:
    """Return ``one`` minus ``other``."""
    value, (low, high), (other_low, other_high) = one.value - other.value, one.bounds, other.bounds
    down = sqrt((one.value - low) ** 2 + (other_high - other.value) ** 2)
    up = sqrt((high - one.value) ** 2 + (other.value - other_low) ** 2)
    return Difference(value, value - down, value + up)
