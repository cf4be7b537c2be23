"""The actions of a turn player and their effects. [chapter 4, GC-8.6, GC-8.7]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .effects import aim, bite, draw, fire, investigate, show, take_arms, zombify
from .moves import Action, Arm, Bite, CardPosition, Equip, Investigate, Position, Shoot, Weapon
from .state import (
    GoodCopScene,
    PendingTask,
    State,
    Then,
    aims,
    can_fire,
    card_at,
    demand_living_other,
    face_down,
    face_down_places,
    free_of_token,
    others,
)


def lookable(state: State, seat: Seat) -> list[CardPosition]:
    """Return the face-down cards of others who can be investigated. [GC-4.2]"""
    return face_down_places(state, *undisguised_others(state, seat))


def undisguised_others(state: State, seat: Seat) -> list[Seat]:
    return [other for other in others(state, seat) if not is_disguised(state, other)]


def is_disguised(state: State, seat: Seat) -> bool:
    return "disguise" in state.players[seat].active


def bitable(state: State, seat: Seat) -> list[Position]:
    """Return the aimed player's cards that a bite may infect; none if that player is a zombie. [GC-8.8]"""
    victim = state.players[state.players[seat].aim or seat]
    return [] if victim.zombie else free_of_token(victim)


def possible(state: State, seat: Seat) -> list[Action]:
    player = state.players[seat]
    down = [] if player.zombie else face_down(player)
    reveals: list[Position | None] = [*down] or [None]
    fires, targets = can_fire(state, seat), aims(state, seat)
    actions: list[Action] = []
    if not player.zombie:
        actions += [Investigate(place.seat, place.position) for place in lookable(state, seat)]
        if not player.armed:
            actions += [Arm(reveal, target) for reveal in reveals for target in targets]
        if fires:
            actions.append(Shoot())
    else:
        bites: list[Position | None] = [*bitable(state, seat)] or [None]
        if fires:
            actions += [Bite(position) for position in bites]
        if not player.armed:
            actions += [Weapon(target) for target in targets]
    if state.deck:
        actions += [Equip(reveal) for reveal in reveals]
    return actions


def check(state: State, seat: Seat, action: Action) -> None:
    """Refuse an action that cannot be declared now."""
    zombie = state.players[seat].zombie
    match action:
        case Investigate(target, position):
            demand(not zombie, "cops_only", "GC-8.7")
            demand_living_other(state, seat, target, "GC-4.2", "own_card")
            demand(not is_disguised(state, target), "disguised", "GC-4.2")
            demand(not card_at(state, CardPosition(target, position)).up, "face_up", "GC-4.2")
        case Arm(reveal, target):
            demand(not zombie, "cops_only", "GC-8.7")
            demand(not state.players[seat].armed, "armed_already", "GC-4.3")
            _check_reveal(state, seat, reveal, "GC-4.3")
            demand_living_other(state, seat, target, "GC-4.3", "aim_at_yourself")
        case Equip(reveal):
            demand(state.deck, "deck_empty", "GC-6.8")
            demand(not zombie or reveal is None, "no_card_to_turn", "GC-8.7")
            if not zombie:
                _check_reveal(state, seat, reveal, "GC-4.4")
        case Shoot():
            demand(not zombie, "cops_only", "GC-8.7")
            _check_fire(state, seat)
        case Bite(position):
            demand(zombie, "zombies_only", "GC-8.7")
            _check_fire(state, seat)
            free = bitable(state, seat)
            demand(position in free if free else position is None, "wrong_card_bitten", "GC-8.8")
        case Weapon(target):
            demand(zombie, "zombies_only", "GC-8.7")
            demand(not state.players[seat].armed, "armed_already", "GC-8.7")
            demand_living_other(state, seat, target, "GC-8.7", "aim_at_yourself")


def _check_reveal(state: State, seat: Seat, reveal: Position | None, rule: str) -> None:
    down = face_down(state.players[seat])
    demand(reveal is not None or not down, "name_a_card", rule)
    demand(reveal is None or reveal in down, "face_up", rule)


def _check_fire(state: State, seat: Seat) -> None:
    player = state.players[seat]
    demand(player.armed, "not_armed", "GC-4.5")
    demand(not player.tasered, "fresh_from_taser", "GC-4.5")
    demand(can_fire(state, seat), "aim_at_nobody", "GC-5.5")


def resolve(scene: GoodCopScene, seat: Seat, action: Action, target: Seat | None) -> Then:
    """Carry out a declared action; return the turn's next step. ``target`` is that of a shot or a bite."""
    match action:
        case Investigate(other, position):
            investigate(scene, [(seat, CardPosition(other, position))])
        case Arm(reveal, other):
            infector = _pay(scene, seat, reveal)
            if infector:  # its holder becomes a zombie first, and draws last [GC-8.6]
                zombify(scene, seat)
            take_arms(scene, seat)
            aim(scene, seat, other)
            if infector:
                draw(scene, seat)
        case Equip(reveal):
            infector = _pay(scene, seat, reveal)
            draw(scene, seat)
            if infector:  # its holder draws once more, and becomes a zombie then [GC-8.6]
                scene.state.tasks.append(PendingTask("found", seat))
        case Shoot():
            assert target
            fire(scene, seat, target)
        case Bite(position):
            assert target
            if bite(scene, seat, target, position):
                return "dice"
        case Weapon(other):
            take_arms(scene, seat)
            aim(scene, seat, other)
    return "turn_end"


def _pay(scene: GoodCopScene, seat: Seat, reveal: Position | None) -> bool:
    """Turn up the card that pays for an action, if there is one; return whether it is the infector."""
    if reveal is None:
        return False
    show(scene, CardPosition(seat, reveal))
    return scene.player(seat).cards[reveal].face == "infector"
