"""The effects of events: when an effect waits for the traveller, and its changes. [JO-3.6 to 3.11]"""

from __future__ import annotations

from itertools import combinations

from sessions.game import demand

from . import deck
from .moves import Blue, Green, Red, White, Yellow
from .state import DAYS, Card, JourneyScene, State, Suit, add_steps, number_of, suit_of


def suit_now(state: State) -> Suit:
    """Return the suit of the acting event."""
    assert state.acting
    return suit_of(state.acting)


def begins(scene: JourneyScene, suit: Suit) -> bool:
    """Begin an effect, copied or not; return whether the turn stops here. [JO-3.14]"""
    state = scene.state
    if suit == "yellow":
        if not deck.draw(scene):
            return True
    elif not (suit == "red" or _offers(state, suit)):
        return False
    state.phase = suit
    return True


def _offers(state: State, suit: Suit) -> bool:
    match suit:
        case "blue":
            return bool(pairs(state))
        case "green":
            return bool(copyable(state))
        case _:
            return bool(state.black_pawns_away())


def pairs(state: State) -> list[tuple[Card, Card]]:
    """Return the pairs of placed events with the same number, by day and nearest first. [JO-3.8]"""
    placed = [card for day in state.days for card in day]
    return [(one, other) for one, other in combinations(placed, 2) if number_of(one) == number_of(other)]


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


def apply_red(scene: JourneyScene, move: Red) -> None:
    """Move one black pawn one location. [JO-3.7]"""
    state = scene.state
    state.pawns[move.pawn] = add_steps(state.day(move.pawn), move.step)
    scene.tell("moved", pawn=move.pawn, to=state.day(move.pawn), by="red")


def apply_blue(scene: JourneyScene, move: Blue) -> None:
    """Let two events trade places; one that leaves the white pawn's location loses its effect. [JO-3.6, 3.8]

    :raises IllegalMove: ``same_event``, ``not_placed``, ``different_numbers``.
    """
    state = scene.state
    if move.first is None or move.second is None:
        scene.tell("declined", suit="blue")
        return
    demand(move.first != move.second, "same_event", "JO-3.8")
    placed = [card for day in state.days for card in day]
    demand(move.first in placed and move.second in placed, "not_placed", "JO-3.8")
    demand(number_of(move.first) == number_of(move.second), "different_numbers", "JO-3.8")
    (day, row), (other_day, other_row) = place_of(state, move.first), place_of(state, move.second)
    state.days[day - 1][row], state.days[other_day - 1][other_row] = move.second, move.first
    here = state.events_here()
    state.to_come = [card for card in state.to_come if card in here]
    scene.tell("traded", first=move.first, second=move.second)


def apply_yellow(scene: JourneyScene, move: Yellow) -> None:
    """Put one hand card on the top or the bottom of the deck. [JO-3.9]

    :raises IllegalMove: ``not_in_hand``.
    """
    state = scene.state
    demand(move.card in state.hand, "not_in_hand", "JO-3.9")
    state.hand.remove(move.card)
    if move.to == "top":
        deck.put_on_top(state, move.card)
    else:
        deck.put_at_bottom(state, move.card)
    scene.tell("put_back", card=move.card, to=move.to)


def apply_green(scene: JourneyScene, move: Green) -> Suit | None:
    """Return the suit whose effect is copied, None when none is. [JO-3.10]

    :raises IllegalMove: ``green_copied``, ``not_next_to_it``.
    """
    if move.copy is None:
        scene.tell("declined", suit="green")
        return None
    demand(suit_of(move.copy) != "green", "green_copied", "JO-3.10")
    demand(move.copy in copyable(scene.state), "not_next_to_it", "JO-3.10")
    scene.tell("copied", card=move.copy)
    return suit_of(move.copy)


def apply_white(scene: JourneyScene, move: White) -> None:
    """Move a black pawn from elsewhere to the white pawn's location. [JO-3.11]

    :raises IllegalMove: ``here_already``.
    """
    state = scene.state
    if move.pawn is None:
        scene.tell("declined", suit="white")
        return
    demand(move.pawn in state.black_pawns_away(), "here_already", "JO-3.11")
    state.pawns[move.pawn] = state.day("white")
    scene.tell("moved", pawn=move.pawn, to=state.day("white"), by="white")
