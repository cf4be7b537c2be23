"""The equipment of the base game. [chapter 7]

First the cards that stay in front of players, heal or revive them, or change the order of turns. Then cards
about guns and pending shots; they treat arms as guns and bites as shots (GC-8.11). Then cards that look at
integrity cards, and last those that move cards, 恐喝 and 証拠袋.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

from sessions.game import Seat

from ..actions import is_disguised, lookable
from ..effects import aim, cure, disarm, exchange, investigate, receive, turn_up
from ..moves import CardPosition, EquipmentId, Play, Swap
from ..state import (
    GoodCopScene,
    PendingTask,
    State,
    card_at,
    leader_card,
    leads,
    living,
    neighbours,
    others,
    places,
    shows,
)
from .design import (
    Choices,
    Design,
    Fields,
    Nothing,
    OneCard,
    Seats,
    TwoCards,
)

#: Returns all allowed sets of seats to look at, out of the seats that can be; one card is seen of each.
Owners = Callable[[list[Seat]], list[tuple[Seat, ...]]]


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


def armed_seats(state: State, user: Seat) -> list[Seat]:
    """Return every living player with a gun or arms."""
    return [seat for seat in living(state) if state.players[seat].armed]


def _drop(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    disarm(scene, move.seat)


def _to_rob(state: State, user: Seat) -> list[Seat]:
    return [] if state.players[user].armed else [seat for seat in armed_seats(state, user) if seat != user]


def _rob(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Take a weapon and aim it; it cannot be fired this turn. A cop holds it as a gun, a zombie as arms."""
    assert isinstance(move.seat, str)
    player, victim = scene.player(user), scene.player(move.seat)
    victim.armed, victim.aim, victim.tasered = None, None, False
    player.armed, player.tasered = "arms" if player.zombie else "gun", True
    scene.tell("robbed", seat=user, target=move.seat, armed=player.armed)
    scene.state.tasks.append(PendingTask("aim", user))


def _walkie_talkie_targets(state: State, user: Seat) -> list[Seat]:
    return anyone(state, user) if armed_seats(state, user) else []


def aim_all(scene: GoodCopScene, shooters: list[Seat], target: Seat) -> None:
    """Aim each of ``shooters`` at the target, except the target itself."""
    for seat in shooters:
        if seat != target:
            aim(scene, seat, target)


