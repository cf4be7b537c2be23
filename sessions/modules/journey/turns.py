"""The phases of a turn and how one leads to the next, with the traveller's cards and letters. [JO-3, JO-4]

Playing a card moves the pawns, and the card becomes an event (JO-3.3 to 3.5). A letter is a memory of a
location or of an adventure.
"""

from __future__ import annotations

from typing import Literal

from sessions.game import demand

from . import effects
from .moves import AdventureMemory, LocationMemory, Play
from .state import (
    BLACKS,
    DAYS,
    SUITS,
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
    if not _pause(state, "draw"):
        draw(scene)


def draw(scene: JourneyScene) -> None:
    """Draw the turn's card; without one the journey is lost. [JO-3.1]"""
    if effects.draw_card(scene):
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
            if effects.begin_effect(scene, suit):
                return
    state.acting, state.applied = None, []
    if not _pause(state, "before_solve"):
        solve(scene)


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
    if not _pause(state, "end"):
        end(scene)


def end(scene: JourneyScene) -> None:
    """Win, or begin the next turn. [JO-3.13]"""
    state = scene.state
    home = all(day == DAYS for day in state.pawns.values())
    if home and len(state.solved) == len(SUITS):
        scene.finish("home")
    else:
        begin(scene)


def leave_pause(scene: JourneyScene) -> None:
    """Continue from a pause with the phase after it; do nothing if there is no pause. [JO-4.3]"""
    match scene.state.phase:
        case "draw":
            draw(scene)
        case "before_events":
            begin_events(scene)
        case "before_solve":
            solve(scene)
        case "end":
            end(scene)


def _pause(state: State, phase: Phase) -> bool:
    """Pause before this phase while letters can be spent; return whether they can. [JO-4.3]"""
    if state.letters:
        state.phase = phase
    return state.letters > 0


def play_card(scene: JourneyScene, move: Play) -> None:
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
    if looped and not effects.take_for_loop(scene):
        return
    _move_blacks(scene, steps, by="card")
    _place_card(scene, move.card)
    if not _pause(state, "before_events"):
        begin_events(scene)


def _card_steps(state: State, move: Play, total: int) -> tuple[int, int]:
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


def location_memory(scene: JourneyScene, move: LocationMemory) -> None:
    """Move black pawns by as many steps as there are letters. [JO-4.1]"""
    state, steps = scene.state, move.black_steps
    _demand_letter(state)
    demand(not move.split or "map" in state.items, "no_map", "JO-4.1")
    demand(move.split or "map" not in state.items, "split_needed", "JO-4.1")
    demand(sum(map(abs, steps)) == state.letters, "wrong_steps", "JO-4.1", need=state.letters)
    _move_blacks(scene, steps, by="letter")
    _spend_letter(scene)


def adventure_memory(scene: JourneyScene, move: AdventureMemory) -> None:
    """Put a discard on top of the deck. [JO-4.2]"""
    state = scene.state
    _demand_letter(state)
    demand(move.card in state.discards, "not_discarded", "JO-4.2")
    state.discards.remove(move.card)
    effects.put_on_top(state, move.card)
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
