"""The data of 24 for the designer's lab."""

from __future__ import annotations

from sessions.game import Event, Seat, Study

from .scoring import score
from .state import State


def traits(state: State) -> dict[str, dict[Seat, list[str]]]:
    """Return the detective of each seat."""
    chosen = {seat: state.players[seat].detective for seat in state.seats}
    return {"detective": {seat: [detective] for seat, detective in chosen.items() if detective}}


def standing(state: State) -> dict[Seat, float]:
    """Return the VP so far. [TF-10]"""
    return {seat: float(score(state.players[seat]).vp) for seat in state.seats}


def _great(event: Event) -> bool:
    return event.kind == "challenged" and 8 in (event.data["green"], event.data["red"])


study = Study(
    openings=("choose_detective",),
    traits=traits,
    chapter=lambda state: state.season,
    standing=standing,
    rules={
        "TF-5.2": lambda event: event.kind == "judged" and bool(event.data["hero"] or event.data["clash"]),
        "TF-5.6": _great,
        "TF-5.8": lambda event: event.kind == "challenged" and event.data["damage"] > 0,
        "TF-5.9": lambda event: event.kind == "challenged" and event.data["prevented"] > 0,
        "TF-6.4": lambda event: event.kind == "untaken" and bool(event.data["tied"]),
        "TF-7.2": lambda event: event.kind == "hurt",
        "TF-7.3": lambda event: event.kind == "killed",
        "TF-8.1": lambda event: event.kind in ("escaped", "arrested"),
        "TF-9.3": lambda event: (
            event.kind == "took" and (event.data["row"], event.data["place"]) == ("sub", 1)
        ),
    },
)
