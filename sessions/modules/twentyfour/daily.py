"""The score of the game of the day, and a line of emoji that sums the game up without revealing a card."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

from .state import State

SIGNS = {"main": "🟩", "sub": "🟨"}


def daily_score(state: State, seat: Seat) -> int | None:
    """Return the VP. [TF-10.1]"""
    return state.result.vp[seat] if state.result else None


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return signs by season, one an incident: a seat took no part, took part, took a card, or was hurt."""
    seasons, season = list[str](), list[str]()
    for event in events:
        own = event.data.get("seat") == seat
        match event.kind:
            case "judged":
                season.append("⬜" if seat in event.data["powers"] else "⬛")
            case "took" if own:
                season[-1] = SIGNS[event.data["row"]]
            case "hurt" | "killed" if own:
                season[-1] = "🟥"
            case "season_ended":
                seasons.append("".join(season))
                season = []
    return " ".join(seasons)
