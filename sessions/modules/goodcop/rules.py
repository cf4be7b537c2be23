"""The entry point for moves: each is checked against the phase and passed to the module that applies it."""

from __future__ import annotations

from typing import Any

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat, demand, kind_of

from . import actions, plays
from .asking import aims, in_window, neighbours, task, waiting_for
from .flow import AFTER_WINDOW, go_on
from .moves import (
    Action,
    Aim,
    AnyMove,
    Bite,
    Discard,
    Keep,
    Pass,
    Play,
    Shield,
    Shoot,
    Skip,
)
from .refusing import demand_living_other
from .scene import GoodCopScene
from .shots import aim
from .state import State


def outcome(state: State) -> Outcome | None:
    """Return the winners and the reason: ``honest``, ``crooked``, ``zombie`` or ``alone``. [GC-9.1]"""
    return state.result


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events.

    :raises IllegalMove: see the table of refusals in RULES.md.
    """
    scene = GoodCopScene(state, fate)
    if isinstance(move, Play):
        plays.check_fields(move)
    demand(seat in waiting_for(state), "not_asked", "GC-6.2" if in_window(state) else "GC-4.1")
    _answer(scene, seat, move)
    if not state.asked:  # no seat has to answer in an open window
        go_on(scene)
    return scene.events


def _answer(scene: GoodCopScene, seat: Seat, move: AnyMove) -> None:
    """Carry out the move of a seat that is asked."""
    state = scene.state
    match state.phase, move:
        case (("action" | "reaction" | "dice" | "end_reaction"), Play()):
            plays.play(scene, seat, move)
        case "action", Skip():
            demand(not actions.possible(state, seat), "action_possible", "GC-4.8")
            scene.tell("skipped", seat=seat)
            state.then = "turn_end"
        case "action", action if isinstance(action, Action):
            _declare(scene, seat, action)
        case (("reaction" | "dice" | "end_reaction"), Pass()):
            _pass(scene, seat)
        case "discard", Discard():
            _discard(scene, seat, move)
        case "aim", Aim(target):
            _aim(scene, seat, target)
        case "aim", Keep():
            demand(not state.tasks, "must_aim_anew", "GC-4.4")
            scene.tell("kept", seat=seat, target=state.players[seat].aim)
            state.then = "infection"
        case "shield", Shield(target):
            _shield(scene, seat, target)
        case _:
            raise IllegalMove("not_now", rule="GC-6.2" if in_window(state) else "GC-4.1")


def _declare(scene: GoodCopScene, seat: Seat, action: Action) -> None:
    """Declare an action; all players may react before it resolves. [GC-4.1, GC-6.2]"""
    state = scene.state
    actions.check(state, seat, action)
    state.declared, state.then = action, "reaction"
    if isinstance(action, Shoot | Bite):
        state.target = state.players[seat].aim
    scene.tell("declared", seat=seat, **_declared_data(action, state.target))


def _declared_data(action: Action, aimed: Seat | None) -> dict[str, Any]:
    """Return the data of a ``declared`` event."""
    target = getattr(action, "seat", None) or getattr(action, "aim", None) or aimed
    return {
        "action": kind_of(action),
        "target": target,
        "position": getattr(action, "position", None),
        "reveal": getattr(action, "reveal", None),
    }


def _pass(scene: GoodCopScene, seat: Seat) -> None:
    """Pass in a window; the last pass sets the next step."""
    state = scene.state
    scene.whisper(seat, "passed")
    state.asked.remove(seat)
    if not state.asked:
        state.then = AFTER_WINDOW[state.phase]


def _discard(scene: GoodCopScene, seat: Seat, move: Discard) -> None:
    """Put one of two cards under the deck, unseen by others. [GC-4.4]"""
    hand = scene.player(seat).hand
    demand(move.card in hand, "not_in_hand", "GC-4.4")
    hand.remove(move.card)
    scene.state.deck.append(move.card)
    scene.tell("discarded", seat=seat)
    scene.whisper(seat, "discarded_own", card=move.card)
    scene.state.tasks.pop(0)


def _aim(scene: GoodCopScene, seat: Seat, target: Seat) -> None:
    """Aim at a player, at the turn's end or because of a card. [GC-4.7, GC-6.4]"""
    state, first = scene.state, task(scene.state)
    demand_living_other(state, seat, target, "GC-4.7", "aim_at_yourself")
    demand(target in aims(state, seat), "aim_elsewhere", "GC-6.4" if first and first.redirects else "GC-8.9")
    aim(scene, seat, target)
    if not first:
        state.then = "infection"
        return
    if first.redirects:
        state.target = target
        scene.tell("redirected", seat=seat, target=target)
    state.tasks.pop(0)


def _shield(scene: GoodCopScene, seat: Seat, target: Seat) -> None:
    """Make a neighbour the target of the pending shot; the shooter's aim stays. [GC-6.4]"""
    state = scene.state
    demand(target in state.players, "no_such_seat", "GC-6.4")
    demand(target in neighbours(state, seat), "not_a_neighbour", "GC-6.4")
    state.target = target
    state.tasks.pop(0)
    scene.tell("shielded", seat=seat, target=target)
