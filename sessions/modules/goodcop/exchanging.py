"""Integrity cards trade places, and teams with them. [GC-3.3, GC-8.12]"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins

from sessions.game import Seat

from .looking import disarm, see, zombify
from .moves import Swap
from .scene import Scene
from .teams import card_at, leader_card, shows


def exchange(scene: Scene, swaps: Sequence[Swap]) -> None:
    """Trade cards together; each keeps its face state and tokens, and new owners learn their new card."""
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


def _trade(scene: Scene, swap: Swap) -> None:
    a, b = swap.a, swap.b
    mine, other = scene.player(a.seat).cards, scene.player(b.seat).cards
    mine[a.position], other[b.position] = other[b.position], mine[a.position]
    scene.tell("exchanged", a=to_builtins(a), b=to_builtins(b))


def _win_alone(scene: Scene, seat: Seat) -> None:
    """Agent and kingpin, or the infector and a leader, in one hand."""
    faces = {card.face for card in scene.player(seat).cards}
    if len(faces & {"agent", "kingpin", "infector"}) > 1:
        scene.end("alone", [seat])


def _change_team(scene: Scene, seat: Seat) -> None:
    """A leader card heals a zombie; the face-up infector makes one."""
    player = scene.player(seat)
    if player.zombie and leader_card(player):
        cure(scene, seat)
    elif not player.zombie and shows(player, infector=True):
        zombify(scene, seat)


def cure(scene: Scene, seat: Seat) -> None:
    """A zombie becomes human again: arms to the middle, tokens stay."""
    scene.player(seat).zombie = False
    scene.tell("cured", seat=seat)
    disarm(scene, seat)
