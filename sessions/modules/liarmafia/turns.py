"""A turn: the claim and its answers, its effect, the cards that are lost, and 反転 or 交換. [LM-3, 4, 5]

A claim leads to its effect, and an effect to a loss or to the end of the turn.
"""

from __future__ import annotations

from msgspec import UNSET

from sessions.game import Outcome, Seat, demand

from .legal import gain, give_back, may_block, may_declare, pay, proof, ways_to_gain, ways_to_pay
from .moves import Declare, Exchange, Gain, GainChip, Hit, Rotate
from .state import (
    BLOCKED_BY,
    Adjusted,
    Claim,
    Facing,
    Laid,
    Scene,
    ShownCard,
    Slot,
    card_in_slot,
    opponent,
    turn_around,
)

CARDS_TO_LOSE = 2


def declare(scene: Scene, seat: Seat, move: Declare) -> None:
    """Claim an action. [LM-3.1]"""
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
    """ブロック: claim the reaction that stops the action. [LM-3.2]"""
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


def _show(scene: Scene, claimant: Seat, slot: Slot) -> None:
    player = scene.state.players[claimant]
    laid = player.seen[slot] = card_in_slot(player, slot)
    scene.state.shown = ShownCard(claimant, slot, laid.card, laid.facing)
    scene.tell("shown", seat=claimant, slot=slot, card=laid.card, facing=laid.facing)


def go_on(scene: Scene, claim: Claim) -> None:
    """Continue with the step that was interrupted when a card left the game. [LM-3.4]"""
    if scene.state.then == "resolve":
        resolve(scene, claim)
    else:
        begin_adjusting(scene)


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


def _gain(scene: Scene, claim: Claim, how: Gain) -> None:
    gain(scene.state, scene.state.players[claim.seat], claim.action, how)
    scene.tell("gained", seat=claim.seat, action=claim.action, how=how)
    begin_adjusting(scene)


def choose_gain(scene: Scene, claim: Claim, move: GainChip) -> None:
    """Take a chip or turn one, where 横領 leaves the choice."""
    demand(claim.action == "embezzle", "not_now", "LM-3.5")
    _gain(scene, claim, move.how)


def hit(scene: Scene, claim: Claim, move: Hit) -> None:
    """Pay for 殺害 or 暗殺, and remove an opposing card from the game."""
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


def leave(scene: Scene, owner: Seat, slot: Slot) -> None:
    """Take a field card out of the game; its owner loses, or lays the hand card next. [LM-4.1 to 4.3, 5.1]"""
    state, player = scene.state, scene.state.players[owner]
    card = card_in_slot(player, slot).card
    player.slots[slot] = player.seen[slot] = None
    player.removed.append(card)
    state.shown = None
    scene.tell("left", seat=owner, slot=slot)
    scene.whisper(owner, "left_own", seat=owner, card=card)
    if card == "boss":
        win(scene, opponent(state, owner), "boss")
    elif len(player.removed) == CARDS_TO_LOSE:
        win(scene, opponent(state, owner), "two")
    else:
        state.phase, state.loser = "replace", owner


def lay_hand(scene: Scene, owner: Seat, facing: Facing) -> None:
    """Lay the hand card into the empty slot. [LM-4.3]"""
    player = scene.state.players[owner]
    slot: Slot = 0 if player.slots[0] is None else 1
    player.slots[slot] = Laid(player.hand.pop(), facing)
    scene.state.loser = None
    scene.tell("replaced", seat=owner, slot=slot)


def begin_adjusting(scene: Scene) -> None:
    """Ask the turn player to turn or exchange a card."""
    scene.state.phase, scene.state.claim = "adjust", None


def rotate(scene: Scene, seat: Seat, move: Rotate) -> None:
    """Turn an own field card around."""
    player = scene.state.players[seat]
    player.slots[move.slot] = turn_around(card_in_slot(player, move.slot))
    seen = player.seen[move.slot]
    player.seen[move.slot] = turn_around(seen) if seen else None
    scene.state.adjusted = Adjusted(seat, move.slot, "rotate")
    scene.tell("rotated", seat=seat, slot=move.slot)
    swap(scene)


def exchange(scene: Scene, seat: Seat, move: Exchange) -> None:
    """Exchange an own field card with the hand."""
    player = scene.state.players[seat]
    demand(player.hand, "no_hand", "LM-3.7")
    taken = card_in_slot(player, move.slot).card
    player.slots[move.slot] = Laid(player.hand.pop(), move.facing)
    player.hand.append(taken)
    player.seen[move.slot] = None
    scene.state.adjusted = Adjusted(seat, move.slot, "exchange")
    scene.tell("exchanged", seat=seat, slot=move.slot)
    swap(scene)


def skip(scene: Scene, seat: Seat) -> None:
    """Keep the cards as they are, where the table's options allow that."""
    demand(scene.state.options.adjust_optional, "must_adjust", "LM-3.7")
    scene.tell("kept", seat=seat)
    swap(scene)


def swap(scene: Scene) -> None:
    """Give the turn to the other player. [LM-3.8]"""
    state = scene.state
    state.phase, state.turn, state.turns = "declare", opponent(state, state.turn), state.turns + 1


def concede(scene: Scene, seat: Seat) -> None:
    """Concede the game, also while the other seat is asked. [LM-3.8]"""
    demand(scene.state.phase != "place", "place_first", "LM-3.8")
    scene.tell("conceded", seat=seat)
    win(scene, opponent(scene.state, seat), "concede")


def win(scene: Scene, winner: Seat, reason: str) -> None:
    state = scene.state
    state.phase, state.claim, state.shown, state.loser = "over", None, None, None
    state.result = Outcome((winner,), reason)
    scene.tell("won", seat=winner, reason=reason)
