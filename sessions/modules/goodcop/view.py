"""The view of one seat: an allow-list of what the seat may know, built field by field."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, to_builtins

from sessions.game import Seat

from .legal import ChoicesView, phone_choices
from .moves import POSITIONS, Armed, Card, EquipmentId, Face, Position, Team
from .state import (
    Dice,
    Options,
    Phase,
    Player,
    State,
    can_fire,
    in_window,
    infector_hidden,
    leads,
    team,
    waiting_for,
)


class CardView(Struct, frozen=True):
    face: Face | Literal["?"]
    up: bool
    wounded: bool
    infected: bool


class PlayerView(Struct, frozen=True):
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
    result, dice = state.result, state.dice
    return View(
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        order=tuple(state.order),
        direction=state.direction,
        declared=_declared_view(state),
        dice=DiceView(dice.kind, dice.seat, tuple(dice.faces)) if dice else None,
        deck_count=len(state.deck),
        middle=tuple(state.middle),
        players={other: _player(state, other, seat) for other in state.seats},
        me=_me(state, seat) if seat else None,
        waiting_for=_waiting_for(state, seat),
        reveal=_reveal(state) if result else None,
        winners=result.winners if result else None,
        reason=result.reason if result else None,
        options=state.options,
        infector_up=not infector_hidden(state) if state.options.zombies else None,
        seen={other: _observers_by_position(state, other) for other in state.seats},
        mine=phone_choices(state, seat) if seat else None,
    )


def _declared_view(state: State) -> dict[str, Any] | None:
    """Return the declared action; a shot or a bite with its target, which a card may have changed."""
    if state.declared is None:
        return None
    move: dict[str, Any] = to_builtins(state.declared)
    return {**move, "target": state.target} if state.target else move


def _waiting_for(state: State, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the awaited seats; in a window only the viewer's, so that it hides who passed. [GC-6.2]"""
    hides = in_window(state)
    return tuple(other for other in sorted(waiting_for(state)) if other == seat or not hides)


def _player(state: State, seat: Seat, looker: Seat | None) -> PlayerView:
    player = state.players[seat]
    over = state.result is not None
    return PlayerView(
        alive=player.alive,
        zombie=player.zombie,
        armed=player.armed or False,
        aim=player.aim,
        can_fire=can_fire(state, seat),
        cards=tuple(
            CardView(card.face if over or knows(card, looker) else "?", card.up, card.wounded, card.infected)
            for card in player.cards
        ),
        hand_count=len(player.hand),
        active=tuple(player.active),
    )


def knows(card: Card, looker: Seat | None) -> bool:
    return card.up or looker in card.seen  # ``seen`` includes the card's owner


def _me(state: State, seat: Seat) -> MyView:
    player = state.players[seat]
    return MyView(
        cards=_faces(player),
        hand=tuple(player.hand),
        known=tuple(
            KnownView(other, position, card.face)
            for other in state.seats
            for position, card in zip(POSITIONS, state.players[other].cards, strict=True)
            if other != seat and not card.up and seat in card.seen
        ),
        team=team(state, seat),
        leader=leads(state, seat),
    )


def _faces(player: Player) -> tuple[Face, ...]:
    return tuple(card.face for card in player.cards)


def _observers_by_position(state: State, seat: Seat) -> tuple[tuple[Seat, ...], ...]:
    """Return by position the other seats that know a face-down card.

    This is public: every look was announced, and so was every former owner. [GC-4.2]
    """
    return tuple(
        () if card.up else tuple(other for other in card.seen if other != seat)
        for card in state.players[seat].cards
    )


def _reveal(state: State) -> dict[Seat, RevealView]:
    return {
        seat: RevealView(_faces(player), tuple(player.hand), team(state, seat))
        for seat, player in state.players.items()
    }
