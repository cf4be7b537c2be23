"""Declaring, letting through, blocking and doubting. [LM-3.1 to 3.4]"""

from __future__ import annotations

from sessions.game import Seat

from .asking import may_block, may_declare, proof
from .cards import BLOCKED_BY
from .moves import Declare
from .resolving import resolve
from .scene import Scene
from .state import Claim, ShownCard, Slot, card_in_slot, opponent
from .turns import begin_adjusting


def declare(scene: Scene, seat: Seat, move: Declare) -> None:
    """Claim an action. [LM-3.1]

    :raises IllegalMove: see ``may_declare``.
    """
    may_declare(scene.state, seat, move.action)
    scene.state.claim, scene.state.phase = Claim(seat, move.action), "react"
    scene.tell("declared", seat=seat, action=move.action)


def let_through(scene: Scene, claim: Claim, seat: Seat) -> None:
    """スルー: accept a claim, so that the action takes effect or the block stops it. [LM-3.2, 3.3]"""
    scene.tell("passed", seat=seat, action=claim.action, blocked=claim.blocked)
    if claim.blocked:
        begin_adjusting(scene)
    else:
        resolve(scene, claim)


def block(scene: Scene, claim: Claim, seat: Seat) -> None:
    """ブロック: claim the reaction that stops the action. [LM-3.2]

    :raises IllegalMove: see ``may_block``.
    """
    may_block(scene.state, seat, claim.action)
    claim.blocked, scene.state.phase = True, "rereact"
    scene.tell("blocked", seat=seat, action=claim.action)


def doubt(scene: Scene, claim: Claim, seat: Seat) -> None:
    """ダウト: check whether the last claim is true. The seat that was wrong loses a card. [LM-3.4]"""
    state, claimant = scene.state, opponent(scene.state, seat)
    ability = BLOCKED_BY.get(claim.action) if claim.blocked else claim.action
    slot = proof(state.players[claimant], ability) if ability else None
    scene.tell("doubted", seat=seat, action=claim.action, blocked=claim.blocked)
    if slot is None:
        state.loser = claimant
        scene.tell("caught", seat=claimant)
    else:
        state.loser = seat
        _show(scene, claimant, slot)
    # The action takes effect if its claim was true, or if the block against it was false.
    state.then = "resolve" if (slot is not None) is not claim.blocked else "adjust"
    state.phase = "penalty"


def go_on(scene: Scene, claim: Claim) -> None:
    """Continue with the step that was interrupted when a card left the game. [LM-3.4]"""
    if scene.state.then == "resolve":
        resolve(scene, claim)
    else:
        begin_adjusting(scene)


def _show(scene: Scene, claimant: Seat, slot: Slot) -> None:
    player = scene.state.players[claimant]
    laid = player.seen[slot] = card_in_slot(player, slot)
    scene.state.shown = ShownCard(claimant, slot, laid.card, laid.facing)
    scene.tell("shown", seat=claimant, slot=slot, card=laid.card, facing=laid.facing)
