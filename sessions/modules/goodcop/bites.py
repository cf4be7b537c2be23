"""Infection tokens, the infection die, bites and the zombie dice. [GC-8.2, GC-8.8, GC-8.9]"""

from __future__ import annotations

from sessions.game import Seat

from .cards import Position
from .looking import zombify
from .scene import GoodCopScene
from .shots import members
from .state import Dice, DiceRoll, PendingTask, State
from .teams import free_of_token, infector_hidden, leads, infection_tokens

INFECTION_TOKEN = (1, 2)  # on the infection die
ZOMBIE, ARMS, INFECTION = (1,), (2, 3), (5, 6)  # on the zombie die


def infect(scene: GoodCopScene, seat: Seat, wish: Position | None = None) -> None:
    """Put a token on the wished card or on the leftmost free one; do nothing if no card is free."""
    player = scene.player(seat)
    free = free_of_token(player)
    if not free:
        return
    position = wish if wish in free else free[0]
    assert position is not None
    player.cards[position].infected = True
    scene.tell("infected", seat=seat, position=position)


def rolls_infection(state: State) -> bool:
    """True if the turn player rolls the infection die now. [GC-8.2]"""
    player = state.players[state.turn]
    return (
        player.alive and not player.zombie and infection_tokens(player) < len(player.cards) and infector_hidden(state)
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
