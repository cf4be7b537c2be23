"""Setup, the question to the traveller, and the dispatch of moves to the functions that apply them."""

from __future__ import annotations

from typing import Any

from sessions.game import Event, Fate, Outcome, Seat, demand

from . import moves, turns
from .moves import AnyMove
from .state import CARDS, ITEMS, LAST, ROOM, JourneyScene, Options, Phase, State, score, solvable


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table. Packing lays everything out. [JO-2.1]"""
    return State(seats=list(seats), single_key=options.single_key)


class JourneyOutcome(Outcome, frozen=True):
    """The outcome of a journey; it has a score only if the journey came home."""

    score: int | None = None


#: The phases in which each move is legal; letters and conceding have their own rules.
PHASES: dict[type, tuple[Phase, ...]] = {
    moves.Pack: ("pack",),
    moves.Draw: ("draw",),
    moves.Play: ("move",),
    moves.GoOn: ("before_events", "before_solve"),
    moves.Red: ("red",),
    moves.Blue: ("blue",),
    moves.Yellow: ("yellow",),
    moves.Green: ("green",),
    moves.White: ("white",),
    moves.Solve: ("solve",),
    moves.EndTurn: ("end",),
}


def waiting_for(state: State) -> set[Seat]:
    return set() if state.reason else set(state.seats)


def question(state: State, seat: Seat) -> Any:
    """Return the facts that the question depends on: turn, phase, event, letters, pawns."""
    if state.reason:
        return None
    return [state.turn, state.phase, state.acting, state.letters, dict(sorted(state.pawns.items()))]


def outcome(state: State) -> JourneyOutcome | None:
    match state.reason:
        case None:
            return None
        case "home":
            return JourneyOutcome(tuple(state.seats), "home", score(state).total)
        case reason:
            return JourneyOutcome((), reason)


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events. RULES.md has the codes of refusals."""
    scene = JourneyScene(state, fate)
    phases = PHASES.get(type(move))
    demand(not phases or state.phase in phases, "not_now", "JO-3.14")
    match move:
        case moves.Pack():
            _pack(scene, move)
        case moves.Play():
            turns.play_card(scene, move)
        case moves.Draw() | moves.GoOn() | moves.EndTurn():
            turns.leave_pause(scene)
        case moves.Solve(suit):
            demand(suit in solvable(state), "not_solvable", "JO-3.12")
            turns.finish_solving(scene, suit)
        case moves.LocationMemory():
            turns.location_memory(scene, move)
        case moves.AdventureMemory():
            turns.adventure_memory(scene, move)
        case moves.Concede():
            scene.finish("concede")
        case _:
            _effect(scene, move)
    if "radio" in state.items and state.deck:  # the top card is open [JO-3.2]
        state.known_top = max(1, state.known_top)
    return scene.events


def _pack(scene: JourneyScene, move: moves.Pack) -> None:
    """Choose the items, lay the locations out, deal, and begin the first turn. [JO-2.1 to 2.3]"""
    state, fate = scene.state, scene.fate
    demand(len(set(move.items)) == len(move.items), "item_twice", "JO-2.1")
    state.items = tuple(item for item in ITEMS if item in move.items)
    scene.tell("packed", items=list(state.items))
    state.locations = (*fate.shuffle("locations", [one for one in ROOM if one != LAST]), LAST)
    state.deck = fate.shuffle("events", CARDS)
    scene.tell("laid_out", locations=list(state.locations))
    for _ in range(2 if "rucksack" in state.items else 1):
        turns.draw_card(scene)
    turns.begin(scene)


def _effect(scene: JourneyScene, move: moves.Effect) -> None:
    """Carry out the effect that waits for the traveller, and continue with the next one."""
    match move:
        case moves.Red(pawn, step):
            scene.move_pawn(pawn, step, by="red")  # [JO-3.7]
        case moves.Blue():
            turns.apply_blue(scene, move)
        case moves.Yellow():
            turns.apply_yellow(scene, move)
        case moves.Green():
            copied = turns.apply_green(scene, move)
            if copied and turns.begin_effect(scene, copied):
                return
        case moves.White():
            turns.apply_white(scene, move)
    turns.next_effect(scene)
