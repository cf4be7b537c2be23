"""The phases of a turn, and how one leads to the next. [JO-3]"""

from __future__ import annotations

from . import deck, effects
from .components import DAYS, SUITS, Suit
from .scene import JourneyScene
from .solving import solvable
from .state import Phase, State


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
