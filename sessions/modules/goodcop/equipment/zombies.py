"""The cards that come with the zombies. [chapter 8]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product, starmap
from typing import TypeVar

from msgspec import to_builtins

from sessions.game import Seat

from ..effects import exchange, infect, roll_again, shoot, take_arms, turn_up
from ..moves import LEADERS, CardPosition, EquipmentId, Play, Swap, Transfusion
from ..state import (
    GoodCopScene,
    PendingTask,
    State,
    card_at,
    face_down_places,
    from_turn,
    infection_tokens,
    living,
    others,
    places,
    shows,
)
from .base_game import aim_all, anyone, armed_seats, swap_two
from .design import Choices, Design, Nothing, OneCard, Seats, Targets, TwoCards

T = TypeVar("T")
#: All plays of one pair are listed. For plays of two or three pairs, at most this many first halves are
#: combined with at most this many second halves, evenly spread.
MOST = 10


def _zombies(state: State) -> list[Seat]:
    return [seat for seat in living(state) if state.players[seat].zombie]


def _without_leader(state: State, user: Seat) -> list[Seat]:
    return [
        seat
        for seat in armed_seats(state, user)
        if seat != user and not shows(state.players[seat], leader=True)
    ]


class Tubes(Targets):
    """One to three transfers of a token, all between different cards: ``moves``."""

    fields = (frozenset({"moves"}),)

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        moves = move.moves or ()
        infected, free = self.choices(state, user).values()
        sources, ends = {one.source for one in moves}, {one.to for one in moves}
        different = len(sources | ends) == 2 * len(moves) > 0
        return different and sources <= set(infected) and ends <= set(free)

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        infected, free = self.choices(state, user).values()
        ways = _pair_up(infected, free, 1, 2, 3)
        return [Play(card, moves=tuple(starmap(Transfusion, way))) for way in ways]

    def choices(self, state: State, user: Seat) -> Choices:
        cards = places(*living(state))
        return {
            "from": [place for place in cards if card_at(state, place).infected],
            "to": [place for place in cards if not card_at(state, place).infected],
        }


def _pair_up(
    these: Sequence[CardPosition], those: Sequence[CardPosition], *counts: int
) -> Iterator[list[tuple[CardPosition, CardPosition]]]:
    """Yield the ways to pair some of ``these`` with as many of ``those``; from two on, a sample of them."""
    for count in counts:
        chosen, ends = list(combinations(these, count)), list(permutations(those, count))
        if count > 1:
            chosen, ends = _sample(chosen), _sample(ends)
        yield from (list(zip(*both, strict=True)) for both in product(chosen, ends))


def _sample(items: list[T]) -> list[T]:
    """Return at most ``MOST`` of the items, evenly spread; the same ones each time."""
    return [items[len(items) * number // MOST] for number in range(MOST)] if len(items) > MOST else items


def _transfuse(scene: GoodCopScene, user: Seat, move: Play) -> None:
    for one in move.moves or ():
        card_at(scene.state, one.source).infected = False
        card_at(scene.state, one.to).infected = True
        scene.tell("transfused", source=to_builtins(one.source), to=to_builtins(one.to))


def _burn(scene: GoodCopScene, user: Seat, move: Play) -> None:
    for seat in _zombies(scene.state):
        shoot(scene, seat, user, move.card)


def _saw(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Turn a card up and shoot its owner; if it is a leader card, shoot the user instead."""
    turn_up(scene, move.place, user)
    leader = card_at(scene.state, move.place).face in LEADERS
    shoot(scene, user if leader else move.target, user, move.card)


def _masks(state: State, user: Seat) -> list[CardPosition]:
    return [
        place
        for place in places(*living(state))
        if card_at(state, place).up and card_at(state, place).face in (*LEADERS, "infector")
    ]


class Cuts(Targets):
    """One to three swaps of one zombie's cards for face-up 清廉 or 悪徳 cards of non-zombies: ``pairs``."""

    fields = (frozenset({"pairs"}),)

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        pairs = move.pairs or ()
        rotten, fresh = {pair.a for pair in pairs}, {pair.b for pair in pairs}
        owners = {place.seat for place in rotten}
        return (
            len(pairs) == len(rotten) == len(fresh) > 0
            and len(owners) == 1
            and owners <= set(_zombies(state))
            and fresh <= set(self._flesh(state))
        )

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        fresh = self._flesh(state)
        return [
            Play(card, pairs=tuple(starmap(Swap, way)))
            for counts in ((1,), (2, 3))
            for seat in _zombies(state)
            for way in _pair_up(places(seat), fresh, *counts)
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        return {"a": places(*_zombies(state)), "b": self._flesh(state)}

    def _flesh(self, state: State) -> list[CardPosition]:
        return [
            place
            for place in places(*(seat for seat in living(state) if not state.players[seat].zombie))
            if card_at(state, place).up and card_at(state, place).face in ("honest", "crooked")
        ]


def _to_arm(state: State) -> list[Seat]:
    """Return the unarmed players with an infection token, in turn order from the turn player."""
    return [
        seat
        for seat in from_turn(state)
        if not state.players[seat].armed and infection_tokens(state.players[seat])
    ]


def _arm_infected(scene: GoodCopScene, user: Seat, move: Play) -> None:
    for seat in _to_arm(scene.state):
        take_arms(scene, seat)
        scene.state.tasks.append(PendingTask("aim", seat))


def _ring(scene: GoodCopScene, user: Seat, move: Play) -> None:
    infect(scene, move.target)
    shooters = [seat for seat in armed_seats(scene.state, user) if scene.player(seat).zombie]
    aim_all(scene, shooters, move.target)


ZOMBIES: dict[EquipmentId, Design] = {
    "crossbow": Design(
        targets=Seats(_without_leader),
        effect=lambda scene, user, move: shoot(scene, move.target, user, move.card),
    ),
    "transfusion_tube": Design(targets=Tubes(), effect=_transfuse),
    "zombie_serum": Design(
        timing="dice", targets=Nothing(), effect=lambda scene, user, move: roll_again(scene)
    ),
    "flamethrower": Design(targets=Nothing(lambda state, user: bool(_zombies(state))), effect=_burn),
    "chainsaw": Design(
        targets=OneCard(lambda state, user: face_down_places(state, *others(state, user))),
        effect=_saw,
    ),
    "zombie_mask": Design(targets=TwoCards(_masks), effect=swap_two),
    "machete": Design(
        targets=Cuts(),
        effect=lambda scene, user, move: exchange(scene, move.pairs or ()),
    ),
    "weapon_crate": Design(targets=Nothing(lambda state, user: bool(_to_arm(state))), effect=_arm_infected),
    "alarm_clock": Design(targets=Seats(anyone), effect=_ring),
}
