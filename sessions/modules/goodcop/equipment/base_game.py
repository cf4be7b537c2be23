"""The equipment of the base game. [chapter 7]

First the cards that stay in front of players, heal or revive them, or change the order of turns. Then cards
about guns and pending shots; they treat arms as guns and bites as shots (GC-8.11). Then cards that look at
integrity cards, and those that move cards; last the table of all designs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

from msgspec.structs import replace

from sessions.game import Seat

from ..actions import is_disguised, lookable, undisguised_others
from ..effects import aim, cure, disarm, exchange, investigate, receive, turn_up
from ..moves import CardPosition, EquipmentId, Play, Swap
from ..state import (
    GoodCopScene,
    PendingTask,
    State,
    face_down_places,
    leader_card,
    leads,
    living,
    neighbours,
    others,
    places,
    shows,
)
from .design import Choices, Design, Nothing, OneCard, Seats, Targets, TwoCards


def anyone(state: State, user: Seat) -> list[Seat]:
    """Return all living players, including the user."""
    return living(state)


def _lay(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Put the card in front of the named player, or of the user if the play names none; it stays there."""
    seat = move.seat or user
    scene.player(seat).active.append(move.card)
    scene.tell("laid", seat=seat, card=move.card)


def _revivable(state: State, user: Seat) -> list[Seat]:
    """Return eliminated others without a leader card, and zombies without a face-up infector. [GC-8.11]"""
    return [
        seat
        for seat, player in state.players.items()
        if (not player.alive and seat != user and not leads(state, seat))
        or (player.zombie and not shows(player, infector=True))
    ]


def _revive(scene: GoodCopScene, user: Seat, move: Play) -> None:
    player = scene.player(move.target)
    if player.zombie:
        cure(scene, move.target)
    else:
        player.alive = True
        scene.tell("revived", seat=move.target)


def _heal(scene: GoodCopScene, user: Seat, move: Play) -> None:
    player = scene.player(move.target)
    card = leader_card(player)
    assert card
    card.wounded = False
    scene.tell("healed", seat=move.target, position=player.cards.index(card))


def _reverse(scene: GoodCopScene, user: Seat, move: Play) -> None:
    state = scene.state
    state.middle.append("smoke_grenade")
    state.direction = -1 if state.direction == 1 else 1
    scene.tell("reversed", direction=state.direction)


def armed_seats(state: State, user: Seat) -> list[Seat]:
    return [seat for seat in living(state) if state.players[seat].armed]


def _robbable(state: State, user: Seat) -> list[Seat]:
    return [] if state.players[user].armed else [seat for seat in armed_seats(state, user) if seat != user]


