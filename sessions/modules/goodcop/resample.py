"""A random state that some seats cannot distinguish from the current one."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .moves import LEADERS, Card, Face
from .state import State

SPECIAL: set[Face] = {"agent", "kingpin", "infector"}
TRIES = 200


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal all cards again that none of ``seats`` sees.

    These are face-down cards, the cards left out, and equipment in hands and in the deck.
    """
    if state.result:
        return
    _deal_equipment(state, seats, fate)
    _deal_integrity(state, seats, fate)


def _deal_equipment(state: State, seats: Collection[Seat], fate: Fate) -> None:
    hidden = [player for seat, player in state.players.items() if seat not in seats]
    pile = fate.shuffle("equipment", [*state.deck, *(card for player in hidden for card in player.hand)])
    for player in hidden:
        player.hand, pile = pile[: len(player.hand)], pile[len(player.hand) :]
    state.deck = pile


def _deal_integrity(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the unseen faces until the deal is possible; keep the true deal if none is found."""
    unseen = [
        card
        for seat in state.seats
        for card in state.players[seat].cards
        if not card.up and not set(seats) & set(card.seen)
    ]
    faces = [card.face for card in unseen] + state.aside
    for _ in range(TRIES):
        dealt = fate.shuffle("integrity", faces)
        if _could_be(state, unseen, dealt):
            for card, face in zip(unseen, dealt, strict=False):
                card.face = face
            state.aside = dealt[len(unseen) :]
            return


def _could_be(state: State, unseen: list[Card], dealt: list[Face]) -> bool:
    """True if a deal is consistent with the game so far.

    No special card is left out, no player has two of them, and no zombie has a leader. The infector does not
    move to a card that another seat has seen, as that look would have exposed it.
    """
    new = dict(zip(map(id, unseen), dealt, strict=False))
    for player in state.players.values():
        faces = [new.get(id(card), card.face) for card in player.cards]
        if len(SPECIAL & set(faces)) > 1 or (player.zombie and LEADERS.keys() & set(faces)):
            return False
    infector = next((card for card in unseen if new[id(card)] == "infector"), None)
    moved = infector is not None and infector.face != "infector"
    return not SPECIAL & set(dealt[len(unseen) :]) and not (moved and infector and len(infector.seen) > 1)
