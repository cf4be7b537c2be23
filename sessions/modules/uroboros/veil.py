"""Cards that come to a hand lie face down at first: the refill waits while the move can be taken back."""

from __future__ import annotations

from msgspec.structs import replace

from .state import FACE_DOWN, Hand, State


def veil(before: State, after: State) -> State | None:
    """Return ``after`` with every card face down that came to a hand by the move; None if none did.

    None as well where everybody saw what cannot be taken back: the pile was shuffled, a card of the deck was
    laid, or a secret check decided. A latecomer's first hand is theirs at once.
    """
    shuffled = before.pile[0] not in after.pile
    decided = len(after.secrets) > len(before.secrets)
    if shuffled or decided or not set(before.deck).isdisjoint(after.pile):
        return None
    hands = {seat: _veiled(before.hands.get(seat, hand), hand) for seat, hand in after.hands.items()}
    return None if hands == after.hands else replace(after, hands=hands)


def _veiled(before: Hand, after: Hand) -> Hand:
    return replace(after, cards=[card if card in before.cards else FACE_DOWN for card in after.cards])
