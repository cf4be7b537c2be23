"""The deck 山札, and the cards at its top and its bottom that the traveller knows."""

from __future__ import annotations

from .state import Card, JourneyScene, State


def take(state: State) -> Card:
    """Take the top card of the deck, which must not be empty."""
    card = state.deck.pop(0)
    state.known_top = max(0, state.known_top - 1)
    state.known_bottom = min(state.known_bottom, len(state.deck))
    return card


def put_on_top(state: State, card: Card) -> None:
    """Put a card on top of the deck, where everybody knows it."""
    state.deck.insert(0, card)
    state.known_top += 1


def put_at_bottom(state: State, card: Card) -> None:
    """Put a card at the bottom of the deck, where everybody knows it."""
    state.deck.append(card)
    state.known_bottom += 1


def open_top(state: State) -> None:
    """Make the top card known if the radio is packed. [JO-3.2]"""
    if "radio" in state.items and state.deck:
        state.known_top = max(1, state.known_top)


def draw(scene: JourneyScene) -> bool:
    """Draw a card to the hand; return whether there was one. Without one the game is lost. [JO-3.1, 3.9]"""
    state = scene.state
    if not state.deck:
        scene.finish("deck")
        return False
    card = take(state)
    state.hand.append(card)
    scene.tell("drawn", card=card)
    return True


def loop(scene: JourneyScene) -> bool:
    """Take away the top card because the white pawn passed day 7; return whether there was one. [JO-3.4]"""
    state = scene.state
    if not state.deck:
        scene.finish("deck")
        return False
    if "tent" in state.items:
        seen = state.known_top > 0
        state.deck.append(take(state))
        state.known_bottom = state.known_bottom + 1 if seen else 0
        scene.tell("looped", card=None)
    else:
        card = take(state)
        state.discards.append(card)
        scene.tell("looped", card=card)
    return True
