"""A table's part of the session report, made from public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Seat

from .options import Options

#: The counts of a seat, and the event that each counts.
COUNTED = {"investigated": "investigations", "fired": "shots", "played": "equipment"}
BITES = {"bitten": "bites"}


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the counts by seat, and as highlights the last shot, the top investigator and new zombies."""
    names = COUNTED | BITES if options.zombies else COUNTED
    counts: dict[Seat, Counter[str]] = {}
    for event in events:
        if event.kind == "begun":
            counts.setdefault(event.data["seat"], Counter())
        if event.kind in names:
            counts.setdefault(event.data["seat"], Counter())[names[event.kind]] += 1
    highlights = [*_last_shot(events), *_sharpest(counts), *_outbreak(events)]
    return Digest(
        tuple(highlights),
        {seat: {name: mine[name] for name in names.values()} for seat, mine in sorted(counts.items())},
    )


def _last_shot(events: Sequence[Event]) -> list[Event]:
    """Return the shot or the card that eliminated a leader, if that ended the game."""
    if not events or events[-1].kind != "ended" or events[-1].data["reason"] not in ("honest", "crooked"):
        return []
    backwards = iter(reversed(events))
    shot = next(event for event in backwards if event.kind == "shot")
    cause = next(event for event in backwards if event.kind in ("fired", "played"))
    told = {"seat": cause.data["seat"], "target": shot.data["seat"], "card": shot.data["card"]}
    return [Event("last_shot", told)]


def _sharpest(counts: dict[Seat, Counter[str]]) -> list[Event]:
    """Return the seat that investigated most cards; nothing on a tie."""
    most = max((mine["investigations"] for mine in counts.values()), default=0)
    seats = [seat for seat, mine in counts.items() if mine["investigations"] == most]
    return [Event("sharpest", {"seat": seats[0], "count": most})] if most and len(seats) == 1 else []


def _outbreak(events: Sequence[Event]) -> list[Event]:
    """Return how often a player became a zombie, if it happened at all."""
    count = sum(event.kind == "zombified" for event in events)
    return [Event("outbreak", {"count": count})] if count else []
