"""Equipment: all designs by their id, and playing it. [chapters 6 to 8]"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, to_builtins

from sessions.game import IllegalMove, Seat, demand, kind_of

from ..moves import Bite, EquipmentId, Play, Shoot
from ..state import GoodCopScene, State
from . import base_game, zombies
from .design import Design, Timing

BASE = base_game.BASE
EQUIPMENT = BASE | zombies.ZOMBIES


def deck(designs: dict[EquipmentId, Design]) -> list[EquipmentId]:
    """Return the deck of these designs, unshuffled."""
    return [card for card, design in designs.items() for _ in range(design.copies)]


def check_fields(move: Play) -> None:
    """Refuse a play whose target fields do not match its card as ``malformed_move``."""
    names = [name for name in move.__struct_fields__ if name != "card" and getattr(move, name) is not UNSET]
    demand(frozenset(names) in EQUIPMENT[move.card].targets.fields, "malformed_move", "GC-6.6")


def legal_plays(state: State, seat: Seat) -> list[Play]:
    """Return every legal play of a seat that is asked; for two cards, a documented sample."""
    return [
        move
        for card in dict.fromkeys(state.players[seat].hand)
        if not why_not(state, seat, card)
        for move in EQUIPMENT[card].targets.plays(state, seat, card)
    ]


def why_not(state: State, seat: Seat, card: EquipmentId) -> str | None:
    """Return the refusal code of a card in an asked seat's hand, None when it can be played now."""
    design = EQUIPMENT[card]
    if not _is_in_time(state, seat, design.timing):
        return "wrong_time"
    return None if design.targets.exist(state, seat) else "no_target"


def _is_in_time(state: State, seat: Seat, timing: Timing) -> bool:
    """True if a seat that is asked may play a card of this timing now. [GC-6.1]"""
    if state.phase == "dice" or timing == "dice":
        return state.phase == timing
    if timing == "shot":
        return state.phase == "reaction" and isinstance(state.declared, Shoot | Bite)
    return timing == "any" or seat == state.turn


def play(scene: GoodCopScene, seat: Seat, move: Play) -> None:
    """Play a card: it goes under the deck unless it stays, then it takes effect. [GC-6.3, GC-6.6]"""
    state, card, hand = scene.state, move.card, scene.player(seat).hand
    # First, so that no refusal reveals anything else.
    demand(card in hand, "not_in_hand", "GC-6.6", card=card)
    if why := why_not(state, seat, card):
        raise IllegalMove(why, rule="GC-6.1" if why == "wrong_time" else "GC-6.6", card=card)
    design = EQUIPMENT[card]
    demand(design.targets.fits(state, seat, move), "bad_target", "GC-6.6", card=card)
    fields: dict[str, Any] = to_builtins(move)
    targets = {name: value for name, value in fields.items() if name not in ("type", "card")}
    hand.remove(card)
    if not design.stays:
        state.deck.append(card)
    scene.tell("played", seat=seat, card=card, targets=targets)
    _close_window(scene, design.timing)
    design.effect(scene, seat, move)


def _close_window(scene: GoodCopScene, timing: Timing) -> None:
    """Set the question after the card: a new window, or a new action of the turn player. [GC-6.3, GC-6.4]"""
    state = scene.state
    state.asked = []
    state.then = "action"
    if state.phase in ("dice", "end_reaction"):
        state.then = state.phase
    elif state.phase == "reaction" and timing == "shot":
        state.then = "reaction"
    elif state.declared:
        tag = kind_of(state.declared)
        state.declared, state.target = None, None
        scene.tell("cancelled", seat=state.turn, action=tag)
