"""Cards that stay in front of players, heal or revive them, or change the order of turns. [chapter 7]"""

from __future__ import annotations

from sessions.game import Seat

from ..exchanging import cure
from ..moves import Play
from ..scene import GoodCopScene
from ..state import State
from ..teams import leader_card, leads, living, shows
from .design import Design, Nothing, Seats


def anyone(state: State, user: Seat) -> list[Seat]:
    """Return all living players, including the user."""
    return living(state)


def lay(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Put the card in front of the named player, where it stays."""
    assert isinstance(move.seat, str)
    scene.player(move.seat).active.append(move.card)
    scene.tell("laid", seat=move.seat, card=move.card)


def _coffee(scene: GoodCopScene, user: Seat, move: Play) -> None:
    scene.player(user).active.append("coffee")
    scene.tell("laid", seat=user, card="coffee")


def _revivable(state: State, user: Seat) -> list[Seat]:
    """Return eliminated others without a leader card, and zombies without a face-up infector. [GC-8.11]"""
    return [
        seat
        for seat, player in state.players.items()
        if (not player.alive and seat != user and not leads(state, seat))
        or (player.zombie and not shows(player, infector=True))
    ]


def _revive(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    player = scene.player(move.seat)
    if player.zombie:
        cure(scene, move.seat)
    else:
        player.alive = True
        scene.tell("revived", seat=move.seat)


def _wounded_seats(state: State, user: Seat) -> list[Seat]:
    return [seat for seat in living(state) if any(card.wounded for card in state.players[seat].cards)]


def _heal(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    player = scene.player(move.seat)
    card = leader_card(player)
    assert card
    card.wounded = False
    scene.tell("healed", seat=move.seat, position=player.cards.index(card))


def _reverse(scene: GoodCopScene, user: Seat, move: Play) -> None:
    state = scene.state
    state.middle.append("smoke_grenade")
    state.direction = -1 if state.direction == 1 else 1
    scene.tell("reversed", direction=state.direction)


coffee = Design(targets=Nothing(), effect=_coffee, stays=True)
defibrillator = Design(targets=Seats(_revivable), effect=_revive, copies=2)
disguise = Design(targets=Seats(anyone), effect=lay, stays=True)
med_kit = Design(targets=Seats(_wounded_seats), effect=_heal)
planted_evidence = Design(targets=Seats(anyone), effect=lay, stays=True)
smoke_grenade = Design(targets=Nothing(), effect=_reverse, stays=True)
surveillance_camera = Design(targets=Seats(anyone), effect=lay, stays=True)
