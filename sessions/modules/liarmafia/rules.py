"""The setup, and the entry point for moves: each is checked against the phase and applied. [LM-2]"""

from __future__ import annotations

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat, demand

from . import moves, turns
from .legal import asked_seat
from .moves import AnyMove
from .state import CHARACTERS, Options, Player, Scene, State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table: a chip and three cards for each, two chips in the stock. [LM-1.1, 1.2, 2.1]"""
    first = fate.shuffle("first", seats)[0] if options.first == "fate" else options.first
    players = {seat: Player(chips=[1], hand=list(CHARACTERS), slots=[None, None]) for seat in seats}
    return State(seats=list(seats), players=players, turn=first, options=options)


def outcome(state: State) -> Outcome | None:
    """Return the winner and the reason: ``boss``, ``two``, ``allout`` or ``concede``. [LM-5.1]"""
    return state.result


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events.

    :raises IllegalMove: see the table of refusals in RULES.md.
    """
    scene = Scene(state, fate)
    match move:
        case moves.Place():
            place(scene, seat, move)
        case moves.Concede():
            turns.concede(scene, seat)
        case _ if state.phase == "place":
            raise IllegalMove("not_placed", rule="LM-2.2")
        case _ if seat != asked_seat(state):
            raise IllegalMove("not_asked", rule="LM-3.1")
        case _:
            _answer(scene, seat, move)
    return scene.events


def place(scene: Scene, seat: Seat, move: moves.Place) -> None:
    """Place two cards, or replace them while the opponent is not ready. [LM-2.2]"""
    state = scene.state
    demand(state.phase == "place", "already_begun", "LM-2.2")
    cards = [laid.card for laid in move.slots]
    demand(cards[0] != cards[1], "card_twice", "LM-2.2")
    player = state.players[seat]
    player.slots = list(move.slots)
    player.hand = [card for card in CHARACTERS if card not in cards]
    if player.ready:
        scene.whisper(seat, "placed_anew", seat=seat)
    else:
        scene.tell("placed", seat=seat)
    player.ready = True
    if all(other.ready for other in state.players.values()):
        state.phase = "declare"
        scene.tell("begun", seat=state.turn)


def _answer(scene: Scene, seat: Seat, move: AnyMove) -> None:
    """Carry out the move of the seat that is asked."""
    state = scene.state
    match state.phase, move, state.claim:
        case "declare", moves.Declare(), _:
            turns.declare(scene, seat, move)
        case "react" | "rereact", moves.Pass(), claim if claim:
            turns.let_through(scene, claim, seat)
        case "react", moves.Block(), claim if claim:
            turns.block(scene, claim, seat)
        case "react" | "rereact", moves.Doubt(), claim if claim:
            turns.doubt(scene, claim, seat)
        case "penalty", moves.Remove(slot), _:
            turns.leave(scene, seat, slot)
        case "resolve", moves.GainChip(), claim if claim:
            turns.choose_gain(scene, claim, move)
        case "resolve", moves.Hit(), claim if claim:
            turns.hit(scene, claim, move)
        case "replace", moves.Replace(facing), claim if claim:
            turns.lay_hand(scene, seat, facing)
            turns.go_on(scene, claim)
        case "adjust", moves.Rotate(), _:
            turns.rotate(scene, seat, move)
        case "adjust", moves.Exchange(), _:
            turns.exchange(scene, seat, move)
        case "adjust", moves.Pass(), _:
            turns.skip(scene, seat)
        case _:
            raise IllegalMove("not_now", rule="LM-3.1")
