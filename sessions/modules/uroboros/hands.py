"""Adjusting hands 手札整理. [UC-4.8]"""

from __future__ import annotations

from collections.abc import Iterable

from sessions.game import IllegalMove, Seat, demand

from .moves import Discard
from .piles import draw_to_hand, lay
from .scene import Scene
from .state import GM, State


def hand_limit(state: State, seat: Seat) -> int:
    """Return the right size of a hand: the current HP; for the GM, the players + 1. [UC-3.3, 4.8]"""
    return len(state.seating) + 1 if seat == GM else max(state.characters[seat].hp, 0)


def surplus(state: State, seat: Seat) -> int:
    """Return the number of cards above the limit and ``extra``, 0 or less if there are none. [UC-4.8, 8.5]"""
    hand = state.hands[seat]
    return len(hand.cards) - hand_limit(state, seat) - hand.extra


def adjust(scene: Scene, seats: Iterable[Seat]) -> None:
    """Let these seats adjust, one after the other, after the seats that already wait to do so."""
    state = scene.state
    waited = bool(state.adjusting)
    for seat in seats:
        if seat not in state.adjusting:
            state.adjusting.append(seat)
    settle(scene)
    if state.adjusting and not waited:
        state.task_number += 1


def settle(scene: Scene) -> None:
    """Continue adjusting until a seat has to discard or all are done."""
    state = scene.state
    while state.adjusting:
        seat = state.adjusting[0]
        _refill(scene, seat)
        if surplus(state, seat) > 0:
            return
        state.adjusting.pop(0)


def end_debts(state: State, seat: Seat) -> None:
    """End a seat's right to extra cards and its ban on refilling. [UC-8.5, 9.3]"""
    hand = state.hands[seat]
    hand.extra, hand.owes = 0, False


def discard(scene: Scene, seat: Seat, move: Discard) -> None:
    """Lay exactly the surplus onto the field, the last card on top. [UC-4.8]

    :raises IllegalMove: ``wrong_count``, ``card_twice``, ``not_in_hand``.
    """
    state = scene.state
    demand(len(move.cards) == surplus(state, seat), "wrong_count", "UC-4.8", need=surplus(state, seat))
    demand(len(set(move.cards)) == len(move.cards), "card_twice", "UC-4.8")
    for card in move.cards:
        take(state, seat, card)
        lay(state, card)
    scene.tell("discarded", seat=seat, cards=list(move.cards))
    settle(scene)


def take(state: State, seat: Seat, card: str) -> None:
    """Take a card out of a hand.

    :raises IllegalMove: ``not_in_hand``.
    """
    try:
        state.hands[seat].cards.remove(card)
    except ValueError:
        raise IllegalMove("not_in_hand", rule="UC-4.5") from None


def _refill(scene: Scene, seat: Seat) -> None:
    hand, room = scene.state.hands[seat], hand_limit(scene.state, seat)
    if room == 0:
        end_debts(scene.state, seat)
    if not hand.owes:
        draw_to_hand(scene, seat, room - len(hand.cards))
