"""A failing evening with as little in it as still fails."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.simulation.evening import Result
from tests.simulation.plan import Plan

#: So many evenings are played to shrink one.
AT_MOST = 150


def shrunk(plan: Plan, result: Result, play: Callable[[Plan], Result]) -> tuple[Plan, Result]:
    """Leave out what the same problem does not need: halves, then ever smaller parts, then single events."""
    wanted, tries = kinds_of(result), AT_MOST
    size = max(1, len(plan.events) // 2)
    while tries:
        before, start = plan, 0
        while start < len(plan.events) and tries:
            smaller = plan.with_events(plan.events[:start] + plan.events[start + size :])
            again, tries = play(smaller), tries - 1
            if kinds_of(again) & wanted:
                plan, result = smaller, again
            else:
                start += size
        if size == 1 and plan is before:
            break
        size = max(1, size // 2)
    return plan, result


def kinds_of(result: Result) -> set[str]:
    """Return the kinds of a session's problems, without the seats and numbers in them."""
    return {
        re.sub(r"\b(?:gm|late|watcher|p\d|[0-9a-f]{8})\b|[\d.]+", "…", problem) for problem in result.problems
    }
