"""When a card succeeds: the ladder 難易度表, favoured suits, skills and jokers. [UC-4.2 to 4.4]

It depends on the figure that acts, so this file also finds the figure behind a seat or an NPC id, and the
values of its items. [UC-7.2, 7.3]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.cards import Card, Suit, colour, is_joker, rank, suit
from sessions.game import IllegalMove, Seat, demand

from .state import GM, CharacterState, NpcState, Rung, State


class Target(NamedTuple):
    """The field card as a target; the ``suit`` of a joker is its named suit, None if none was named."""

    card: Card
    suit: Suit | None


class Means(NamedTuple):
    """The help that a side has in a check."""

    suits: Sequence[Suit]  # favoured suits 得意スート
    skill: bool  # a fitting skill 特技
    q: int  # the item's value 性能値


class Miss(Struct, frozen=True):
    """The reasons why a card does not fit; at least one of the first two is set."""

    differs: Literal["colour", "suit"] | None  # the property that it should share with the target
    apart: int | None  # the distance of the numbers, if a smaller one would succeed
    near: int  # the greatest distance that would succeed


class Verdict(NamedTuple):
    """The success of a card, and the id of the rule that decides it."""

    success: bool
    why: str


class Bond(NamedTuple):
    """The bond of card and target: "any", "joker", "colour", "suit", "number", "near" or "suit_near"."""

    by: str  # "" if there is no bond
    gap: int | None  # the difference of the numbers


def field_target(state: State) -> Target:
    card = state.pile[-1]
    return Target(card, state.field_suit if is_joker(card) else suit(card))


class Check(NamedTuple):
    ladder: Sequence[Rung]
    level: int
    target: Target
    means: Means

    def judge(self, card: Card) -> Verdict:
        if is_joker(card) or self.target.suit is None:
            return Verdict(True, "UC-4.4")
        success = self.miss(card) is None
        helped = success and lacks(self.ladder[self.level], card, self.target, self.means.q) is not None
        return Verdict(success, "UC-4.3" if helped else "UC-4.2")

    def miss(self, card: Card) -> Miss | None:
        """Return why a card fails, None if it succeeds."""
        if is_joker(card) or self.target.suit is None:
            return None
        return lacks(self.rung, card, self.target, self.means.q)

    def bond(self, card: Card) -> Bond:
        """Return the simplest reason why a card succeeds, to be shown to people."""
        target, link, gap = self.target, self.rung.link, _distance(card, self.target.card)
        if is_joker(card) or target.suit is None:
            return Bond("joker", gap)
        if lacks(self.rung, card, target, self.means.q):
            return Bond("", gap)
        printed = suit(card)
        if printed == target.suit:
            return Bond("suit_near" if link == "near" and gap is not None else "suit", gap)
        if gap == 0:
            return Bond("number", gap)
        if link == "any":
            return Bond("any", gap)
        alike = printed is not None and colour(printed) == colour(target.suit)
        return Bond("colour" if link == "colour" and alike else "near", gap)

    @property
    def rung(self) -> Rung:
        """The row of the ladder that decides: a skill and a favoured suit lower the level. [UC-4.3]"""
        return self.ladder[max(self.level - (self.target.suit in self.means.suits) - self.means.skill, 0)]


def lacks(rung: Rung, card: Card, target: Target, q: int) -> Miss | None:
    """Return why ``card`` fails by this row of the ladder, None if it succeeds. [UC-4.2]

    :raises ValueError: the card is a joker, or the target has no suit.
    """
    printed = suit(card)
    if printed is None or target.suit is None:
        raise ValueError("jokers and targets without a suit are judged before the ladder")
    reach = rung.near + q
    apart = _distance(card, target.card)
    near = apart is not None and apart <= reach
    match rung.link:
        case "any":
            return None
        case "colour":
            same = near or colour(printed) == colour(target.suit)
            return None if same else Miss("colour", apart if reach else None, reach)
        case "suit":
            same = near or printed == target.suit
            return None if same else Miss("suit", apart if reach else None, reach)
        case "near" if printed != target.suit:
            return Miss("suit", None, reach)
        case "near":
            # A named joker has no number: its suit is enough. [UC-4.4]
            return None if near or apart is None else Miss(None, apart, reach)


def _distance(card: Card, other: Card) -> int | None:
    ours, theirs = rank(card), rank(other)
    return None if ours is None or theirs is None else abs(ours - theirs)


def npc_of(state: State, npc_id: str) -> NpcState:
    for npc in state.npcs:
        if npc.id == npc_id:
            return npc
    raise IllegalMove("unknown_npc", rule="UC-10.4")


def character_of(state: State, seat: Seat) -> CharacterState:
    demand(seat in state.characters, "unknown_seat", "UC-3.1")
    return state.characters[seat]


def figure_of(state: State, who: str) -> CharacterState | NpcState:
    """Return the figure of a player's seat or an NPC id."""
    return npc_of(state, who) if who.startswith("n") else character_of(state, who)


def seat_of(who: str) -> Seat:
    """Return the seat that plays a figure: the GM for an NPC."""
    return GM if who.startswith("n") else who


def actor(state: State, seat: Seat, npc: str | None) -> CharacterState | NpcState:
    """Return the figure that ``seat`` acts for; the GM acts for an NPC, a player for their own."""
    if seat == GM:
        if npc is None:
            raise IllegalMove("npc_needed", rule="UC-10.5")
        return npc_of(state, npc)
    demand(npc is None, "npc_not_wanted", "UC-10.5")
    return character_of(state, seat)


def everybody(state: State) -> list[str]:
    """Return the seats of the players, in their order, and the ids of the NPCs."""
    return [*state.seating, *(npc.id for npc in state.npcs)]


def is_up(figure: CharacterState | NpcState) -> bool:
    """True if a figure has HP above 0. [UC-4.10]"""
    return figure.hp > 0


def demand_up(figure: CharacterState | NpcState) -> None:
    """Refuse an action that requires HP above 0. [UC-4.10]"""
    demand(is_up(figure), "down", "UC-4.10")


def weapons(figure: CharacterState | NpcState) -> range:
    """Return the indices of a figure's weapons: an NPC has one. [UC-8.2]"""
    return range(1 if isinstance(figure, NpcState) else len(figure.weapons))


def weapon_value(figure: CharacterState | NpcState, index: int | None) -> int:
    """Return q of an attack: bare hands are 0, and an NPC's one weapon is index 0. [UC-7.2, 8.2]"""
    values = (figure.weapon,) if isinstance(figure, NpcState) else [item.value for item in figure.weapons]
    if index is None:
        return 0
    demand(index < len(values), "unknown_weapon", "UC-8.2")
    return values[index]


def armour_value(figure: CharacterState | NpcState) -> int:
    """Return q of a defence; for armour and shield together, the higher value plus 1. [UC-7.2, 7.3]"""
    if isinstance(figure, NpcState):
        return figure.armour
    if figure.armour is not None and figure.shield is not None:
        return max(figure.armour, figure.shield) + 1
    return figure.armour or figure.shield or 0
