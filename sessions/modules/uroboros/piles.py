"""The deck 山札, and the pile whose top is the field card 場札."""

from __future__ import annotations

from companion.cards import Card, Suit
from sessions.game import Seat

from . import telling
from .checks import Bond
from .scene import Scene
from .state import State


def can_draw(state: State) -> bool:
    """True if there is a card to draw, after a reshuffle if need be. [UC-4.9]"""
    return bool(state.deck) or len(state.pile) > 1


def top_card(scene: Scene) -> Card | None:
    """Take the top card of the deck, None when there is none at all.

    An empty deck is first reshuffled from the pile without the field card. [UC-4.9]
    """
    state = scene.state
    if not state.deck and can_draw(state):
        *rest, field_card = state.pile
        state.deck, state.pile = scene.fate.shuffle("deck", rest), [field_card]
        for check in state.secrets:
            check.lies = False
        scene.tell("reshuffled", deck_count=len(state.deck))
    return state.deck.pop(0) if state.deck else None


def lay(state: State, card: Card, suit: Suit | None = None, bond: Bond | None = None) -> None:
    """Make ``card`` the field card; ``suit`` is what a played joker stands for.

    :param bond: how a played card fits the one before.
    """
    telling.link(state, card, suit, bond)
    state.pile.append(card)
    state.field_suit = suit


def lay_under(state: State, card: Card) -> None:
    """Lay ``card`` face down under the field card, which stays the same. [UC-4.11]"""
    state.pile.insert(-1, card)


def turn_up(scene: Scene) -> bool:
    """Turn the top card of the deck onto the field; return whether there was one. [UC-4.2, 4.9]"""
    card = top_card(scene)
    if card is None:
        return False
    lay(scene.state, card)
    scene.tell("turned", card=card)
    return True


def draw_to_hand(scene: Scene, seat: Seat, count: int) -> None:
    """Draw up to ``count`` cards; everybody learns how many, only the seat learns which. [UC-4.9]"""
    cards = [card for _ in range(count) if (card := top_card(scene)) is not None]
    if cards:
        scene.state.hands[seat].cards += cards
        scene.tell("drawn", seat=seat, count=len(cards))
        scene.whisper(seat, "received", seat=seat, cards=cards)
