"""Legal moves: all of them, but a sample where text, numbers or orders make them endless."""

from __future__ import annotations

from companion.cards import SUITS, Card, is_joker
from sessions.engine.contract import Seat

from .figures import figure_of
from .hands import surplus
from .moves import (
    AddPlayer,
    AnyMove,
    Call,
    Cancel,
    Deal,
    Declare,
    Discard,
    Draw,
    End,
    Flip,
    GiveUp,
    NameSuit,
    Play,
    SetHp,
)
from .options import HP_LOWEST, Sheet
from .rulings import MOST_PLAYERS
from .state import GM, State
from .tasks import allow_draw, asked_seat, busy

DIFFICULTIES = range(6)


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return what ``seat`` may do now.

    Samples: of ``call`` each difficulty for each figure, plain; of ``set_hp`` one more and one less; of
    ``deal`` one card; of ``add_player`` a character of defaults; of ``discard`` the oldest cards and the
    newest; of ``declare`` one text.
    """
    if state.ended:
        return []
    moves = _answers(state, seat) if asked_seat(state) == seat else []
    if seat == GM:
        moves += _gm_moves(state)
    return [*moves, Declare("…")]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    hand = state.hands[seat].cards
    if state.task is None:
        return _discards(hand, surplus(state, seat))
    if state.task.stage == "name":
        return [NameSuit(suit) for suit in SUITS]
    plays = [play for card in hand for play in _plays(card)]
    draws: list[AnyMove] = [Draw()] if allow_draw(state) else []
    return [*plays, *draws, GiveUp()]


def _plays(card: Card) -> list[AnyMove]:
    return [Play(card, suit) for suit in SUITS] if is_joker(card) else [Play(card)]


def _discards(hand: list[Card], count: int) -> list[AnyMove]:
    oldest, newest = Discard(tuple(hand[:count])), Discard(tuple(reversed(hand[-count:])))
    return [oldest] if oldest == newest else [oldest, newest]


def _gm_moves(state: State) -> list[AnyMove]:
    moves: list[AnyMove] = [Cancel()] if busy(state) else _openings(state)
    moves += [Deal(seat, 1) for seat in _able(state)] + [Deal(GM, 1)]
    return [*moves, *_hp_moves(state), End()]


def _openings(state: State) -> list[AnyMove]:
    figures = [(seat, None) for seat in _able(state)] + [(GM, npc.id) for npc in state.npcs if npc.hp > 0]
    calls = [
        Call(seat, npc, difficulty, "", False, 0, False, False)
        for seat, npc in figures
        for difficulty in DIFFICULTIES
    ]
    latecomers = [AddPlayer(Sheet())] if len(state.seating) < MOST_PLAYERS else []
    return [*calls, Flip(), *latecomers]


def _able(state: State) -> list[Seat]:
    return [seat for seat in state.seating if state.characters[seat].hp > 0]


def _hp_moves(state: State) -> list[AnyMove]:
    return [
        SetHp(who, hp)
        for who in [*state.seating, *(npc.id for npc in state.npcs)]
        for figure in [figure_of(state, who)]
        for hp in (figure.hp - 1, figure.hp + 1)
        if HP_LOWEST <= hp <= figure.hp_max
    ]
