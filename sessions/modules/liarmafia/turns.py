"""The end of a turn: 反転 or 交換, and the players swap roles. [LM-3.7, 3.8]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .cards import Laid, turn_around
from .moves import Exchange, Rotate
from .scene import Scene
from .state import Adjusted, card_in_slot, opponent


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
    """Exchange an own field card with the hand.

    :raises IllegalMove: ``no_hand``.
    """
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
    """Keep the cards as they are, where the table's options allow that.

    :raises IllegalMove: ``must_adjust``.
    """
    demand(scene.state.options.adjust_optional, "must_adjust", "LM-3.7")
    scene.tell("kept", seat=seat)
    swap(scene)


def swap(scene: Scene) -> None:
    """Give the turn to the other player. [LM-3.8]"""
    state = scene.state
    state.phase, state.turn, state.turns = "declare", opponent(state, state.turn), state.turns + 1
