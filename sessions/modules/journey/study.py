"""The data of 明日、旅に出ます for the designer's lab."""

from __future__ import annotations

from sessions.game import Event, Seat, Study

from .state import TRAVELLER, State


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
