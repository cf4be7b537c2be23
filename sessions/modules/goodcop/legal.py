"""All legal moves; for two cards, a sample. [RULES.md, Moves]"""

from __future__ import annotations

from sessions.game import Seat

from . import actions, plays
from .asking import aims, neighbours, waiting_for
from .moves import Aim, AnyMove, Discard, Keep, Pass, Shield, Skip
from .state import State


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now."""
    if seat not in waiting_for(state):
        return []
    match state.phase:
        case "action":
            acts: list[AnyMove] = [*actions.possible(state, seat)]
            return [*(acts or [Skip()]), *plays.legal(state, seat)]
        case "discard":
            return [Discard(card) for card in dict.fromkeys(state.players[seat].hand)]
        case "aim":
            keep: list[AnyMove] = [] if state.tasks else [Keep()]
            return [*(Aim(other) for other in aims(state, seat)), *keep]
        case "shield":
            return [Shield(other) for other in neighbours(state, seat)]
        case _:
            return [Pass(), *plays.legal(state, seat)]
