"""The deck 山札 with the cards that the traveller knows of it, and the effects of events. [JO-3.6 to 3.11]"""

from __future__ import annotations

from itertools import combinations

from sessions.game import demand

from .moves import Blue, Green, White, Yellow
from .state import DAYS, Card, JourneyScene, State, Suit, number_of, suit_of


def draw_card(scene: JourneyScene) -> bool:
    """Draw a card to the hand; return whether there was one. Without one the game is lost. [JO-3.1, 3.9]"""
    state = scene.state
    if not state.deck:
        scene.finish("deck")
        return False
    card = _take_top(state)
    state.hand.append(card)
    scene.tell("drawn", card=card)
    return True


def take_for_loop(scene: JourneyScene) -> bool:
    """Take away the top card because the white pawn passed day 7; return whether there was one. [JO-3.4]"""
    state = scene.state
    if not state.deck:
        scene.finish("deck")
        return False
    seen = state.known_top > 0
    card = _take_top(state)
    if "tent" in state.items:
        state.deck.append(card)
        state.known_bottom = state.known_bottom + 1 if seen else 0
        scene.tell("looped", card=None)
    else:
        state.discards.append(card)
        scene.tell("looped", card=card)
    return True


def _take_top(state: State) -> Card:
    state.known_top = max(0, state.known_top - 1)
    state.known_bottom = min(state.known_bottom, len(state.deck) - 1)
    return state.deck.pop(0)


def put_on_top(state: State, card: Card) -> None:
    """Put a card on top of the deck, where everybody knows it."""
    state.deck.insert(0, card)
    state.known_top += 1


def begin_effect(scene: JourneyScene, suit: Suit) -> bool:
    """Begin an effect, copied or not; return whether the turn stops here. [JO-3.14]"""
    state, offered = scene.state, True
    match suit:
        case "yellow" if not draw_card(scene):
            return True
        case "blue":
            offered = bool(pairs(state))
        case "green":
            offered = bool(copyable(state))
        case "white":
            offered = bool(state.black_pawns_away())
    if offered:
        state.phase = suit
    return offered


def pairs(state: State) -> list[tuple[Card, Card]]:
    """Return the pairs of placed events with the same number, by day and nearest first. [JO-3.8]"""
    twos = combinations(state.placed_events(), 2)
    return [(one, other) for one, other in twos if number_of(one) == number_of(other)]


def copyable(state: State) -> list[Card]:
    """Return the neighbours of the acting green event that are not green. [JO-3.10]"""
    assert state.acting
    day, row = place_of(state, state.acting)
    places = [(day, row - 1), (day, row + 1), (day - 1, row), (day + 1, row)]
    cards = [state.days[d - 1][r] for d, r in places if 1 <= d <= DAYS and 0 <= r < len(state.days[d - 1])]
    return [card for card in cards if suit_of(card) != "green"]


def place_of(state: State, card: Card) -> tuple[int, int]:
    """Return the day of a placed event and its row, 0 next to the location card.

    :raises ValueError: it is not placed.
    """
    for day, cards in enumerate(state.days, 1):
        if card in cards:
            return day, cards.index(card)
    raise ValueError(card)


def apply_blue(scene: JourneyScene, move: Blue) -> None:
    """Let two events trade places; one that leaves the white pawn loses its effect. [JO-3.6, 3.8]"""
    state = scene.state
    if move.first is None or move.second is None:
        scene.tell("declined", suit="blue")
        return
    demand(move.first != move.second, "same_event", "JO-3.8")
    placed = state.placed_events()
    demand(move.first in placed and move.second in placed, "not_placed", "JO-3.8")
    demand(number_of(move.first) == number_of(move.second), "different_numbers", "JO-3.8")
    (day, row), (other_day, other_row) = place_of(state, move.first), place_of(state, move.second)
    state.days[day - 1][row], state.days[other_day - 1][other_row] = move.second, move.first
    here = state.events_here()
    state.to_come = [card for card in state.to_come if card in here]
    scene.tell("traded", first=move.first, second=move.second)


def apply_yellow(scene: JourneyScene, move: Yellow) -> None:
    """Put one hand card on the top or the bottom of the deck. [JO-3.9]"""
    state = scene.state
    demand(move.card in state.hand, "not_in_hand", "JO-3.9")
    state.hand.remove(move.card)
    if move.to == "top":
        put_on_top(state, move.card)
    else:
        state.deck.append(move.card)
        state.known_bottom += 1
    scene.tell("put_back", card=move.card, to=move.to)


def apply_green(scene: JourneyScene, move: Green) -> Suit | None:
    """Return the suit whose effect is copied, None when none is. [JO-3.10]"""
    if move.copy is None:
        scene.tell("declined", suit="green")
        return None
    demand(suit_of(move.copy) != "green", "green_copied", "JO-3.10")
    demand(move.copy in copyable(scene.state), "not_next_to_it", "JO-3.10")
    scene.tell("copied", card=move.copy)
    return suit_of(move.copy)


def apply_white(scene: JourneyScene, move: White) -> None:
    """Move a black pawn from elsewhere to the white pawn's location. [JO-3.11]"""
    state = scene.state
    if move.pawn is None:
        scene.tell("declined", suit="white")
        return
    demand(move.pawn in state.black_pawns_away(), "here_already", "JO-3.11")
    scene.move_pawn(move.pawn, state.pawns["white"] - state.pawns[move.pawn], by="white")
