"""The weight of moments, the animations after a move: the more is at stake, the longer they last."""

from __future__ import annotations

from typing import Literal

from .state import Cue

CueKind = Literal["check", "round", "hit", "rescue", "fall", "last_foe", "end"]

#: The time that a moment of each kind stays in the foreground, in milliseconds.
LASTS: dict[CueKind, int] = {
    "check": 1200,
    "round": 1200,
    "hit": 1600,
    "rescue": 2000,
    "fall": 3000,
    "last_foe": 4000,
    "end": 8000,
}


def kind_of(moment: Cue) -> CueKind:
    """Return the kind of the most important event of a moment.

    The fall of an NPC counts as a hit.
    """
    beats = {beat.kind for beat in moment.beats}
    if "ended" in beats:
        return "end"
    if "last_foe" in beats:
        return "last_foe"
    if any(beat.kind == "fell" and not beat.who.startswith("n") for beat in moment.beats):
        return "fall"
    if "rose" in beats:
        return "rescue"
    if "round" in beats:
        return "round"
    hit = moment.result is not None and moment.result.kind == "attack" and moment.result.success
    return "hit" if hit or "fell" in beats else "check"
