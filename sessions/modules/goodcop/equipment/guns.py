"""Cards about guns and pending shots; they treat arms as guns and bites as shots. [chapter 7, GC-8.11]"""

from __future__ import annotations

from sessions.game import Seat

from ..asking import neighbours, others
from ..looking import disarm
from ..moves import Play
from ..scene import GoodCopScene
from ..shots import aim
from ..state import PendingTask, State
from ..teams import living
from .design import Design, Nothing, Seats
from .people import anyone


def armed_seats(state: State, user: Seat) -> list[Seat]:
    """Return every living player with a gun or arms."""
    return [seat for seat in living(state) if state.players[seat].armed]


def _drop(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    disarm(scene, move.seat)


def _to_rob(state: State, user: Seat) -> list[Seat]:
    return [] if state.players[user].armed else [seat for seat in armed_seats(state, user) if seat != user]


def _rob(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Take a weapon and aim it; it cannot be fired this turn. A cop holds it as a gun, a zombie as arms."""
    assert isinstance(move.seat, str)
    player, victim = scene.player(user), scene.player(move.seat)
    victim.armed, victim.aim, victim.tasered = None, None, False
    player.armed, player.tasered = "arms" if player.zombie else "gun", True
    scene.tell("robbed", seat=user, target=move.seat, armed=player.armed)
    scene.state.tasks.append(PendingTask("aim", user))


def _walkie_talkie_targets(state: State, user: Seat) -> list[Seat]:
    return anyone(state, user) if armed_seats(state, user) else []


def aim_all(scene: GoodCopScene, shooters: list[Seat], target: Seat) -> None:
    """Aim each of ``shooters`` at the target, except the target itself."""
    for seat in shooters:
        if seat != target:
            aim(scene, seat, target)


def _aim_all(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    aim_all(scene, armed_seats(scene.state, user), move.seat)


def _elsewhere(state: State, user: Seat) -> bool:
    """True if the pending shot has another possible target."""
    return any(seat != state.target for seat in others(state, state.turn))


def _restrain(scene: GoodCopScene, user: Seat, move: Play) -> None:
    state = scene.state
    state.tasks.append(PendingTask("aim", state.turn, but=state.target, redirects=True))


def _somebody_beside(state: State, user: Seat) -> bool:
    return bool(state.target and neighbours(state, state.target))


def _shield(scene: GoodCopScene, user: Seat, move: Play) -> None:
    target = scene.state.target
    assert target
    scene.state.tasks.append(PendingTask("shield", target))


k9_unit = Design(targets=Seats(armed_seats), effect=_drop)
taser = Design(timing="own", targets=Seats(_to_rob), effect=_rob)
walkie_talkie = Design(targets=Seats(_walkie_talkie_targets), effect=_aim_all)
restraining_order = Design(timing="shot", targets=Nothing(_elsewhere), effect=_restrain)
riot_shield = Design(timing="shot", targets=Nothing(_somebody_beside), effect=_shield)
