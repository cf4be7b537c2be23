"""The effects that actions and equipment share: looks, drawn cards, shots, bites, dice and exchanged cards.

[GC-3.3, GC-4.2 to 4.4, chapter 5, GC-8.2 to 8.12]
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins

from sessions.game import Seat

from .moves import CardPosition, EquipmentId, Position, Swap, Team
from .state import (
    Dice,
    DiceRoll,
    GoodCopScene,
    PendingTask,
    State,
    card_at,
    face_down_places,
    free_of_token,
    infection_tokens,
    infector_hidden,
    leader_card,
    leads,
    shows,
    team,
)

INFECTION_TOKEN = (1, 2)  # on the infection die
ZOMBIE, ARMS, INFECTION = (1,), (2, 3), (5, 6)  # on the zombie die


def investigate(
    scene: GoodCopScene, looks: Sequence[tuple[Seat, CardPosition]], card: EquipmentId | None = None
) -> None:
    """Let seats look at face-down cards: all looks first, then their effects.

    A surveillance camera turns the card up, and the infector is exposed.
    """
    for looker, place in looks:
        scene.tell("investigated", seat=looker, target=place.seat, position=place.position, card=card)
        see(scene, looker, place)
    for looker, place in looks:
        if card_at(scene.state, place).up:
            continue
        if "surveillance_camera" in scene.player(place.seat).active:
            turn_up(scene, place, looker)
        elif card_at(scene.state, place).face == "infector":
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
    hidden = face_down_places(scene.state, seat)
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


def infect(scene: GoodCopScene, seat: Seat, wish: Position | None = None) -> None:
    """Put a token on the wished card or on the leftmost free one; do nothing if no card is free."""
    player = scene.player(seat)
    free = free_of_token(player)
    if not free:
        return
    position = wish if wish is not None and wish in free else free[0]
    player.cards[position].infected = True
    scene.tell("infected", seat=seat, position=position)


def rolls_infection(state: State) -> bool:
    """True if the turn player rolls the infection die now. [GC-8.2]"""
    player = state.players[state.turn]
    return (
        player.alive
        and not player.zombie
        and infection_tokens(player) < len(player.cards)
        and infector_hidden(state)
    )


def bite(scene: GoodCopScene, biter: Seat, victim: Seat, wish: Position | None) -> bool:
    """Bite a player; return whether zombie dice were rolled. [GC-8.8]"""
    scene.tell("bitten", seat=biter, target=victim)
    player = scene.player(victim)
    if player.zombie:
        scene.tell("bite_wasted", target=victim)
        return False
    infect(scene, victim, wish)
    roll_dice(scene, "zombie", victim, infection_tokens(player))
    return True


def roll_dice(scene: GoodCopScene, kind: Dice, seat: Seat, count: int, *, again: bool = False) -> None:
    """Roll dice; they take effect when their window closes."""
    faces = [scene.fate.roll(kind, 6) for _ in range(count)]
    scene.state.dice = DiceRoll(kind, seat, faces)
    scene.tell("rolled", seat=seat, dice=kind, faces=faces, again=again)


def roll_again(scene: GoodCopScene) -> None:
    """Roll the same dice again for ゾンビ血清; the first result is void."""
    dice = scene.state.dice
    assert dice
    roll_dice(scene, dice.kind, dice.seat, len(dice.faces), again=True)


def read_dice(scene: GoodCopScene) -> Dice:
    """Apply the dice and remove them from the table; return their kind. [GC-8.9]"""
    dice = scene.state.dice
    assert dice
    scene.state.dice = None
    if dice.kind == "infection":
        if dice.faces[0] in INFECTION_TOKEN:
            infect(scene, dice.seat)
    else:
        _read_zombie_dice(scene, dice)
    return dice.kind


def _read_zombie_dice(scene: GoodCopScene, dice: DiceRoll) -> None:
    state, victim = scene.state, dice.seat
    for face in dice.faces:
        if face in INFECTION:
            infect(scene, victim)
    if any(face in ZOMBIE for face in dice.faces):
        if leads(state, victim):
            scene.end("zombie", members(state, "zombie"))
            return
        zombify(scene, victim)
    if any(face in ARMS for face in dice.faces):
        state.tasks.append(PendingTask("aim", state.turn, but=victim))


def exchange(scene: GoodCopScene, swaps: Sequence[Swap]) -> None:
    """Carry out all swaps, then their effects. A card keeps its tokens and stays face up or down.

    A zombie who got a leader card is cured; a player who got the face-up infector becomes a zombie.
    """
    for swap in swaps:
        mine, other = (scene.player(place.seat).cards for place in (swap.a, swap.b))
        one, two = swap.a.position, swap.b.position
        mine[one], other[two] = other[two], mine[one]
        scene.tell("exchanged", a=to_builtins(swap.a), b=to_builtins(swap.b))
    places = [place for swap in swaps for place in (swap.a, swap.b)]
    for place in places:
        if not card_at(scene.state, place).up:
            see(scene, place.seat, place)
    seats = [seat for seat in scene.state.seats if any(place.seat == seat for place in places)]
    for seat in seats:
        faces = {card.face for card in scene.player(seat).cards}
        if len(faces & {"agent", "kingpin", "infector"}) > 1:
            scene.end("alone", [seat])  # with both leaders, or with the infector and a leader
    if not scene.over:
        for seat in seats:
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
