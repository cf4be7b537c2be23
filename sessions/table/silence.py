"""Silence as an answer: where all who could break in are asked at once, and most have nothing to say.

A game says which move silence means (``Pace.silence``). Everybody who is asked has the same few seconds,
whatever they hold and however many have answered; then the table plays that move for whoever is silent, so
that no sleeping phone holds the others up. Whoever reads what they could play asks for more (``hold``).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from typing import Any

from django.core.cache import cache

from sessions.engine.shelf import shelf
from sessions.engine.step import encode
from sessions.game import AnyModule, IllegalMove, Move
from sessions.models import Seat, Table, Trial
from sessions.table import held, looks, moves
from sessions.table.held import Held

#: Seconds that silence takes to be an answer.
WINDOW = 6.0
#: Seconds that are left at least to a seat that has stopped reading.
AFTER_READING = 3.0
#: Seconds that a hold lasts unless the page asks for it again (static/js/silence.js does, in time).
HOLD = 60


def open_questions(now: Held) -> dict[str, str]:
    """Return the seats of people to whose question silence is an answer, each with the question's mark."""
    module, table = shelf()[now.table.module], now.table
    if table.ended_at or table.session.ended_at or table.session.trial == Trial.FIRST_GAME:
        return {}  # No time runs while a lesson is read.
    seats = [sits.key for sits in table.sitters if not sits.bot and _silence(now, sits.key)]
    return {seat: looks.asked(module, now.state, seat) for seat in seats}


def is_asked(now: Held) -> bool:
    """True if the table waits for whoever wants to break in."""
    return are_asked(shelf()[now.table.module], now.state, now.waited_for)


def are_asked(module: AnyModule, state: Any, seats: Iterable[str]) -> bool:
    """True if silence is an answer of any of these seats."""
    return any(module.pace.silence(state, seat) for seat in seats)


def hold(*, table_pk: int, seat: str, asked: str, reads: bool) -> None:
    """Note that a seat reads what it could play, so that its silence is none; or that it has stopped."""
    key = _key(table_pk, seat, asked)
    if reads:
        cache.set(key, True, HOLD)
    else:
        cache.delete(key)


def reading(table_pk: int, questions: dict[str, str]) -> set[str]:
    """Return those of the seats that read what they could play."""
    keys = {_key(table_pk, seat, asked): seat for seat, asked in questions.items()}
    return {keys[key] for key in cache.get_many(list(keys))}


def take(*, table_pk: int, version: int, seats: Collection[str]) -> moves.Receipt | None:
    """Play what the silence of these seats means; nothing if the table has moved on from that version."""
    receipt = None
    try:
        now = held.newest(table_pk)
        if now.version != version:
            return None
        for seat, asked in open_questions(now).items():
            if seat in seats:
                receipt = _play(table_pk, version, seat, asked) or receipt
    except Table.DoesNotExist:
        return None
    return receipt


def alone_with_nothing(now: Held) -> str | None:
    """Return the seat that plays with bots, is looked at by nobody, and is asked though it can play nothing.

    Where a person could see how long it takes, it takes as long as for everybody.
    """
    module, questions = shelf()[now.table.module], open_questions(now)
    people = {sits.seat_id for sits in now.table.sitters if sits.seat_id is not None}
    if len(questions) != 1 or len(people) != 1:
        return None
    (seat,) = questions
    if len(module.legal_moves(now.state, seat)) > 1:
        return None
    in_the_room = Seat.objects.filter(session=now.table.session_id).exclude(pk__in=people)
    return None if in_the_room.exists() else seat


def _silence(now: Held, seat: str) -> Move | None:
    move: Move | None = shelf()[now.table.module].pace.silence(now.state, seat)
    return move


def _play(table_pk: int, version: int, seat: str, asked: str) -> moves.Receipt | None:
    now = held.newest(table_pk)
    move = _silence(now, seat)
    if move is None:
        return None
    request = moves.Request(seat=seat, client_id=uuid.uuid4(), raw=encode(move), version=version, asked=asked)
    try:
        return moves.submit(table_pk, request)
    except IllegalMove:
        # The seat answered in this very moment, or is in other hands by now.
        return None


def _key(table_pk: int, seat: str, asked: str) -> str:
    return f"reads.{table_pk}.{seat}.{asked}"
