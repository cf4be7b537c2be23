"""The entry point for moves: each is checked against the phase and passed to the module that applies it."""

from __future__ import annotations

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat

from . import claims, losses, resolving, setup, turns
from .asking import asked_seat
from .moves import (
    AnyMove,
    Block,
    Concede,
    Declare,
    Doubt,
    Exchange,
    GainChip,
    Hit,
    Pass,
    Place,
    Remove,
    Replace,
    Rotate,
)
from .scene import Scene
from .state import State


def outcome(state: State) -> Outcome | None:
    """Return the winner and the reason: ``boss``, ``two``, ``allout`` or ``concede``. [LM-5.1]"""
    return state.result


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events.

    :raises IllegalMove: ``not_placed``, ``not_asked``, ``not_now``, and the codes of each move.
    """
    scene = Scene(state, fate)
    match move:
        case Place():
            setup.place(scene, seat, move)
        case Concede():
            losses.concede(scene, seat)
        case _ if state.phase == "place":
            raise IllegalMove("not_placed", rule="LM-2.2")
        case _ if seat != asked_seat(state):
            raise IllegalMove("not_asked", rule="LM-3.1")
        case _:
            _answer(scene, seat, move)
    return scene.events


def _answer(scene: Scene, seat: Seat, move: AnyMove) -> None:
    """Carry out the move of the seat that is asked."""
    state = scene.state
    match state.phase, move, state.claim:
        case "declare", Declare(), _:
            claims.declare(scene, seat, move)
        case "react" | "rereact", Pass(), claim if claim:
            claims.let_through(scene, claim, seat)
        case "react", Block(), claim if claim:
            claims.block(scene, claim, seat)
        case "react" | "rereact", Doubt(), claim if claim:
            claims.doubt(scene, claim, seat)
        case "penalty", Remove(slot), _:
            losses.leave(scene, seat, slot)
        case "resolve", GainChip(), claim if claim:
            resolving.choose_gain(scene, claim, move)
        case "resolve", Hit(), claim if claim:
            resolving.hit(scene, claim, move)
        case "replace", Replace(facing), claim if claim:
            losses.lay_hand(scene, seat, facing)
            claims.go_on(scene, claim)
        case "adjust", Rotate(), _:
            turns.rotate(scene, seat, move)
        case "adjust", Exchange(), _:
            turns.exchange(scene, seat, move)
        case "adjust", Pass(), _:
            turns.skip(scene, seat)
        case _:
            raise IllegalMove("not_now", rule="LM-3.1")
