"""The cards that come with the zombies. [chapter 8]"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations, product

from sessions.game import Seat

from ..effects import exchange, infect, roll_again, shoot, take_arms, turn_up
from ..moves import LEADERS, CardPosition, EquipmentId, Play, Swap, Transfusion
from ..state import (
    GoodCopScene,
    PendingTask,
    State,
    card_at,
    from_turn,
    infection_tokens,
    living,
    others,
    places,
    shows,
)
from .base_game import aim_all, anyone, armed_seats
from .design import Choices, Design, Fields, Nothing, OneCard, Seats, TwoCards, sample

#: All plays of one pair are listed. For plays of two or three pairs, at most this many first halves are
#: combined with at most this many second halves, evenly spread.
MOST = 10


def _on_table(state: State) -> list[CardPosition]:
    return [place for seat in living(state) for place in places(seat)]


def _zombies(state: State) -> list[Seat]:
    return [seat for seat in living(state) if state.players[seat].zombie]


def _without_leader(state: State, user: Seat) -> list[Seat]:
    return [
        seat
        for seat in armed_seats(state, user)
        if seat != user and not shows(state.players[seat], leader=True)
    ]


def _crossbow(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.seat, str)
    shoot(scene, move.seat, user, move.card)


@dataclass(frozen=True)
class Tubes:
    """One to three transfers of a token, all between different cards: ``moves``."""

    fields: tuple[Fields, ...] = (frozenset({"moves"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return all(self._ends(state))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        moves = move.moves if isinstance(move.moves, tuple) else ()
        sources, free = self._ends(state)
        named = {one.source for one in moves} | {one.to for one in moves}
        return (
            len(named) == 2 * len(moves) > 0
            and {one.source for one in moves} <= set(sources)
            and {one.to for one in moves} <= set(free)
        )

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        sources, free = self._ends(state)
        single = [Play(card, moves=(Transfusion(source, to),)) for source in sources for to in free]
        return single + [
            Play(card, moves=tuple(Transfusion(source, to) for source, to in zip(some, ends, strict=True)))
            for some, ends in _matches(sources, free)
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        sources, free = self._ends(state)
        return {"from": list(sources), "to": list(free)}

    def _ends(self, state: State) -> tuple[list[CardPosition], list[CardPosition]]:
        """Return the cards with a token and those without."""
        cards = _on_table(state)
        infected = [place for place in cards if card_at(state, place).infected]
        return infected, [place for place in cards if not card_at(state, place).infected]


def _matches(
    these: list[CardPosition], those: list[CardPosition]
) -> list[tuple[tuple[CardPosition, ...], tuple[CardPosition, ...]]]:
    """Return ways to pair two or three of ``these`` with as many of ``those``; a sample if there are many."""
    ways = []
    for count in (2, 3):
        chosen = sample(list(combinations(these, count)), MOST)
        ends = sample(list(permutations(those, count)), MOST)
        ways += list(product(chosen, ends))
    return ways


def _transfuse(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.moves, tuple)
    for one in move.moves:
        card_at(scene.state, one.source).infected = False
        card_at(scene.state, one.to).infected = True
        scene.tell("transfused", source=_position_data(one.source), to=_position_data(one.to))


def _position_data(place: CardPosition) -> dict[str, object]:
    return {"seat": place.seat, "position": place.position}


def _serum(scene: GoodCopScene, user: Seat, move: Play) -> None:
    roll_again(scene)


def _any_zombie(state: State, user: Seat) -> bool:
    return bool(_zombies(state))


def _flames(scene: GoodCopScene, user: Seat, move: Play) -> None:
    for seat in _zombies(scene.state):
        shoot(scene, seat, user, move.card)


def _hidden_of_others(state: State, user: Seat) -> list[CardPosition]:
    return [place for seat in others(state, user) for place in places(seat) if not card_at(state, place).up]


def _chainsaw(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Turn a card up and shoot its owner; if it is a leader card, shoot the user instead."""
    assert isinstance(move.seat, str)
    assert isinstance(move.position, int)
    place = CardPosition(move.seat, move.position)
    turn_up(scene, place, user)
    leader = card_at(scene.state, place).face in LEADERS
    shoot(scene, user if leader else move.seat, user, move.card)


