"""The setup: choosing the first seat, and placing the field cards. [LM-2]"""

from __future__ import annotations

from sessions.game import Fate, Seat, demand

from .cards import CHARACTERS
from .moves import Place
from .options import Options
from .scene import Scene
from .state import Player, State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table: a chip and three cards for each, two chips in the stock. [LM-1.1, 1.2, 2.1]"""
    first = fate.shuffle("first", seats)[0] if options.first == "fate" else options.first
    players = {seat: Player(chips=[1], hand=list(CHARACTERS), slots=[None, None]) for seat in seats}
    return State(seats=list(seats), players=players, turn=first, options=options)


def place(scene: Scene, seat: Seat, move: Place) -> None:
    """Place two cards, or replace them while the opponent is not ready. [LM-2.2]

    :raises IllegalMove: ``already_begun``, ``card_twice``.
    """
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
