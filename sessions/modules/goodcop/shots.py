"""Guns, aims and the effects of shots. [GC-4.3, chapter 5, GC-8.4, GC-8.10]"""

from __future__ import annotations

from sessions.game import Seat

from .cards import EquipmentId, Team
from .looking import disarm, draw, show_all, zombify
from .scene import GoodCopScene
from .state import State
from .teams import leader_card, team


def take_arms(scene: GoodCopScene, seat: Seat) -> None:
    """Take a gun, or arms as a zombie, without an aim; the caller aims next."""
    player = scene.player(seat)
    player.armed, player.aim, player.tasered = "arms" if player.zombie else "gun", None, False
    scene.tell("armed", seat=seat, armed=player.armed)


def aim(scene: GoodCopScene, seat: Seat, target: Seat) -> None:
    scene.player(seat).aim = target
    scene.tell("aimed", seat=seat, target=target)


def fire(scene: GoodCopScene, shooter: Seat, victim: Seat) -> None:
    """Fire a gun; the gun first goes to the middle, unless the victim is a zombie. [GC-4.5, GC-8.10]"""
    scene.tell("fired", seat=shooter, target=victim)
    if not scene.player(victim).zombie:
        disarm(scene, shooter)
    shoot(scene, victim, shooter)


def shoot(scene: GoodCopScene, victim: Seat, by: Seat, card: EquipmentId | None = None) -> None:
    """Shoot a player. ``by`` draws equipment if this turns the infector up. [GC-8.3]"""
    player = scene.player(victim)
    scene.tell("shot", seat=victim, card=card)
    if player.zombie:
        scene.tell("unharmed", seat=victim)
        if player.armed:
            aim(scene, victim, victim)
        return
    infector = show_all(scene, victim)
    if leader_card(player):
        _shoot_leader(scene, victim)
    elif scene.state.options.zombies:
        zombify(scene, victim)
    else:
        _eliminate(scene, victim)
    if infector:
        draw(scene, by)


def _shoot_leader(scene: GoodCopScene, victim: Seat) -> None:
    """Wound a leader, or eliminate a wounded one, so that the other team wins. [GC-5.3, GC-5.4]"""
    player = scene.player(victim)
    card = leader_card(player)
    assert card
    if card.wounded:
        player.alive = False
        scene.tell("eliminated", seat=victim)
        winner: Team = "crooked" if card.face == "agent" else "honest"
        scene.end(winner, members(scene.state, winner))
        return
    card.wounded = True
    scene.tell("wounded", seat=victim, position=player.cards.index(card))
    draw(scene, victim)


def _eliminate(scene: GoodCopScene, victim: Seat) -> None:
    """Eliminate a player: hand under the deck, gun to the middle; active cards stay in front. [GC-5.2]"""
    player = scene.player(victim)
    player.alive = False
    scene.tell("eliminated", seat=victim)
    scene.state.deck += player.hand
    player.hand = []
    disarm(scene, victim)


def members(state: State, winner: Team) -> list[Seat]:
    """Return the current members of a team, eliminated or not. [GC-9.1]"""
    return [seat for seat in state.seats if team(state, seat) == winner]
