"""Exchanges of integrity cards, and the changes of team that follow. [GC-3.3, GC-8.12]"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins

from sessions.game import Seat

from .looking import disarm, see, zombify
from .moves import Swap
from .scene import GoodCopScene
from .teams import card_at, leader_card, shows


def exchange(scene: GoodCopScene, swaps: Sequence[Swap]) -> None:
    """Carry out all swaps, then their effects.

    Each card stays face up or down and keeps its tokens; its new owner sees its face.
    """
    for swap in swaps:
        _trade(scene, swap)
    for swap in swaps:
        for place in (swap.a, swap.b):
            if not card_at(scene.state, place).up:
                see(scene, place.seat, place)
    places = [place for swap in swaps for place in (swap.a, swap.b)]
    seats = [seat for seat in scene.state.seats if any(place.seat == seat for place in places)]
    for seat in seats:
        _win_alone(scene, seat)
    if not scene.over:
        for seat in seats:
            _change_team(scene, seat)


def _trade(scene: GoodCopScene, swap: Swap) -> None:
    a, b = swap.a, swap.b
    mine, other = scene.player(a.seat).cards, scene.player(b.seat).cards
    mine[a.position], other[b.position] = other[b.position], mine[a.position]
    scene.tell("exchanged", a=to_builtins(a), b=to_builtins(b))


def _win_alone(scene: GoodCopScene, seat: Seat) -> None:
    """End the game if a player holds both leaders, or the infector and a leader: that player wins alone."""
    faces = {card.face for card in scene.player(seat).cards}
    if len(faces & {"agent", "kingpin", "infector"}) > 1:
        scene.end("alone", [seat])


def _change_team(scene: GoodCopScene, seat: Seat) -> None:
    """Cure a zombie who got a leader card; make a zombie of a player who got the face-up infector."""
    player = scene.player(seat)
    if player.zombie and leader_card(player):
        cure(scene, seat)
    elif not player.zombie and shows(player, infector=True):
        zombify(scene, seat)


def cure(scene: GoodCopScene, seat: Seat) -> None:
    """Make a zombie human again: the arms go to the middle, the tokens stay."""
    scene.player(seat).zombie = False
    scene.tell("cured", seat=seat)
    disarm(scene, seat)
