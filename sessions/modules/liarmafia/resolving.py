"""The effects of actions. [LM-3.5, 3.6]"""

from __future__ import annotations

from msgspec import UNSET

from sessions.game import demand

from .asking import proof
from .chips import gain, give_back, pay, ways_to_gain, ways_to_pay
from .losses import leave, win
from .moves import Gain, GainChip, Hit
from .scene import Scene
from .state import Claim, opponent
from .turns import begin_adjusting


def resolve(scene: Scene, claim: Claim) -> None:
    """Apply the claimed action; the phase stays ``resolve`` if the turn player has a choice to make."""
    state, player = scene.state, scene.state.players[claim.seat]
    state.phase = "resolve"
    if claim.action == "allout":
        _all_out(scene, claim)
    elif claim.action in ("embezzle", "smuggle"):
        ways = ways_to_gain(state, player, claim.action)
        if len(ways) == 1:
            _gain(scene, claim, ways[0])
        elif not ways:
            scene.tell("nothing_gained", seat=claim.seat, action=claim.action)
            begin_adjusting(scene)


def choose_gain(scene: Scene, claim: Claim, move: GainChip) -> None:
    """Take a chip or turn one, where 横領 leaves the choice.

    :raises IllegalMove: ``not_now``.
    """
    demand(claim.action == "embezzle", "not_now", "LM-3.5")
    _gain(scene, claim, move.how)


def hit(scene: Scene, claim: Claim, move: Hit) -> None:
    """Pay for 殺害 or 暗殺, and remove an opposing card from the game.

    :raises IllegalMove: ``not_now``, ``choose_pay``, ``cannot_pay_so``.
    """
    state, player = scene.state, scene.state.players[claim.seat]
    ways = ways_to_pay(player, claim.action)
    demand(claim.action in ("murder", "assassinate"), "not_now", "LM-3.5")
    demand(move.pay is not UNSET or len(ways) <= 1, "choose_pay", "LM-3.5")
    way = ways[0] if move.pay is UNSET else move.pay
    demand(way in ways, "cannot_pay_so", "LM-1.3")
    pay(state, player, way)
    scene.tell("paid", seat=claim.seat, action=claim.action, pay=way)
    state.then = "adjust"
    leave(scene, opponent(state, claim.seat), move.slot)


def _gain(scene: Scene, claim: Claim, how: Gain) -> None:
    gain(scene.state, scene.state.players[claim.seat], claim.action, how)
    scene.tell("gained", seat=claim.seat, action=claim.action, how=how)
    begin_adjusting(scene)


def _all_out(scene: Scene, claim: Claim) -> None:
    state, player = scene.state, scene.state.players[claim.seat]
    slot = proof(player, "allout")
    if slot is None:
        scene.tell("no_boss", seat=claim.seat)
        begin_adjusting(scene)
        return
    give_back(state, player, [2, 2])
    scene.tell("all_out", seat=claim.seat, slot=slot)
    win(scene, claim.seat, "allout")