def _masks(state: State, user: Seat) -> list[CardPosition]:
    """Return the face-up leader and infector cards."""
    return [
        place
        for place in _on_table(state)
        if card_at(state, place).up and card_at(state, place).face in (*LEADERS, "infector")
    ]


def _unmask(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.a, CardPosition)
    assert isinstance(move.b, CardPosition)
    exchange(scene, [Swap(move.a, move.b)])


@dataclass(frozen=True)
class Cuts:
    """One to three swaps of one zombie's cards for face-up 清廉 or 悪徳 cards of non-zombies: ``pairs``."""

    fields: tuple[Fields, ...] = (frozenset({"pairs"}),)

    def exist(self, state: State, user: Seat) -> bool:
        return bool(_zombies(state) and self._flesh(state))

    def fits(self, state: State, user: Seat, move: Play) -> bool:
        pairs = move.pairs if isinstance(move.pairs, tuple) else ()
        rotten = {pair.a for pair in pairs}
        fresh = {pair.b for pair in pairs}
        owners = {place.seat for place in rotten}
        return (
            len(pairs) == len(rotten) == len(fresh) > 0
            and len(owners) == 1
            and owners <= set(_zombies(state))
            and fresh <= set(self._flesh(state))
        )

    def plays(self, state: State, user: Seat, card: EquipmentId) -> list[Play]:
        fresh = self._flesh(state)
        single = [
            Play(card, pairs=(Swap(a, b),)) for seat in _zombies(state) for a in places(seat) for b in fresh
        ]
        return single + [
            Play(card, pairs=tuple(Swap(a, b) for a, b in zip(some, ends, strict=True)))
            for seat in _zombies(state)
            for some, ends in _matches(places(seat), fresh)
        ]

    def choices(self, state: State, user: Seat) -> Choices:
        return {
            "a": [place for seat in _zombies(state) for place in places(seat)],
            "b": list(self._flesh(state)),
        }

    def _flesh(self, state: State) -> list[CardPosition]:
        return [
            place
            for place in _on_table(state)
            if not state.players[place.seat].zombie
            and card_at(state, place).up
            and card_at(state, place).face in ("honest", "crooked")
        ]


def _machete(scene: GoodCopScene, user: Seat, move: Play) -> None:
    assert isinstance(move.pairs, tuple)
    exchange(scene, move.pairs)


def _to_arm(state: State) -> list[Seat]:
    """Return the unarmed players with an infection token, in turn order from the turn player."""
    return [
        seat
        for seat in from_turn(state)
        if not state.players[seat].armed and infection_tokens(state.players[seat])
    ]


def _somebody_to_arm(state: State, user: Seat) -> bool:
    return bool(_to_arm(state))


def _crate(scene: GoodCopScene, user: Seat, move: Play) -> None:
    for seat in _to_arm(scene.state):
        take_arms(scene, seat)
        scene.state.tasks.append(PendingTask("aim", seat))


def _alarm(scene: GoodCopScene, user: Seat, move: Play) -> None:
    """Infect the named player, and aim all zombies with arms at them."""
    assert isinstance(move.seat, str)
    infect(scene, move.seat)
    shooters = [seat for seat in armed_seats(scene.state, user) if scene.player(seat).zombie]
    aim_all(scene, shooters, move.seat)


alarm_clock = Design(targets=Seats(anyone), effect=_alarm)
chainsaw = Design(targets=OneCard(_hidden_of_others), effect=_chainsaw)
crossbow = Design(targets=Seats(_without_leader), effect=_crossbow)
flamethrower = Design(targets=Nothing(_any_zombie), effect=_flames)
machete = Design(targets=Cuts(), effect=_machete)
transfusion_tube = Design(targets=Tubes(), effect=_transfuse)
weapon_crate = Design(targets=Nothing(_somebody_to_arm), effect=_crate)
zombie_mask = Design(targets=TwoCards(_masks), effect=_unmask)
zombie_serum = Design(timing="dice", targets=Nothing(), effect=_serum)
