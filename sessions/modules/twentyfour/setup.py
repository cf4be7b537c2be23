"""The choice of detectives before the first season. [TF-2]"""

from __future__ import annotations

from sessions.game import Fate, Seat, demand

from . import seasons
from .cards import DETECTIVES, EVENTS, Detective
from .moves import ChooseDetective
from .options import Options
from .scene import TwentyFourScene
from .state import INCIDENTS, NPC, Column, Player, State

NEEDS_NPC = 3


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle the event cards; deal detectives and begin if the option says ``random``. [TF-2.1, 2.3]"""
    state = State(
        seats=list(seats),
        players={seat: Player() for seat in seats},
        pile=fate.shuffle("events", EVENTS),
        layout=[Column() for _ in range(INCIDENTS)],
        options=options,
    )
    if options.detectives == "random":
        dealt = fate.shuffle("detectives", DETECTIVES)
        for seat, detective in zip(seats, dealt, strict=False):
            state.players[seat].detective = detective
        begin_game(TwentyFourScene(state, fate))
    return state


def chooser(state: State) -> Seat | None:
    """Return the seat that chooses a detective now, in seat order."""
    return next((seat for seat in state.seats if state.players[seat].detective is None), None)


def free_detectives(state: State) -> list[Detective]:
    """Return the detectives that are not taken."""
    taken = [player.detective for player in state.players.values()]
    return [detective for detective in DETECTIVES if detective not in taken]


def choose(scene: TwentyFourScene, seat: Seat, move: ChooseDetective) -> None:
    """Take a detective. [TF-2.1]

    :raises IllegalMove: ``not_asked``, ``detective_taken``.
    """
    state = scene.state
    demand(seat == chooser(state), "not_asked", "TF-2.1")
    demand(move.detective in free_detectives(state), "detective_taken", "TF-2.1")
    state.players[seat].detective = move.detective
    scene.tell("detective_chosen", seat=seat, detective=move.detective)
    if chooser(state) is None:
        begin_game(scene)


def begin_game(scene: TwentyFourScene) -> None:
    """Add the NPC if there are three players, and begin the first season. [TF-2.2]"""
    state = scene.state
    if len(state.seats) == NEEDS_NPC:
        detective = scene.fate.shuffle("npc_detective", free_detectives(state))[0]
        state.players[NPC] = Player(detective=detective)
        scene.tell("npc_joined", seat=NPC, detective=detective)
    seasons.begin_season(scene)
