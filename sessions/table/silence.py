"""Reaction timeouts: a question to all players who could react at once is answered by silence.

A game defines the move that silence means (``Pace.silence``). All players who are asked have the same few
seconds, regardless of their cards and of the answers so far. Then the table plays that move for each silent
player, so that no sleeping phone holds up the others. A page whose player reads their options asks for more
time (``hold``).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from typing import Any

from django.core.cache import cache

from sessions.engine.shelf import registry
from sessions.engine.step import encode
from sessions.game import AnyModule, IllegalMove, Move
from sessions.models import Seat, Table, Trial
from sessions.table import held, looks, moves
from sessions.table.held import CachedTable

#: Seconds after which silence counts as the answer.
WINDOW = 6.0
#: Seconds that a seat has at least after it stopped reading.
AFTER_READING = 3.0
#: Seconds that a hold lasts unless the page renews it (static/js/silence.js does so in time).
HOLD = 60


def open_questions(now: CachedTable) -> dict[str, str]:
    """Return the people's seats whose question silence answers, each with the question's hash."""
    module, table = registry()[now.table.module], now.table
    if table.ended_at or table.session.ended_at or table.session.trial == Trial.FIRST_GAME:
        return {}  # A first game has lessons to read, so no time runs.
    seats = [sits.key for sits in table.sitters if not sits.bot and _silence(now, sits.key)]
    return {seat: looks.question_hash(module, now.state, seat) for seat in seats}


def is_reaction_open(now: CachedTable) -> bool:
    """True if silence would answer the question of a seat that the table waits for."""
    return can_answer_by_silence(registry()[now.table.module], now.state, now.waited_for)


def can_answer_by_silence(module: AnyModule, state: Any, seats: Iterable[str]) -> bool:
    """True if silence would answer the question of any of these seats."""
    return any(module.pace.silence(state, seat) for seat in seats)


def hold(*, table_pk: int, seat: str, asked: str, reads: bool) -> None:
    """Note that a seat reads its options, which stops its timeout, or that it has stopped reading."""
    key = _key(table_pk, seat, asked)
    if reads:
        cache.set(key, True, HOLD)
    else:
        cache.delete(key)


def reading(table_pk: int, questions: dict[str, str]) -> set[str]:
    """Return those of the seats that are reading their options."""
    keys = {_key(table_pk, seat, asked): seat for seat, asked in questions.items()}
    return {keys[key] for key in cache.get_many(list(keys))}


def take(*, table_pk: int, version: int, seats: Collection[str]) -> moves.Receipt | None:
    """Play the move that silence means for each of these seats, unless the table has left that version."""
    receipt = None
    try:
        now = held.get_table(table_pk)
        if now.version != version:
            return None
        for seat, asked in open_questions(now).items():
            if seat in seats:
                receipt = _play(table_pk, version, seat, asked) or receipt
    except Table.DoesNotExist:
        return None
    return receipt


def seat_without_options(now: CachedTable) -> str | None:
    """Return the seat of the session's only person if it is asked although it has no move but silence.

    Such a seat need not wait for the timeout. With other people in the session every question must take
    equally long, or a short wait would reveal that a seat could play nothing.
    """
    module, questions = registry()[now.table.module], open_questions(now)
    people = {sits.seat_id for sits in now.table.sitters if sits.seat_id is not None}
    if len(questions) != 1 or len(people) != 1:
        return None
    (seat,) = questions
    if len(module.legal_moves(now.state, seat)) > 1:
        return None
    in_the_room = Seat.objects.filter(session=now.table.session_id).exclude(pk__in=people)
    return None if in_the_room.exists() else seat


def _silence(now: CachedTable, seat: str) -> Move | None:
    move: Move | None = registry()[now.table.module].pace.silence(now.state, seat)
    return move


def _play(table_pk: int, version: int, seat: str, asked: str) -> moves.Receipt | None:
    now = held.get_table(table_pk)
    move = _silence(now, seat)
    if move is None:
        return None
    request = moves.MoveRequest(
        seat=seat, client_id=uuid.uuid4(), raw=encode(move), version=version, asked=asked
    )
    try:
        return moves.submit(table_pk, request)
    except IllegalMove:
        # The seat has just answered, or a bot plays it now.
        return None


def _key(table_pk: int, seat: str, asked: str) -> str:
    return f"reads.{table_pk}.{seat}.{asked}"
