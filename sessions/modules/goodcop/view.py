"""The view of one seat: an allow-list of what the seat may know, built field by field.

``resample`` makes other states that have the same views.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from msgspec import Struct, to_builtins

from sessions.game import Fate, Seat

from .legal import ChoicesView, phone_choices
from .moves import LEADERS, POSITIONS, Armed, Card, EquipmentId, Face, Position, Team
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

SPECIAL: set[Face] = {"agent", "kingpin", "infector"}
TRIES = 200


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
        # A window hides who has passed. [GC-6.2]
        waiting_for=tuple(
            other for other in sorted(waiting_for(state)) if other == seat or not in_window(state)
        ),
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


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal all cards again that none of ``seats`` sees.

    These are face-down cards, the cards left out, and equipment in hands and in the deck.
    """
    if state.result:
        return
    hidden = [player for seat, player in state.players.items() if seat not in seats]
    pile = fate.shuffle("equipment", [*state.deck, *(card for player in hidden for card in player.hand)])
    for player in hidden:
        player.hand, pile = pile[: len(player.hand)], pile[len(player.hand) :]
    state.deck = pile
    _deal_integrity(state, seats, fate)


def _deal_integrity(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the unseen faces until the deal is possible; keep the true deal if none is found."""
    unseen = [
        card
        for seat in state.seats
        for card in state.players[seat].cards
        if not card.up and not set(seats) & set(card.seen)
    ]
    faces = [card.face for card in unseen] + state.aside
    for _ in range(TRIES):
        dealt = fate.shuffle("integrity", faces)
        if _could_be(state, unseen, dealt):
            for card, face in zip(unseen, dealt, strict=False):
                card.face = face
            state.aside = dealt[len(unseen) :]
            return


def _could_be(state: State, unseen: list[Card], dealt: list[Face]) -> bool:
    """True if a deal is consistent with the game so far.

    No special card is left out, no player has two of them, and no zombie has a leader. The infector does not
    move to a card that another seat has seen, as that look would have exposed it.
    """
    new = dict(zip(map(id, unseen), dealt, strict=False))
    for player in state.players.values():
        faces = [new.get(id(card), card.face) for card in player.cards]
        if len(SPECIAL & set(faces)) > 1 or (player.zombie and LEADERS.keys() & set(faces)):
            return False
    infector = next((card for card in unseen if new[id(card)] == "infector"), None)
    moved = infector is not None and infector.face != "infector"
    return not SPECIAL & set(dealt[len(unseen) :]) and not (moved and infector and len(infector.seen) > 1)
