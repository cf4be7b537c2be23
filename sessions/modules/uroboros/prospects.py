"""The attacks that a seat may make in its turn, judged with each of its cards. [UC-8.2, 8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from msgspec import Struct

from companion.cards import Card, is_joker, kind
from sessions.game import Seat

from .checks import Means, field_target, judge
from .figures import actor
from .hp import damage
from .items import weapon_value, weapons
from .legal import actors
from .piles import can_draw
from .state import State

ATTACK_DIFFICULTIES = range(1, 6)

#: Whether a card would succeed; ``turned``: unknown, because a card is turned onto the field first.
Prospect = Literal["yes", "no", "turned"]


class AttackOption(Struct, frozen=True):
    """A way to attack, and the prospects of each card at difficulty 1 to 5."""

    npc: str | None
    weapon: int | None
    skill: bool
    prospects: dict[Card, tuple[Prospect, ...]]


class Damage(Struct, frozen=True):
    """The damage that a card does at difficulty 1 to 5, None being any number card."""

    card: Card | None
    plain: tuple[int, ...]
    chain: tuple[int, ...]


def ways(state: State, seat: Seat) -> Iterator[AttackOption]:
    """Yield the ways in which this seat, which has the turn, may attack now."""
    hand = state.hands[seat].visible_cards
    for npc in actors(state, seat):
        figure = actor(state, seat, npc)
        for weapon, skill in product((*weapons(figure), None), (False, True) if figure.skills else (False,)):
            means = Means(figure.suits, skill, weapon_value(figure, weapon))
            yield AttackOption(npc, weapon, skill, {card: _prospects(state, card, means) for card in hand})


def damages(state: State, seat: Seat) -> Iterator[Damage]:
    """Yield the damage of any number card, then that of each hand card."""
    for card in (None, *state.hands[seat].visible_cards):
        first = kind(card) if card else "number"
        plain = tuple(damage(difficulty, first, chain=False) for difficulty in ATTACK_DIFFICULTIES)
        chain = tuple(damage(difficulty, first, chain=True) for difficulty in ATTACK_DIFFICULTIES)
        yield Damage(card, plain, chain)


def _prospects(state: State, card: Card, means: Means) -> tuple[Prospect, ...]:
    return tuple(_prospect(state, level, card, means) for level in ATTACK_DIFFICULTIES)


def _prospect(state: State, level: int, card: Card, means: Means) -> Prospect:
    if state.ladder[level].flip and can_draw(state) and not is_joker(card):
        return "turned"
    return "yes" if judge(state.ladder, level, card, field_target(state), means).success else "no"
