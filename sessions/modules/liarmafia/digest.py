"""The session report's part about a game of LIAR MAFIA, made from public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Seat

from .cards import BLOCKED_BY, Action, Reaction
from .options import Options

#: The counts of a seat, and the event that each counts.
COUNTED = {"declared": "claims", "doubted": "doubts"}
NAMES = (*COUNTED.values(), "found")


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the counts by seat, and as highlights the deciding event and the seat that found most lies."""
    counts: dict[Seat, Counter[str]] = {}
    doubter = ""
    for event in events:
        seat = event.data.get("seat", "")
        if event.kind == "placed":
            counts.setdefault(seat, Counter())
        elif name := COUNTED.get(event.kind):
            counts.setdefault(seat, Counter())[name] += 1
        if event.kind == "doubted":
            doubter = seat
        elif event.kind == "caught":
            counts.setdefault(doubter, Counter())["found"] += 1
    told = {seat: {name: mine[name] for name in NAMES} for seat, mine in sorted(counts.items())}
    return Digest((*_last_blow(events), *_nose(told)), told)


def _last_blow(events: Sequence[Event]) -> list[Event]:
    """Return the deciding event: a lie caught, a truth doubted, a hit or an All-out attack."""
    if not events or events[-1].kind != "won":
        return []
    winner, reason = events[-1].data["seat"], events[-1].data["reason"]
    told = {"seat": winner, "reason": reason}
    if reason not in ("boss", "two"):
        return [Event("last_blow", {**told, "how": reason})]
    backwards = list(reversed(events))
    how = next(event.kind for event in backwards if event.kind in ("caught", "shown", "paid"))
    loser = next(event.data["seat"] for event in backwards if event.kind == "left")
    claims = ("declared",) if how == "paid" else ("declared", "blocked")
    claim = next(event for event in backwards if event.kind in claims)
    return [Event("last_blow", {**told, "how": how, "other": loser, "claim": _claimed_ability(claim)})]


def _claimed_ability(claim: Event) -> Action | Reaction:
    """Return the claimed ability: an action, or the reaction that blocks it."""
    action: Action = claim.data["action"]
    return BLOCKED_BY[action] if claim.kind == "blocked" else action


def _nose(counts: dict[Seat, dict[str, int]]) -> list[Event]:
    """Return the seat that found most lies; nothing on a tie."""
    most = max((mine["found"] for mine in counts.values()), default=0)
    seats = [seat for seat, mine in counts.items() if mine["found"] == most]
    return [Event("nose", {"seat": seats[0], "count": most})] if most and len(seats) == 1 else []
