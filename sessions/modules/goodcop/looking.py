"""Investigating and turning up integrity cards, and drawing equipment. [GC-4.2, GC-4.4, GC-8.3]"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Seat

from .cards import CardPosition, EquipmentId
from .scene import GoodCopScene
from .state import PendingTask
from .teams import card_at, places


def investigate(
    scene: GoodCopScene, looks: Sequence[tuple[Seat, CardPosition]], card: EquipmentId | None = None
) -> None:
    """Let seats look at face-down cards: all looks first, then their effects."""
    for looker, place in looks:
        scene.tell("investigated", seat=looker, target=place.seat, position=place.position, card=card)
        see(scene, looker, place)
    for looker, place in looks:
        _apply_look_effects(scene, looker, place)


def _apply_look_effects(scene: GoodCopScene, looker: Seat, place: CardPosition) -> None:
    """Apply the effects of a look: a surveillance camera turns the card up, and the infector is exposed."""
    looked_at = card_at(scene.state, place)
    if looked_at.up:
        return
    if "surveillance_camera" in scene.player(place.seat).active:
        turn_up(scene, place, looker)
    elif looked_at.face == "infector":
        expose(scene, place.seat, looker)


def see(scene: GoodCopScene, looker: Seat, place: CardPosition) -> None:
    """Show a card to one seat; the seat knows it also after the card has moved."""
    card = card_at(scene.state, place)
    if looker not in card.seen:
        card.seen = sorted([*card.seen, looker])
    scene.whisper(looker, "seen", target=place.seat, position=place.position, face=card.face)


def turn_up(scene: GoodCopScene, place: CardPosition, by: Seat) -> None:
    """Turn one card up; if it is the infector, expose its holder. ``by`` is the seat that caused it."""
    show(scene, place)
    if card_at(scene.state, place).face == "infector":
        expose(scene, place.seat, by)


def show(scene: GoodCopScene, place: CardPosition) -> None:
    """Turn one card up, without further effects."""
    card = card_at(scene.state, place)
    card.up = True
    scene.tell("turned_up", seat=place.seat, position=place.position, face=card.face)


def show_all(scene: GoodCopScene, seat: Seat) -> bool:
    """Turn all cards of a player up; return whether the infector was among them."""
    hidden = [place for place in places(seat) if not card_at(scene.state, place).up]
    for place in hidden:
        show(scene, place)
    return any(card_at(scene.state, place).face == "infector" for place in hidden)


def expose(scene: GoodCopScene, seat: Seat, by: Seat) -> None:
    """Make the infector's holder a zombie; ``by``, who investigated it or turned it up, draws. [GC-8.3]"""
    zombify(scene, seat)
    draw(scene, by)


def zombify(scene: GoodCopScene, seat: Seat) -> None:
    """Make a player a zombie: all cards up, no gun. A present zombie only turns cards up. [GC-8.5]"""
    player = scene.player(seat)
    if not player.zombie:
        player.zombie = True
        scene.tell("zombified", seat=seat)
        disarm(scene, seat)
    show_all(scene, seat)


def disarm(scene: GoodCopScene, seat: Seat) -> None:
    """Put a player's gun or arms, if any, into the middle."""
    player = scene.player(seat)
    if player.armed:
        scene.tell("disarmed", seat=seat, armed=player.armed)
    player.armed, player.aim, player.tasered = None, None, False


def draw(scene: GoodCopScene, seat: Seat) -> None:
    """Draw an equipment card; a player with two must discard one. [GC-4.4, GC-6.8]"""
    if not scene.state.deck:
        scene.tell("nothing_drawn", seat=seat)
        return
    scene.tell("drawn", seat=seat)
    receive(scene, seat, scene.state.deck.pop(0))


def receive(scene: GoodCopScene, seat: Seat, card: EquipmentId) -> None:
    """Take a card in hand; a second one requires a discard at once. [GC-6.5]"""
    player = scene.player(seat)
    player.hand.append(card)
    scene.whisper(seat, "received", card=card)
    if len(player.hand) > 1:
        scene.state.tasks.append(PendingTask("discard", seat))
