"""Cards that look at integrity cards. [chapter 7]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

from sessions.game import Seat

from ..actions import is_disguised, lookable
from ..asking import others
from ..cards import CardPosition, EquipmentId
from ..looking import investigate, turn_up
from ..moves import Play
from ..scene import GoodCopScene
from ..state import State
from ..teams import card_at, living, places
from .design import Choices, Design, Fields, OneCard, Seats

#: Returns all allowed sets of seats to look at, out of the seats that can be; one card is seen of each.
Owners = Callable[[list[Seat]], list[tuple[Seat, ...]]]


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
