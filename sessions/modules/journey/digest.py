"""The part of a session's report about a journey."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sessions.game import Digest, Event

from .components import SUITS
from .options import Options
from .state import TRAVELLER


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the highlights (solved stories, their longest run, loops) and the counts of a journey."""
    turn, told = 0, list[tuple[str, int]]()
    counts = Counter[str]()
    for event in events:
        counts[event.kind] += 1
        if event.kind == "turn_begun":
            turn = event.data["turn"]
        elif event.kind == "solved":
            told.append((event.data["suit"], turn))
    highlights = [*_solved_stories(told, turn), *_in_a_row(told), *_loops(counts["looped"])]
    shown = {"turns": turn, "stories": len(told), "loops": counts["looped"]}
    return Digest(tuple(highlights), {TRAVELLER: shown})


def _solved_stories(told: list[tuple[str, int]], turns: int) -> list[Event]:
    if not told:
        return []
    suits = [suit for suit, _ in told]
    return [Event("told", {"suits": suits, "all": len(suits) == len(SUITS), "turns": turns})]


def _in_a_row(told: list[tuple[str, int]]) -> list[Event]:
    """Return the longest run of stories in consecutive turns, if it is longer than one."""
    longest, run = 1, 1
    for (_, before), (_, now) in pairwise(told):
        run = run + 1 if now == before + 1 else 1
        longest = max(longest, run)
    return [Event("in_a_row", {"count": longest})] if longest > 1 else []


def _loops(count: int) -> list[Event]:
    return [Event("loops", {"count": count})] if count else []
