"""The phases of a turn and how one leads to the next, with the traveller's cards and letters. [JO-3, JO-4]

Playing a card moves the pawns, and the card becomes an event (JO-3.3 to 3.5). A letter is a memory of a
location or of an adventure.
"""

from __future__ import annotations

from sessions.game import demand

from . import deck, effects
from .moves import AdventureMemory, LocationMemory, Play
from .state import (
    BLACKS,
    DAYS,
    SUITS,
    Black,
    JourneyScene,
    Phase,
    State,
    Suit,
    add_steps,
    loops,
    number_of,
    solvable,
)


def begin(scene: JourneyScene) -> None:
    """Begin a turn. [JO-3.1]"""
    state = scene.state
    state.turn += 1
    state.played = None
    scene.tell("turn_begun", turn=state.turn)
    if not _pauses(state, "draw"):
        draw(scene)


def draw(scene: JourneyScene) -> None:
    """Draw the turn's card; without one the journey is lost. [JO-3.1]"""
    if deck.draw(scene):
        scene.state.phase = "move"


def continue_after_placing(scene: JourneyScene) -> None:
    """Continue after the played card was placed. [JO-4.3]"""
    if not _pauses(scene.state, "before_events"):
        begin_events(scene)


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
        suit = effects.suit_now(state)
        if suit not in state.applied:
            state.applied.append(suit)
            if effects.begins(scene, suit):
                return
    state.acting, state.applied = None, []
    if not _pauses(state, "before_solve"):
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
    if not _pauses(state, "end"):
        end(scene)


def end(scene: JourneyScene) -> None:
    """Win, or begin the next turn. [JO-3.13]"""
    state = scene.state
    home = all(day == DAYS for day in state.pawns.values())
    if home and len(state.solved) == len(SUITS):
        scene.finish("home")
    else:
        begin(scene)


def letter_spent(scene: JourneyScene) -> None:
    """Check again which stories can be solved; leave a pause after the last letter. [JO-3.14]"""
    state = scene.state
    if state.phase == "solve":
        solve(scene)
    elif not state.letters:
        leave_pause(scene)


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


def _pauses(state: State, phase: Phase) -> bool:
    if state.letters:
        state.phase = phase
    return state.letters > 0


def play_card(scene: JourneyScene, move: Play) -> None:
    """Play a hand card.

    :raises IllegalMove: ``not_in_hand``, ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    state = scene.state
    demand(move.card in state.hand, "not_in_hand", "JO-3.3")
    number = number_of(move.card)
    steps = _card_steps(state, move, DAYS - number)
    state.hand.remove(move.card)
    state.played = move.card
    scene.tell("played", card=move.card)
    looped = loops(state.day("white"), number)
    state.pawns["white"] = add_steps(state.day("white"), number)
    scene.tell("moved", pawn="white", to=state.day("white"), by="card")
    if looped and not deck.loop(scene):
        return
    for pawn in BLACKS:
        if steps[pawn]:
            state.pawns[pawn] = add_steps(state.day(pawn), steps[pawn])
            scene.tell("moved", pawn=pawn, to=state.day(pawn), by="card")
    place_card(scene, move.card)
    continue_after_placing(scene)


def _card_steps(state: State, move: Play, total: int) -> dict[Black, int]:
    """Return how far each black pawn goes.

    :raises IllegalMove: ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    if not move.split:
        demand("map" not in state.items, "split_needed", "JO-3.3")
        return {pawn: total if pawn == move.black else 0 for pawn in BLACKS}
    demand("map" in state.items, "no_map", "JO-3.3")
    a, b = move.split.a, move.split.b
    demand(min(a, b) >= 0 and a + b == total, "wrong_steps", "JO-3.3", need=total)
    return {"a": a, "b": b}


def place_card(scene: JourneyScene, card: str) -> None:
    """Make a card the nearest event on the white pawn's day; a full day discards the outermost. [JO-3.5]"""
    state = scene.state
    day, here = state.day("white"), state.events_here()
    room = state.capacity(day)
    here.insert(0, card)
    if room:
        scene.tell("placed", card=card, day=day)
    if len(here) > room:
        fallen = here.pop()
        state.discards.append(fallen)
        scene.tell("fell", card=fallen, day=day)


def location_memory(scene: JourneyScene, move: LocationMemory) -> None:
    """Move black pawns by as many steps as there are letters. [JO-4.1]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    state = scene.state
    _spendable(state)
    steps = _letter_steps(state, move)
    demand(sum(map(abs, steps.values())) == state.letters, "wrong_steps", "JO-4.1", need=state.letters)
    for pawn in BLACKS:
        if steps[pawn]:
            state.pawns[pawn] = add_steps(state.day(pawn), steps[pawn])
            scene.tell("moved", pawn=pawn, to=state.day(pawn), by="letter")
    _spend(scene)


def adventure_memory(scene: JourneyScene, move: AdventureMemory) -> None:
    """Put a discard on top of the deck. [JO-4.2]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``not_discarded``.
    """
    state = scene.state
    _spendable(state)
    demand(move.card in state.discards, "not_discarded", "JO-4.2")
    state.discards.remove(move.card)
    deck.put_on_top(state, move.card)
    scene.tell("remembered", card=move.card)
    _spend(scene)


def _letter_steps(state: State, move: LocationMemory) -> dict[Black, int]:
    if move.split:
        demand("map" in state.items, "no_map", "JO-4.1")
        return {"a": move.split.a, "b": move.split.b}
    demand("map" not in state.items, "split_needed", "JO-4.1")
    return {pawn: move.steps or 0 if pawn == move.pawn else 0 for pawn in BLACKS}


def _spendable(state: State) -> None:
    demand(state.phase != "pack", "not_now", "JO-4.3")
    demand(state.letters, "no_letter", "JO-4.1")


def _spend(scene: JourneyScene) -> None:
    scene.state.letters -= 1
    letter_spent(scene)
