"""A turn: its phases and how one leads to the next, the deck 山札, and the effects of events. [JO-3, JO-4]

Playing a card moves the pawns, and the card becomes an event (JO-3.3 to 3.5). A letter is a memory of a
location or of an adventure. The state knows which cards of the deck the traveller knows.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Literal

from sessions.game import demand

from . import moves
from .state import (
    BLACKS,
    DAYS,
    SUITS,
    Card,
    JourneyScene,
    Phase,
    State,
    Suit,
    loops,
    number_of,
    solvable,
    suit_of,
)


def begin(scene: JourneyScene) -> None:
    """Begin a turn. [JO-3.1]"""
    state = scene.state
    state.turn += 1
    state.played = None
    scene.tell("turn_begun", turn=state.turn)
    _enter(scene, "draw")


def draw(scene: JourneyScene) -> None:
    """Draw the turn's card; without one the journey is lost. [JO-3.1]"""
    if draw_card(scene):
        scene.state.phase = "move"


def begin_events(scene: JourneyScene) -> None:
    """Fix the list of events to apply and begin with the nearest. [JO-3.6]"""
    state = scene.state
    state.to_come, state.applied = list(state.events_here()), []
    next_effect(scene)


def next_effect(scene: JourneyScene) -> None:
    """Apply the effects that are still to come until one waits for the traveller. [JO-3.6, 3.14]"""
    state = scene.state
    while state.to_come:
        state.acting = state.to_come.pop(0)
        suit = suit_of(state.acting)
        if suit not in state.applied:
            state.applied.append(suit)
            if begin_effect(scene, suit):
                return
    state.acting, state.applied = None, []
    _enter(scene, "before_solve")


def solve(scene: JourneyScene) -> None:
    """Solve the only story there is to solve, or let the traveller choose. [JO-3.12, 3.14]"""
    suits = solvable(scene.state)
    if len(suits) > 1:
        scene.state.phase = "solve"
    else:
        finish_solving(scene, suits[0] if suits else None)


def finish_solving(scene: JourneyScene, suit: Suit | None) -> None:
    """Take the letter of a solved story, if there is one, and continue with the end of the turn. [JO-3.12]"""
    state = scene.state
    if suit:
        state.solved.append(suit)
        state.letters += 1
        scene.tell("solved", suit=suit, letters=state.letters)
    _enter(scene, "end")


def end(scene: JourneyScene) -> None:
    """Win, or begin the next turn. [JO-3.13]"""
    state = scene.state
    home = all(day == DAYS for day in state.pawns.values())
    if home and len(state.solved) == len(SUITS):
        scene.finish("home")
    else:
        begin(scene)


#: The phases before which the traveller can spend letters, and the functions that carry them out. [JO-4.3]
AFTER_PAUSE: dict[Phase, Callable[[JourneyScene], None]] = {
    "draw": draw,
    "before_events": begin_events,
    "before_solve": solve,
    "end": end,
}


def _enter(scene: JourneyScene, phase: Phase) -> None:
    """Carry out a phase, or pause before it while letters can be spent. [JO-4.3]"""
    scene.state.phase = phase
    if not scene.state.letters:
        leave_pause(scene)


def leave_pause(scene: JourneyScene) -> None:
    """Continue from a pause with the phase after it; do nothing if there is no pause. [JO-4.3]"""
    if carry_out := AFTER_PAUSE.get(scene.state.phase):
        carry_out(scene)


def play_card(scene: JourneyScene, move: moves.Play) -> None:
    """Play a hand card."""
    state = scene.state
    demand(move.card in state.hand, "not_in_hand", "JO-3.3")
    number = number_of(move.card)
    steps = _card_steps(state, move, DAYS - number)
    state.hand.remove(move.card)
    state.played = move.card
    scene.tell("played", card=move.card)
    looped = loops(state.pawns["white"], number)
    scene.move_pawn("white", number, by="card")
    if looped and not take_for_loop(scene):
        return
    _move_blacks(scene, steps, by="card")
    _place_card(scene, move.card)
    _enter(scene, "before_events")


