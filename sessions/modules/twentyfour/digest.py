"""The part of the session report about a game of 24, from public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Seat

from .cards import SIDES
from .options import Options
from .state import NPC


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the best throw, the arrests of masterminds, the detectives killed on duty, and the counts."""
    ours = [event for event in events if event.data.get("seat") not in (None, NPC)]
    highlights = [*_best_throw(ours), *_arrests(ours), *_deaths_on_duty(ours)]
    return Digest(tuple(highlights), _counts(ours, events))


def _best_throw(events: Sequence[Event]) -> list[Event]:
    """Return the challenge that gave most power; of equals the highest incident number, then the first."""
    thrown = [event for event in events if event.kind == "challenged" and event.data["bonus"]]
    if not thrown:
        return []
    best = max(thrown, key=lambda event: (event.data["bonus"], event.data["incident"])).data
    return [Event("best_throw", {name: best[name] for name in ("seat", "incident", "green", "red", "bonus")})]


def _arrests(events: Sequence[Event]) -> list[Event]:
    """Return the seats with the number of masterminds that they arrested, most first. [TF-8.1]"""
    arrests = Counter(event.data["seat"] for event in events if event.kind == "arrested")
    return [Event("masterminds", {"seat": seat, "count": count}) for seat, count in arrests.most_common()]


def _deaths_on_duty(events: Sequence[Event]) -> list[Event]:
    """Return the detectives killed on duty, with the VP for it. [TF-7.3]"""
    return [
        Event("fell", {name: event.data[name] for name in ("seat", "incident", "vp")})
        for event in events
        if event.kind == "honoured"
    ]


def _counts(events: Sequence[Event], everything: Sequence[Event]) -> dict[Seat, dict[str, int]]:
    """Return cards taken, challenges, great successes and damage by seat; VP if the game has ended."""
    counts: dict[Seat, Counter[str]] = {}
    for event in events:
        mine, data = counts.setdefault(event.data["seat"], Counter()), event.data
        if event.kind == "took":
            mine["taken"] += 1
        elif event.kind == "challenged":
            mine["challenges"] += 1
            mine["great"] += [data["green"], data["red"]].count(SIDES)
            mine["damage"] += data["damage"]
    results = [event.data["vp"] for event in everything if event.kind == "ended"]
    names = ["taken", "challenges", "great", "damage", *(["vp"] if results else [])]
    for result in results:
        for seat, vp in result.items():
            counts.setdefault(seat, Counter())["vp"] = vp
    return {seat: {name: mine[name] for name in names} for seat, mine in sorted(counts.items())}