def _rob(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Take a weapon and aim it; it cannot be fired this turn. A cop holds it as a gun, a zombie as arms."""
    player, victim = scene.player(user), scene.player(move.target)
    victim.armed, victim.aim, victim.tasered = None, None, False
    player.armed, player.tasered = "arms" if player.zombie else "gun", True
    scene.tell("robbed", seat=user, target=move.target, armed=player.armed)
    scene.state.tasks.append(PendingTask("aim", user))


def aim_all(scene: GoodCopScene, shooters: list[Seat], target: Seat) -> None:
    """Aim each of ``shooters`` at the target, except the target itself."""
    for seat in shooters:
        if seat != target:
            aim(scene, seat, target)


def _shield(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert scene.state.target
    scene.state.tasks.append(PendingTask("shield", scene.state.target))


@dataclass(frozen=True)
class LookTargets(Targets):
    """A face-down card of each of several players: ``looks``, in any order."""

    candidates: Callable[[State, Seat], list[CardPosition]]
    #: Returns all allowed sets of seats to look at, out of the seats that can be; one card is seen of each.
    owners: Callable[[list[Seat]], list[tuple[Seat, ...]]]
    fields = (frozenset({"looks"}),)

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        places, looks = self.candidates(state, user), move.looks or ()
        seats = tuple(sorted(place.seat for place in looks))
        return set(looks) <= set(places) and seats in self.owners(_owners(places))

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        places = self.candidates(state, user)
        by_seat = {seat: [place for place in places if place.seat == seat] for seat in _owners(places)}
        return [
            Play(card, looks=looks)
            for seats in self.owners([*by_seat])
            for looks in product(*(by_seat[seat] for seat in seats))
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"looks": self.candidates(state, user)}


def _owners(places: list[CardPosition]) -> list[Seat]:
    return sorted({place.seat for place in places})


def _look(scene: GoodCopScene, user: Seat, move: Play) -> None:
    investigate(scene, [(user, place) for place in move.looks or ()], move.card)


def _look_at_each_other(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Show both players each other's face-down cards; those of a disguised user stay unseen."""
    state = scene.state
    looks = [(user, place) for place in face_down_places(state, move.target)]
    if not is_disguised(state, user):
        looks += [(move.target, place) for place in face_down_places(state, user)]
    investigate(scene, looks, move.card)


def swap_two(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Let the cards ``a`` and ``b`` trade places."""
    assert isinstance(move.a, CardPosition)
    assert isinstance(move.b, CardPosition)
    exchange(scene, [Swap(move.a, move.b)])


class Bag(Targets):
    """Another player's equipment, given to a third player: ``from`` or ``active``, and ``to``."""

    fields = (frozenset({"source", "to"}), frozenset({"active", "to"}))

    def exist(self, state: State, user: Seat) -> bool:
        return bool(self.plays(state, user, "evidence_bag"))

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        takers = others(state, user)
        in_hand = [(seat, Play(card, source=seat)) for seat in takers if state.players[seat].hand]
        in_front = [(seat, Play(card, active=active)) for seat, active in _active(state, user)]
        return [replace(play, to=to) for holder, play in in_hand + in_front for to in takers if to != holder]

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


BASE: dict[EquipmentId, Design] = {
    "blackmail": Design(
        targets=TwoCards(lambda state, user: places(*others(state, user))),
        effect=swap_two,
    ),
    "coffee": Design(targets=Nothing(), effect=_lay, stays=True),
    "defibrillator": Design(targets=Seats(_revivable), effect=_revive, copies=2),
    "disguise": Design(targets=Seats(anyone), effect=_lay, stays=True),
    "evidence_bag": Design(targets=Bag(), effect=_bag),
    "k9_unit": Design(
        targets=Seats(armed_seats),
        effect=lambda scene, user, move: disarm(scene, move.target),
    ),
    "med_kit": Design(
        targets=Seats(
            lambda state, user: [
                seat for seat in living(state) if any(card.wounded for card in state.players[seat].cards)
            ]
        ),
        effect=_heal,
    ),
    "metal_detector": Design(
        targets=LookTargets(
            lambda state, user: [place for place in lookable(state, user) if state.players[place.seat].armed],
            lambda seats: [tuple(seats)],
        ),
        effect=_look,
    ),
    "planted_evidence": Design(targets=Seats(anyone), effect=_lay, stays=True),
    "polygraph": Design(targets=Seats(undisguised_others), effect=_look_at_each_other),
    "restraining_order": Design(
        timing="shot",
        targets=Nothing(lambda state, user: any(seat != state.target for seat in others(state, state.turn))),
        effect=lambda scene, user, move: scene.state.tasks.append(
            PendingTask("aim", scene.state.turn, but=scene.state.target, redirects=True)
        ),
    ),
    "riot_shield": Design(
        timing="shot",
        targets=Nothing(lambda state, user: bool(state.target and neighbours(state, state.target))),
        effect=_shield,
    ),
    "smoke_grenade": Design(targets=Nothing(), effect=_reverse, stays=True),
    "surveillance_camera": Design(targets=Seats(anyone), effect=_lay, stays=True),
    "taser": Design(timing="own", targets=Seats(_robbable), effect=_rob),
    "truth_serum": Design(
        targets=OneCard(lambda state, user: face_down_places(state, *living(state))),
        effect=lambda scene, user, move: turn_up(scene, move.place, user),
    ),
    "walkie_talkie": Design(
        targets=Seats(lambda state, user: living(state) if armed_seats(state, user) else []),
        effect=lambda scene, user, move: aim_all(scene, armed_seats(scene.state, user), move.target),
    ),
    "wiretap": Design(
        targets=LookTargets(lookable, lambda seats: [*combinations(seats, 1), *combinations(seats, 2)]),
        effect=_look,
    ),
}
