"""Make a state that some seats cannot tell from the true one."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .seasons import placement
from .state import NPC, Player, State, Who, has_skill, hidden_row


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle everything that none of ``seats`` sees.

    This is the pile, event cards face down, and the placements and styles of others.
    """
    _events(state, seats, fate)
    for who, player in state.players.items():
        if who not in seats:
            _actions(state, who, player, fate)
            if player.style is not None:
                player.style = sorted(card for card in player.gained if fate.roll("style", 2) == 1)


def _events(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the pile, together with the face-down event cards unless Lloyd has seen them. [TF-9.4]"""
    places = [
        (column, row)
        for place, column in enumerate(state.layout)
        for row in ("main", "sub")
        if hidden_row(state, place, row)
    ]
    if any(has_skill(state, seat, "lloyd") and not state.players[seat].out for seat in seats):
        places = []
    unknown = fate.shuffle("pile", [*state.pile, *(getattr(column, row) for column, row in places)])
    for column, row in places:
        setattr(column, row, unknown.pop())
    state.pile = unknown


def _actions(state: State, who: Who, player: Player, fate: Fate) -> None:
    """Shuffle the face-down action cards of a player; in the first placement with those in hand. [TF-4.4]"""
    if who == NPC and state.phase == "place1":
        cards = fate.shuffle("actions", [*(player.first or []), *(player.second or [])])
        player.first, player.second = cards[:5], cards[5:]
    elif state.phase == "place1" and placement(state, player):
        cards = fate.shuffle("actions", [*player.hand, *(player.first or [])])
        player.first, player.hand = cards[:5], sorted(cards[5:])
    elif player.second:
        down = fate.shuffle("actions", player.second[player.shown :])
        player.second = [*player.second[: player.shown], *down]
