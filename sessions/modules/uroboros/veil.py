"""The masked state after a move: new hand cards are face down while the move can be taken back."""

from __future__ import annotations

from msgspec.structs import replace

from .state import FACE_DOWN, Hand, State


def masked_state(before: State, after: State) -> State | None:
    """Return ``after`` with every card face down that the move brought to a hand; None if it brought none.

    Also return None if the move cannot be taken back because the pile was shuffled, a card of the deck was
    laid, or a secret check was decided. A latecomer's first hand is never face down.
    """
    shuffled = before.pile[0] not in after.pile
    decided = len(after.secrets) > len(before.secrets)
    if shuffled or decided or not set(before.deck).isdisjoint(after.pile):
        return None
    hands = {seat: _mask_hand(before.hands.get(seat, hand), hand) for seat, hand in after.hands.items()}
    return None if hands == after.hands else replace(after, hands=hands)


def _mask_hand(before: Hand, after: Hand) -> Hand:
    return replace(after, cards=[card if card in before.cards else FACE_DOWN for card in after.cards])
