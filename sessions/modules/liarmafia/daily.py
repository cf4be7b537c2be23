"""The score of the daily game, and a line of signs that shows its course and reveals no card."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

from .state import State, opponent

FOR_WINNING = 5


def daily_score(state: State, seat: Seat) -> int | None:
    """Return 5 for a win plus 1 for each own card left; for a defeat, 1 for each card that the opponent lost.

    A conceded game gives 0.
    """
    if state.result is None:
        return None
    if seat in state.result.winners:
        own = state.players[seat]
        return FOR_WINNING + len(own.hand) + sum(laid is not None for laid in own.slots)
    return 0 if state.result.reason == "concede" else len(state.players[opponent(state, seat)].removed)


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for each decisive event: an own gain, a block accepted, a card lost on either side."""
    line = ""
    for event in events:
        own = event.data.get("seat") == seat
        match event.kind:
            case "gained" | "all_out" if own:
                line += "🟩"
            case "passed" if own and event.data["blocked"]:
                line += "⬜"
            case "left":
                line += "🟥" if own else "🟦"
    return line
