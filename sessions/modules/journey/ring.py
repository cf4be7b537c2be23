"""The seven days as a ring: past day 7 comes day 1."""

from __future__ import annotations

from .components import DAYS


def add_steps(day: int, steps: int) -> int:
    """Return the day after this number of steps; negative steps go back. [JO-3.4, 3.7, 4.1]"""
    return (day - 1 + steps) % DAYS + 1


def loops(day: int, steps: int) -> bool:
    """True if going forward leaves day 7; stopping there is no loop. [JO-3.4]"""
    return day + steps > DAYS
