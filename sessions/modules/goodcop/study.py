"""The data of Good Cop Bad Cop for the designer's lab."""

from __future__ import annotations

from sessions.game import Seat, Study

from .state import State
from .teams import leader_card


def traits(state: State) -> dict[str, dict[Seat, list[str]]]:
    """Return the equipment of each seat, in hand and in front, and its leader card."""
    players = state.players
    leaders = {seat: leader_card(players[seat]) for seat in state.seats}
    return {
        "equipment": {seat: [*players[seat].hand, *players[seat].active] for seat in state.seats},
        "leader": {seat: [card.face] for seat, card in leaders.items() if card},
    }


study = Study(
    traits=traits,
    rules={
        "GC-4.2": lambda event: event.kind == "investigated",
        "GC-4.4": lambda event: event.kind == "drawn",
        "GC-4.5": lambda event: event.kind == "fired",
        "GC-4.7": lambda event: event.kind == "aimed",
        "GC-5.3": lambda event: event.kind == "wounded",
        "GC-8.8": lambda event: event.kind == "bitten",
        "GC-8.9": lambda event: event.kind == "rolled",
    },
)
