"""The view of one seat: an allow-list of what the seat may know, built field by field."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, to_builtins

from sessions.game import Seat

from .legal import ChoicesView, phone_choices
from .moves import POSITIONS, Armed, Card, EquipmentId, Face, Position, Team
from .state import Dice, Options, Phase, Player, State, can_fire, infector_hidden, leads, team, waiting_for

Shown = Face | Literal["?"]


class CardView(Struct, frozen=True):
    """An integrity card on the table."""

    face: Shown
    up: bool
    wounded: bool
    infected: bool


class PlayerView(Struct, frozen=True):
    """A player as this seat sees them."""

    alive: bool
    zombie: bool
    armed: Armed | bool
    aim: Seat | None
    can_fire: bool
    cards: tuple[CardView, ...]
    hand_count: int
    active: tuple[EquipmentId, ...]


class DiceView(Struct, frozen=True):
    """Dice that lie on the table until the reaction window after the roll closes."""

    kind: Dice
    seat: Seat
    faces: tuple[int, ...]


class KnownView(Struct, frozen=True):
    """Another player's face-down card that this seat has seen."""

    seat: Seat
    position: Position
    face: Face


class MyView(Struct, frozen=True):
    """The part of a view that only the owner of a seat knows."""

    cards: tuple[Face, ...]
    hand: tuple[EquipmentId, ...]
    known: tuple[KnownView, ...]
    team: Team
    leader: bool


class RevealView(Struct, frozen=True):
    """A player's cards, hand and team, revealed at the end."""

    cards: tuple[Face, ...]
    hand: tuple[EquipmentId, ...]
    team: Team


class View(Struct, frozen=True):
    seat: Seat | None
    phase: Phase
    turn: Seat
    turns: int
    order: tuple[Seat, ...]
    direction: int
    declared: dict[str, Any] | None
    dice: DiceView | None
    deck_count: int
    middle: tuple[EquipmentId, ...]
    players: dict[Seat, PlayerView]
    me: MyView | None
    waiting_for: tuple[Seat, ...]
    reveal: dict[Seat, RevealView] | None
    winners: tuple[Seat, ...] | None
    reason: str | None
    options: Options
    infector_up: bool | None  # true if the infector lies face up; null without zombies
    seen: dict[Seat, tuple[tuple[Seat, ...], ...]]  # by position, other seats that saw a hidden card [GC-4.2]
    mine: ChoicesView | None


def view(state: State, seat: Seat | None) -> View:
    """Return the view of ``seat``; None is a spectator."""
    result = state.result
    return View(
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        order=tuple(state.order),
        direction=state.direction,
        declared=_declared_view(state),
        dice=_dice(state),
        deck_count=len(state.deck),
        middle=tuple(state.middle),
        players={other: _player(state, other, seat) for other in state.seats},
        me=_me(state, seat) if seat else None,
        waiting_for=_waiting_for(state, seat),
        reveal={other: _reveal(state, other) for other in state.seats} if result else None,
        winners=result.winners if result else None,
        reason=result.reason if result else None,
        options=state.options,
        infector_up=not infector_hidden(state) if state.options.zombies else None,
        seen={other: tuple(_observers_by_position(state, other)) for other in state.seats},
        mine=phone_choices(state, seat) if seat else None,
    )


def _declared_view(state: State) -> dict[str, Any] | None:
    """Return the declared action; a shot or a bite with its target, which a card may have changed."""
    if state.declared is None:
        return None
    move: dict[str, Any] = to_builtins(state.declared)
    return {**move, "target": state.target} if state.target else move


def _dice(state: State) -> DiceView | None:
    dice = state.dice
    return DiceView(dice.kind, dice.seat, tuple(dice.faces)) if dice else None


def _waiting_for(state: State, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the awaited seats; in a window only the viewer's, so that it hides who passed. [GC-6.2]"""
    waiting = sorted(waiting_for(state))
    if state.phase in ("reaction", "dice", "end_reaction"):
        return tuple(other for other in waiting if other == seat)
    return tuple(waiting)


def _player(state: State, seat: Seat, looker: Seat | None) -> PlayerView:
    player = state.players[seat]
    over = state.result is not None
    return PlayerView(
        alive=player.alive,
        zombie=player.zombie,
        armed=player.armed or False,
        aim=player.aim,
        can_fire=can_fire(state, seat),
        cards=tuple([_card(card, over or knows(card, looker)) for card in player.cards]),
        hand_count=len(player.hand),
        active=tuple(player.active),
    )


def _card(card: Card, known: bool) -> CardView:
    return CardView(card.face if known else "?", card.up, card.wounded, card.infected)


def knows(card: Card, looker: Seat | None) -> bool:
    """True if a seat knows a card's face; ``seen`` includes the card's owner."""
    return card.up or looker in card.seen


def _me(state: State, seat: Seat) -> MyView:
    player = state.players[seat]
    return MyView(
        cards=_faces(player),
        hand=tuple(player.hand),
        known=tuple(_known_cards(state, seat)),
        team=team(state, seat),
        leader=leads(state, seat),
    )


def _faces(player: Player) -> tuple[Face, ...]:
    return tuple(card.face for card in player.cards)


def _observers_by_position(state: State, seat: Seat) -> list[tuple[Seat, ...]]:
    """Return by position the other seats that know a face-down card.

    This is public: every look was announced, and so was every former owner. [GC-4.2]
    """
    return [
        () if card.up else tuple([other for other in card.seen if other != seat])
        for card in state.players[seat].cards
    ]


def _known_cards(state: State, seat: Seat) -> list[KnownView]:
    return [
        KnownView(other, position, card.face)
        for other in state.seats
        for position, card in zip(POSITIONS, state.players[other].cards, strict=True)
        if other != seat and not card.up and seat in card.seen
    ]


def _reveal(state: State, seat: Seat) -> RevealView:
    player = state.players[seat]
    return RevealView(_faces(player), tuple(player.hand), team(state, seat))
