"""Cards that move cards: 恐喝 and 証拠袋. [chapter 7]"""

from __future__ import annotations

from dataclasses import dataclass

from sessions.game import Seat

from ..asking import others
from ..cards import CardPosition, EquipmentId
from ..exchanging import exchange
from ..looking import receive
from ..moves import Play, Swap
from ..scene import GoodCopScene
from ..state import State
from ..teams import places
from .design import Choices, Design, Fields, TwoCards


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
