"""The texts and numbers about a journey: session report, statistics, daily game, designer's lab.

The digest is the part of a session's report about a journey. Marks are its notable facts for the overview of
many games. The line of signs shows how many stories were solved in each week, not which stories. The study is
the data for the lab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sessions.game import Digest, Event, Mark, Seat, Study

from .state import SUITS, TRAVELLER, Options, State
from .view import View

#: The rank of a lost journey starts here, above that of any journey that came home.
LOST = 1_000
#: The signs of a week in which no, one, or more stories were solved.
SIGNS = ("⬜", "🟨", "🟩")


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
    highlights = _in_a_row(told)
    if told:
        suits = [suit for suit, _ in told]
        every = len(suits) == len(SUITS)
        highlights.insert(0, Event("told", {"suits": suits, "all": every, "turns": turn}))
    if counts["looped"]:
        highlights.append(Event("loops", {"count": counts["looped"]}))
    shown = {"turns": turn, "stories": len(told), "loops": counts["looped"]}
    return Digest(tuple(highlights), {TRAVELLER: shown})


def _in_a_row(told: list[tuple[str, int]]) -> list[Event]:
    """Return the longest run of stories in consecutive turns, if it is longer than one."""
    longest, run = 1, 1
    for (_, before), (_, now) in pairwise(told):
        run = run + 1 if now == before + 1 else 1
        longest = max(longest, run)
    return [Event("in_a_row", {"count": longest})] if longest > 1 else []


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a mark for a bad journey: few points or, if the deck ran out, few stories rank high. [JO-5]"""
    if view.reason == "home" and view.score:
        points = view.score.total
        return [Mark(Event("worst", {"seat": TRAVELLER, "points": points}), rank=-points)]
    if view.reason == "deck":
        told = sum(view.stories.values())
        return [Mark(Event("worst", {"seat": TRAVELLER, "stories": told}), rank=LOST + len(SUITS) - told)]
    return []


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for each week; a loop of the white pawn ends a week."""
    line, told = "", 0
    for event in events:
        if event.kind == "solved":
            told += 1
        elif event.kind in ("looped", "ended"):
            line, told = line + SIGNS[min(told, 2)], 0
    return line


def traits(state: State) -> dict[str, dict[Seat, list[str]]]:
    """Return the items taken along. [JO-1.6]"""
    return {"item": {TRAVELLER: [*state.items]}}


def standing(state: State) -> dict[Seat, float]:
    """Return the number of stories solved. [JO-3.12]"""
    return {TRAVELLER: float(len(state.solved))}


def _moved_by(cause: str, event: Event) -> bool:
    return event.kind == "moved" and event.data["by"] == cause


study = Study(
    openings=("pack",),
    traits=traits,
    chapter=lambda state: max(1, state.turn),
    standing=standing,
    rules={
        "JO-3.4": lambda event: event.kind == "looped",
        "JO-3.5": lambda event: event.kind == "fell",
        "JO-3.7": lambda event: _moved_by("red", event),
        "JO-3.8": lambda event: event.kind == "traded",
        "JO-3.9": lambda event: event.kind == "put_back",
        "JO-3.10": lambda event: event.kind == "copied",
        "JO-3.11": lambda event: _moved_by("white", event),
        "JO-3.12": lambda event: event.kind == "solved",
        "JO-4.1": lambda event: _moved_by("letter", event),
        "JO-4.2": lambda event: event.kind == "remembered",
    },
)