def _card_steps(state: State, move: moves.Play, total: int) -> tuple[int, int]:
    """Return how far the black pawns go."""
    if not move.split:
        demand("map" not in state.items, "split_needed", "JO-3.3")
        return (total, 0) if move.black == "a" else (0, total)
    demand("map" in state.items, "no_map", "JO-3.3")
    a, b = move.split.a, move.split.b
    demand(min(a, b) >= 0 and a + b == total, "wrong_steps", "JO-3.3", need=total)
    return a, b


def _move_blacks(scene: JourneyScene, steps: tuple[int, int], by: Literal["card", "letter"]) -> None:
    for pawn, count in zip(BLACKS, steps, strict=True):
        if count:
            scene.move_pawn(pawn, count, by)


def _place_card(scene: JourneyScene, card: str) -> None:
    """Make a card the nearest event on the white pawn's day; a full day discards the outermost. [JO-3.5]"""
    state = scene.state
    day, here = state.pawns["white"], state.events_here()
    room = state.capacity(day)
    here.insert(0, card)
    if room:
        scene.tell("placed", card=card, day=day)
    if len(here) > room:
        fallen = here.pop()
        state.discards.append(fallen)
        scene.tell("fell", card=fallen, day=day)


def location_memory(scene: JourneyScene, move: moves.LocationMemory) -> None:
    """Move black pawns by as many steps as there are letters. [JO-4.1]"""
    state, steps = scene.state, move.black_steps
    _demand_letter(state)
    demand(not move.split or "map" in state.items, "no_map", "JO-4.1")
    demand(move.split or "map" not in state.items, "split_needed", "JO-4.1")
    demand(sum(map(abs, steps)) == state.letters, "wrong_steps", "JO-4.1", need=state.letters)
    _move_blacks(scene, steps, by="letter")
    _spend_letter(scene)


def adventure_memory(scene: JourneyScene, move: moves.AdventureMemory) -> None:
    """Put a discard on top of the deck. [JO-4.2]"""
    state = scene.state
    _demand_letter(state)
    demand(move.card in state.discards, "not_discarded", "JO-4.2")
    state.discards.remove(move.card)
    put_on_top(state, move.card)
    scene.tell("remembered", card=move.card)
    _spend_letter(scene)


def _demand_letter(state: State) -> None:
    demand(state.phase != "pack", "not_now", "JO-4.3")
    demand(state.letters, "no_letter", "JO-4.1")


def _spend_letter(scene: JourneyScene) -> None:
    """Check again which stories can be solved; leave a pause after the last letter. [JO-3.14]"""
    state = scene.state
    state.letters -= 1
    if state.phase == "solve":
        solve(scene)
    elif not state.letters:
        leave_pause(scene)


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


def apply_blue(scene: JourneyScene, move: moves.Blue) -> None:
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


def apply_yellow(scene: JourneyScene, move: moves.Yellow) -> None:
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


def apply_green(scene: JourneyScene, move: moves.Green) -> Suit | None:
    """Return the suit whose effect is copied, None when none is. [JO-3.10]"""
    if move.copy is None:
        scene.tell("declined", suit="green")
        return None
    demand(suit_of(move.copy) != "green", "green_copied", "JO-3.10")
    demand(move.copy in copyable(scene.state), "not_next_to_it", "JO-3.10")
    scene.tell("copied", card=move.copy)
    return suit_of(move.copy)


def apply_white(scene: JourneyScene, move: moves.White) -> None:
    """Move a black pawn from elsewhere to the white pawn's location. [JO-3.11]"""
    state = scene.state
    if move.pawn is None:
        scene.tell("declined", suit="white")
        return
    demand(move.pawn in state.black_pawns_away(), "here_already", "JO-3.11")
    scene.move_pawn(move.pawn, state.pawns["white"] - state.pawns[move.pawn], by="white")