def _aim_all(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    aim_all(scene, armed_seats(scene.state, user), move.seat)


def _elsewhere(state: State, user: Seat) -> bool:
    """True if the pending shot has another possible target."""
    return any(seat != state.target for seat in others(state, state.turn))


def _restrain(scene: GoodCopScene, user: Seat, move: Play) -> None:
    state = scene.state
    state.tasks.append(PendingTask("aim", state.turn, but=state.target, redirects=True))


def _somebody_beside(state: State, user: Seat) -> bool:
    return bool(state.target and neighbours(state, state.target))


def _shield(scene: GoodCopScene, user: Seat, move: Play) -> None:
    target = scene.state.target
    assert target
    scene.state.tasks.append(PendingTask("shield", target))


k9_unit = Design(targets=Seats(armed_seats), effect=_drop)

taser = Design(timing="own", targets=Seats(_to_rob), effect=_rob)

walkie_talkie = Design(targets=Seats(_walkie_talkie_targets), effect=_aim_all)

restraining_order = Design(timing="shot", targets=Nothing(_elsewhere), effect=_restrain)

riot_shield = Design(timing="shot", targets=Nothing(_somebody_beside), effect=_shield)


@dataclass(frozen=True)
class LookTargets:
    """A face-down card of each of several players: ``looks``, in any order."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    owners: Owners
    fields: tuple[Fields, ...] = (frozenset({"looks"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return bool(self.candidates(state, user))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        places = self.candidates(state, user)
        looks = move.looks if isinstance(move.looks, tuple) else ()
        seats = tuple(sorted(place.seat for place in looks))
        return set(looks) <= set(places) and seats in self.owners(_seats(places))

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        places = self.candidates(state, user)
        by_seat = {seat: [place for place in places if place.seat == seat] for seat in _seats(places)}
        return [
            Play(card, looks=looks)
            for seats in self.owners(_seats(places))
            for looks in product(*(by_seat[seat] for seat in seats))
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"looks": list(self.candidates(state, user))}


def _seats(places: list[CardPosition]) -> list[Seat]:
    return sorted({place.seat for place in places})


def _all_seats(seats: list[Seat]) -> list[tuple[Seat, ...]]:
    return [tuple(seats)]


def _one_or_two(seats: list[Seat]) -> list[tuple[Seat, ...]]:
    return [*combinations(seats, 1), *combinations(seats, 2)]


def _cards_of_armed_seats(state: State, user: Seat) -> list[CardPosition]:
    return [place for place in lookable(state, user) if state.players[place.seat].armed]


def _look(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.looks, tuple)
    investigate(scene, [(user, place) for place in move.looks], move.card)


def _undisguised_others(state: State, user: Seat) -> list[Seat]:
    return [seat for seat in others(state, user) if not is_disguised(state, seat)]


def _look_at_each_other(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Show both players each other's face-down cards; those of a disguised user stay unseen."""
    assert isinstance(move.seat, str)
    state = scene.state
    looks = [(user, place) for place in places(move.seat)]
    if not is_disguised(state, user):
        looks += [(move.seat, place) for place in places(user)]
    investigate(scene, [(seat, place) for seat, place in looks if not card_at(state, place).up], move.card)


def _any_face_down(state: State, user: Seat) -> list[CardPosition]:
    return [place for seat in living(state) for place in places(seat) if not card_at(state, place).up]


def _turn_up(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    assert isinstance(move.position, int)
    turn_up(scene, CardPosition(move.seat, move.position), user)


metal_detector = Design(targets=LookTargets(_cards_of_armed_seats, _all_seats), effect=_look)

polygraph = Design(targets=Seats(_undisguised_others), effect=_look_at_each_other)

truth_serum = Design(targets=OneCard(_any_face_down), effect=_turn_up)

wiretap = Design(targets=LookTargets(lookable, _one_or_two), effect=_look)


def _of_others(state: State, user: Seat) -> list[CardPosition]:
    return [place for seat in others(state, user) for place in places(seat)]


def _blackmail(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.a, CardPosition)
    assert isinstance(move.b, CardPosition)
    exchange(scene, [Swap(move.a, move.b)])


@dataclass(frozen=True)
class Bag:
    """Another player's equipment, given to a third player: ``from`` or ``active``, and ``to``."""

    fields: tuple[Fields, ...] = (frozenset({"source", "to"}), frozenset({"active", "to"}))

    def exist(self, state: State, user: Seat) -> bool:
        return bool(self.plays(state, user, "evidence_bag"))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        return move in self.plays(state, user, move.card)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        takers = others(state, user)
        in_hand = [
            Play(card, source=seat, to=to)
            for seat in takers
            if state.players[seat].hand
            for to in takers
            if to != seat
        ]
        in_front = [
            Play(card, active=active, to=to)
            for seat, active in _active(state, user)
            for to in takers
            if to != seat
        ]
        return [*in_hand, *in_front]

    def choices(self, state: State, user: Seat) -> Choices:
        takers = others(state, user)
        return {
            "from": [seat for seat in takers if state.players[seat].hand],
            "active": [{"seat": seat, "card": active} for seat, active in _active(state, user)],
            "to": takers,
        }


def _active(state: State, user: Seat) -> list[tuple[Seat, EquipmentId]]:
    """Return the active cards in front of other players, living or not, with their holders."""
    return [
        (seat, active) for seat, player in state.players.items() if seat != user for active in player.active
    ]


def _bag(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Move the card; only the receiver of a card from a hand learns which card it is."""
    assert isinstance(move.to, str)
    if isinstance(move.source, str):
        scene.tell("bagged", target=move.source, to=move.to, card=None)
        receive(scene, move.to, scene.player(move.source).hand.pop())
        return
    holder = next(seat for seat, active in _active(scene.state, user) if active == move.active)
    assert isinstance(move.active, str)
    scene.player(holder).active.remove(move.active)
    scene.player(move.to).active.append(move.active)
    scene.tell("bagged", target=holder, to=move.to, card=move.active)


blackmail = Design(targets=TwoCards(_of_others), effect=_blackmail)

evidence_bag = Design(targets=Bag(), effect=_bag)
