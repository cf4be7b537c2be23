"""The first game of the journey: two turns, with the train in the second one.

The deal was found by trying: the traveller draws RED for the first turn and TRAIN for the second, and the
train copies the event on the day before.
"""

from __future__ import annotations

from sessions.game import FirstGame

from .state import Card, State, suit_of
from .view import View

RED: Card = "red-3"
TRAIN: Card = "green-1"
#: The number of turns after which the first game ends without the train, too.
TURNS = 4


def ends(state: State) -> str:
    """Return ``train`` once a green event is placed after turn 2, ``days`` after ``TURNS`` turns, else ""."""
    placed = any(suit_of(card) == "green" for card in state.placed_events())
    if placed and state.turn > 2 and state.phase == "move":
        return "train"
    return "days" if state.turn > TURNS else ""


def step(view: View) -> str:
    """Return the step: ``first`` or ``train`` for the two cards of the lesson, else the phase of the turn."""
    if view.result:
        return ""
    if view.phase != "move":
        return view.phase
    if TRAIN in view.hand and _train_can_copy(view):
        return "train"
    return "first" if RED in view.hand and view.turn == 1 else "move"


def _train_can_copy(view: View) -> bool:
    """True if the train would be placed next to an event that it can copy."""
    here = view.days[view.pawns.white - 1]
    beyond = view.days[view.pawns.white % len(view.days)]
    fits = here.day < beyond.day and beyond.capacity > 0
    return fits and bool(here.events) and suit_of(here.events[0]) != "green"


first_game = FirstGame(players=1, deal="1439", step=step, ends=ends)
