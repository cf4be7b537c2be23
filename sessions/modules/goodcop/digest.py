"""The night report's part about a table, from events that everybody saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Seat

from .options import Options

#: The counts of a seat, and the event that each counts.
COUNTED = {"investigated": "investigations", "fired": "shots", "played": "equipment"}
BITES = {"bitten": "bites"}


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the last shot, who looked most and how many became zombies, and the counts by seat."""
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
    """The shooter or the card that felled a leader."""
    if not events or events[-1].kind != "ended" or events[-1].data["reason"] not in ("honest", "crooked"):
        return []
    backwards = iter(reversed(events))
    shot = next(event for event in backwards if event.kind == "shot")
    cause = next(event for event in backwards if event.kind in ("fired", "played"))
    told = {"seat": cause.data["seat"], "target": shot.data["seat"], "card": shot.data["card"]}
    return [Event("last_shot", told)]


def _sharpest(counts: dict[Seat, Counter[str]]) -> list[Event]:
    """The seat that looked at most cards; nobody when several did."""
    most = max((mine["investigations"] for mine in counts.values()), default=0)
    seats = [seat for seat, mine in counts.items() if mine["investigations"] == most]
    return [Event("sharpest", {"seat": seats[0], "count": most})] if most and len(seats) == 1 else []


def _outbreak(events: Sequence[Event]) -> list[Event]:
    """The number of players that became zombies."""
    count = sum(event.kind == "zombified" for event in events)
    return [Event("outbreak", {"count": count})] if count else []
