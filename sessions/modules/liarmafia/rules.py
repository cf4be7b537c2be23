"""The setup, and the moves: each is checked against the phase and carried out. [LM-2 to LM-5]

A claim and its answers lead to the effect of the action. That leads to a loss or to the turn's end,
which is 反転 or 交換.
"""

from __future__ import annotations

from msgspec import UNSET

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat, demand

from . import moves
from .legal import (
    asked_seat,
    gain,
    give_back,
    may_block,
    may_declare,
    pay,
    proof,
    ways_to_gain,
    ways_to_pay,
)
from .moves import AnyMove, Gain
from .state import (
    BLOCKED_BY,
    CHARACTERS,
    Adjusted,
    Claim,
    Facing,
    Laid,
    Options,
    Player,
    Scene,
    ShownCard,
    Slot,
    State,
    card_in_slot,
    opponent,
    turn_around,
)

CARDS_TO_LOSE = 2


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table: a chip and three cards for each, two chips in the stock. [LM-1.1, 1.2, 2.1]"""
    first = fate.shuffle("first", seats)[0] if options.first == "fate" else options.first
    players = {seat: Player(chips=[1], hand=list(CHARACTERS), slots=[None, None]) for seat in seats}
    return State(seats=list(seats), players=players, turn=first, options=options)


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events. RULES.md has the codes of refusals."""
    scene = Scene(state, fate)
    match move:
        case moves.Place():
            place(scene, seat, move)
        case moves.Concede():
            concede(scene, seat)
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
    state = scene.state
    match state.phase, move, state.claim:
        case "declare", moves.Declare(), _:
            declare(scene, seat, move)
        case "react" | "rereact", moves.Pass(), claim if claim:
            let_through(scene, claim, seat)
        case "react", moves.Block(), claim if claim:
            block(scene, claim, seat)
        case "react" | "rereact", moves.Doubt(), claim if claim:
            doubt(scene, claim, seat)
        case "penalty", moves.Remove(slot), _:
            leave(scene, seat, slot)
        case "resolve", moves.GainChip(how), claim if claim:  # 横領 leaves the choice
            demand(claim.action == "embezzle", "not_now", "LM-3.5")
            _gain(scene, claim, how)
        case "resolve", moves.Hit(), claim if claim:
            hit(scene, claim, move)
        case "replace", moves.Replace(facing), claim if claim:
            lay_hand(scene, seat, facing)
            if state.then == "resolve":  # the step that was interrupted when a card left [LM-3.4]
                resolve(scene, claim)
            else:
                begin_adjusting(scene)
        case "adjust", moves.Rotate(), _:
            rotate(scene, seat, move)
        case "adjust", moves.Exchange(), _:
            exchange(scene, seat, move)
        case "adjust", moves.Pass(), _:
            demand(state.options.adjust_optional, "must_adjust", "LM-3.7")
            scene.tell("kept", seat=seat)
            swap(scene)
        case _:
            raise IllegalMove("not_now", rule="LM-3.1")


def declare(scene: Scene, seat: Seat, move: moves.Declare) -> None:
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
        player = state.players[claimant]
        laid = player.seen[slot] = card_in_slot(player, slot)
        state.shown = ShownCard(claimant, slot, laid.card, laid.facing)
        scene.tell("shown", seat=claimant, slot=slot, card=laid.card, facing=laid.facing)
    # The action takes effect if its claim was true, or if the block against it was false.
    state.then = "resolve" if (slot is not None) is not claim.blocked else "adjust"
    state.phase = "penalty"


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


def hit(scene: Scene, claim: Claim, move: moves.Hit) -> None:
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


def rotate(scene: Scene, seat: Seat, move: moves.Rotate) -> None:
    """Turn an own field card around."""
    player = scene.state.players[seat]
    player.slots[move.slot] = turn_around(card_in_slot(player, move.slot))
    seen = player.seen[move.slot]
    player.seen[move.slot] = turn_around(seen) if seen else None
    scene.state.adjusted = Adjusted(seat, move.slot, "rotate")
    scene.tell("rotated", seat=seat, slot=move.slot)
    swap(scene)


def exchange(scene: Scene, seat: Seat, move: moves.Exchange) -> None:
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
