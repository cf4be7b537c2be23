"""Legal moves: all of them, or a sample where texts, numbers or orders make them too many."""

from __future__ import annotations

from itertools import product

from companion.cards import SUITS, Card, is_joker
from sessions.game import Seat, allows

from . import gm_legal, interrupts
from .asking import allow_draw, asked_seat, asked_side, turn_seat
from .figures import actor, figure_of, is_up
from .hands import surplus
from .items import weapons
from .moves import (
    AnyMove,
    Attack,
    Declare,
    Discard,
    Draw,
    GiveUp,
    Interrupt,
    NameSuit,
    Observe,
    Other,
    Play,
    Raise,
    Stop,
    Support,
    Withdraw,
)
from .state import GM, State, Task

ANY_TEXT = "…"


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now.

    Some are samples:

    - ``support``: each card and each receiver
    - ``discard``: the oldest cards and the newest
    - texts: one
    - actions in the GM's turn: those of one NPC
    - moves of the GM: see gm_moves
    """
    if state.ended:
        return []
    moves = _answers(state, seat) if asked_seat(state) == seat else []
    if turn_seat(state) == seat:
        for npc in _sample(actors(state, seat), state.task_number):
            moves += _actions(state, seat, npc)
    moves += _requests(state, seat)
    if seat == GM:
        moves += gm_legal.gm_moves(state)
    return [*moves, Declare(ANY_TEXT)]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    hand, task = state.hands[seat].visible_cards, state.task
    if task is None:
        return _discards(hand, surplus(state, seat))
    if task.stage == "name":
        return [NameSuit(suit) for suit in SUITS]
    if task.stage == "raise":
        return []
    side = asked_side(task)
    moves: list[AnyMove] = [play for card in hand for play in _plays(card)]
    if allow_draw(state):
        moves.append(Draw())
    if not side.cards:
        moves.append(GiveUp())
    elif task.chain:
        moves.append(Stop())
    if task.kind == "interrupt" and is_up(actor(state, seat, side.npc)):
        moves += _supports(state, seat, side.npc)
    return moves + _raises(task)


def _plays(card: Card) -> list[AnyMove]:
    return [Play(card, suit) for suit in SUITS] if is_joker(card) else [Play(card)]


def _discards(hand: list[Card], count: int) -> list[AnyMove]:
    oldest, newest = Discard(tuple(hand[:count])), Discard(tuple(reversed(hand[-count:])))
    return [oldest] if oldest == newest else [oldest, newest]


def _raises(task: Task) -> list[AnyMove]:
    if task.stage != "active" or task.raise_to is not None:
        return []
    return [Raise(difficulty) for difficulty in range(task.difficulty + 1, 6)]


def actors(state: State, seat: Seat) -> list[str | None]:
    """Return the NPC ids that a seat may act for in its turn; None is a player's own character."""
    return [npc.id for npc in state.npcs if not npc.acted and is_up(npc)] if seat == GM else [None]


def _sample(npcs: list[str | None], number: int) -> list[str | None]:
    return [npcs[number % len(npcs)]] if npcs else []


def _actions(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    observes: list[AnyMove] = [Observe(npc, card) for card in (None, *state.hands[seat].visible_cards)]
    return [*_attacks(state, seat, npc), *observes, *_supports(state, seat, npc), Other(npc, ANY_TEXT)]


def _attacks(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    figure = actor(state, seat, npc)
    everybody = [*state.seating, *(other.id for other in state.npcs)]
    targets = [who for who in everybody if who != (npc or seat)]
    with_weapon, with_skill = [None, *weapons(figure)], [None, *range(len(figure.skills))]
    ways = product(targets, range(1, 6), with_weapon, with_skill, (False, True))
    return [Attack(npc, *way) for way in ways]


def _supports(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    cards = state.hands[seat].visible_cards
    receivers = [to for to in state.seats if to != seat and (to == GM or is_up(figure_of(state, to)))]
    if not cards or not receivers:
        return []
    return [
        Support(npc, receivers[i % len(receivers)], cards[i % len(cards)], ANY_TEXT)
        for i in range(max(len(cards), len(receivers)))
    ]


def _requests(state: State, seat: Seat) -> list[AnyMove]:
    if interrupts.open_request(state, seat):
        return [Withdraw()]
    npcs: list[str | None] = [npc.id for npc in state.npcs] if seat == GM else [None]
    return [Interrupt(npc, ANY_TEXT) for npc in npcs if allows(interrupts.may_ask, state, seat, npc)]
