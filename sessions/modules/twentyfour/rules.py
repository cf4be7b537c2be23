"""Apply moves, and advance the game between them."""

from __future__ import annotations

from sessions.game import Event, Fate, IllegalMove, Seat

from . import incidents, seasons
from .legal import may_move, waiting_for
from .moves import AnyMove, Challenge, ChooseDetective, Decline, Discard, Place, SetStyle, Take
from .state import INCIDENTS, SEASONS, Phase, State, TwentyFourScene

#: By phase, the rule that refuses all other moves; for the rest it is TF-8.2.
RULES: dict[Phase, str] = {
    "detectives": "TF-2.1",
    "place1": "TF-4.1",
    "place2": "TF-4.3",
    "challenge": "TF-5.3",
    "take": "TF-9.3",
    "discard": "TF-7.2",
}


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events. RULES.md has the codes of refusals."""
    scene = TwentyFourScene(state, fate)
    match state.phase, move:
        case "detectives", ChooseDetective():
            seasons.choose(scene, seat, move)
        case "place1" | "place2", Place():
            seasons.place(scene, seat, move)
        case "challenge", Challenge():
            incidents.challenge(scene, seat, move)
        case "challenge", Decline():
            incidents.decline(scene, seat)
        case ("take", Take()) | ("discard", Discard()) if seat not in may_move(state):
            raise IllegalMove("not_asked", rule="TF-9.3" if state.phase == "take" else "TF-7.2")
        case "take", Take():
            incidents.take(scene, move)
        case "discard", Discard():
            incidents.discard(scene, seat, move)
        case "style", SetStyle():
            seasons.set_style(scene, seat, move)
        case _:
            raise IllegalMove("not_now", rule=RULES.get(state.phase, "TF-8.2"))
    while not waiting_for(scene.state) and scene.state.phase != "over":
        _advance(scene)
    return scene.events


def _advance(scene: TwentyFourScene) -> None:
    """Take the next step of a game that waits for no seat. [TF-6.5, 7.6, 8.4]"""
    state = scene.state
    match state.phase:
        case "place1":
            seasons.reveal(scene)
        case "place2":
            incidents.open_incident(scene, 1)
        case "challenge":
            incidents.resolve(scene)
        case "discard":
            seat, number = incidents.next_hurt(state), scene.judgement.number
            if seat:
                incidents.hurt(scene, seat)
            elif number < INCIDENTS:
                incidents.open_incident(scene, number + 1)
            else:
                seasons.close_incidents(scene)
        case _:
            seasons.close_season(scene)
            if state.season < SEASONS:
                state.season += 1
                seasons.begin_season(scene)
            else:
                state.phase, state.result = "over", seasons.result(state)
                scene.tell("ended", vp=state.result.vp, winners=state.result.winners)
