"""Send the moves that have no sender: of bots, for late players, and the answer that silence means.

Bots have no page and no process: open pages of the table drive them. If the table waits for bots, a page
calls ``play_next`` for their moves after ``PACE`` seconds. If the table has a clock, it calls ``play_late``
for people whose time is over. At slow tables the server calls both, too (slow_tables.py). Several pages may
call; the row's lock and the version make sure that each bot moves once.

A question to all players who could react at once is answered by silence: a game defines the move that silence
means (``Reactions.silence``). All players who are asked have the same few seconds, regardless of their cards
and of the answers so far. Then the table plays that move for each silent player, so that no sleeping phone
holds up the others. A page whose player reads their options asks for more time (``note_reading``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.game import AnyModule, IllegalMove, Move
from sessions.models import Seat, Table, TableSeat, Trial
from sessions.table import clock, moves, seat_view, table_cache
from sessions.table.commit import lock_table
from sessions.table.table_cache import CachedTable

logger = logging.getLogger(__name__)
#: Seconds after which silence counts as the answer.
REACTION_SECONDS = 6.0
#: Seconds that a seat has at least after it stopped reading.
AFTER_READING = 3.0
#: Seconds that a hold lasts unless the page renews it (static/js/silence.js does so in time).
READING_KEPT = 60
#: Seconds that every bot takes for every move, so that its speed does not reveal anything.
PACE = 1.6
#: The same in a reaction window, where bots mostly pass and players need not follow each pass.
BREATH = 0.4
#: The same for a scripted bot, whose story the player reads along.
SCRIPT_PACE = 2.4


def open_questions(cached: CachedTable) -> dict[str, str]:
    """Return the people's seats whose question silence answers, each with the question's hash."""
    module, table = registry()[cached.table.module], cached.table
    if table.ended_at or table.session.ended_at or table.session.trial == Trial.FIRST_GAME:
        return {}  # A first game has lessons to read, so no time runs.
    seats = [sits.key for sits in table.sitters if not sits.bot and _silent_move(cached, sits.key)]
    return {seat: seat_view.question_hash(module, cached.state, seat) for seat in seats}


def is_reaction_open(cached: CachedTable) -> bool:
    """True if silence would answer the question of a seat that the table waits for."""
    return can_answer_by_silence(registry()[cached.table.module], cached.state, cached.awaited_seats)


def can_answer_by_silence(module: AnyModule, state: Any, seats: Iterable[str]) -> bool:
    """True if silence would answer the question of any of these seats."""
    return any(module.pace.silence(state, seat) for seat in seats)


def note_reading(*, table_pk: int, seat: str, asked: str, reads: bool) -> None:
    """Note that a seat reads its options, which stops its timeout, or that it has stopped reading."""
    key = _key(table_pk, seat, asked)
    if reads:
        cache.set(key, True, READING_KEPT)
    else:
        cache.delete(key)


def reading_seats(table_pk: int, questions: dict[str, str]) -> set[str]:
    """Return the seats that are reading their options, of those with these questions."""
    keys = {_key(table_pk, seat, asked): seat for seat, asked in questions.items()}
    return {keys[key] for key in cache.get_many(list(keys))}


def play_silence(*, table_pk: int, version: int, seats: Collection[str]) -> moves.Receipt | None:
    """Play the move that silence means for each of these seats, unless the table has left that version."""
    receipt = None
    try:
        cached = table_cache.get_table(table_pk)
        if cached.version != version:
            return None
        for seat, asked in open_questions(cached).items():
            if seat in seats and (move := _silent_move(table_cache.get_table(table_pk), seat)):
                request = moves.MoveRequest(seat=seat, raw=encode(move), version=version, asked=asked)
                with suppress(IllegalMove):  # The seat has just answered, or a bot plays it now.
                    receipt = moves.submit(table_pk, request)
    except Table.DoesNotExist:
        return None
    return receipt


def seat_without_options(cached: CachedTable) -> str | None:
    """Return the seat of the session's only person if it is asked although it has no move but silence.

    Such a seat need not wait for the timeout. With other people in the session every question must take
    equally long, or a short wait would reveal that a seat could play nothing.
    """
    module, questions = registry()[cached.table.module], open_questions(cached)
    people = {sits.seat_id for sits in cached.table.sitters if sits.seat_id is not None}
    if len(questions) != 1 or len(people) != 1:
        return None
    (seat,) = questions
    if len(module.legal_moves(cached.state, seat)) > 1:
        return None
    in_the_room = Seat.objects.filter(session=cached.table.session_id).exclude(pk__in=people)
    return None if in_the_room.exists() else seat


def _silent_move(cached: CachedTable, seat: str) -> Move | None:
    move: Move | None = registry()[cached.table.module].pace.silence(cached.state, seat)
    return move


def _key(table_pk: int, seat: str, asked: str) -> str:
    return f"reads.{table_pk}.{seat}.{asked}"


def bot_delay(cached: CachedTable, waited: Collection[TableSeat]) -> float:
    """Return the seconds until the bots that the table waits for play."""
    if is_reaction_open(cached):
        return BREATH
    return SCRIPT_PACE if any(sits.bot == bots.SCRIPT for sits in waited) else PACE


def play_next(*, table_pk: int, version: int) -> moves.Receipt | None:
    """Let each bot that the table waits for play one move; do nothing if the table has moved on.

    :param version: the table's version at which it waited for bots.

    If several bots are asked at once, all answer at once, so that people do not wait for one after the other.
    A bot that is asked something else after the first bot's move waits for its next turn.
    """
    return _answer_all(table_pk, version, lambda table: _seats_to_move(table).exclude(bot=""))


def play_late(
    *, table_pk: int, version: int, going_on: Collection[str] = frozenset()
) -> moves.Receipt | None:
    """Let a bot of the plain level answer once for each person whose time is over; else as ``play_next``.

    :param going_on: the seats whose turn a bot began because they were late, and now continues.
    """
    return _answer_all(table_pk, version, partial(_late_people, going_on=going_on))


def _answer_all(
    table_pk: int, version: int, choose: Callable[[Table], Iterable[TableSeat]]
) -> moves.Receipt | None:
    receipt = None
    with transaction.atomic():
        if not Table.objects.filter(pk=table_pk).exists():
            return None
        table = lock_table(table_pk)
        if table.version != version or table.ended_at or table.session.ended_at:
            return None
        questions = {sits: seat_view.seat_view(table, sits.key).asked for sits in choose(table)}
        for sits, question in questions.items():
            table.refresh_from_db()
            if seat_view.seat_view(table, sits.key).asked == question:
                receipt = _answer(table, sits) or receipt
    return receipt


def _answer(table: Table, sits: TableSeat) -> moves.Receipt | None:
    for kind in dict.fromkeys([sits.bot or bots.default_kind(registry()[table.module]), bots.RANDOM]):
        try:
            with transaction.atomic():
                return _play_bot_move(table, sits, kind)
        except Exception as problem:
            if isinstance(problem, IllegalMove) and problem.code == "log_full":
                return None
            # A game's own bot that fails must not stop the game: a random legal move will do.
            at = table.pk, table.version
            logger.exception("table %s at %s: the %s bot of %s failed", *at, kind, sits.key)
    return None


def _play_bot_move(table: Table, sits: TableSeat, kind: str) -> moves.Receipt:
    module = registry()[table.module]
    move = bots.choose_move(
        module, kind, module.load(bytes(table.snapshot)), sits.key, _fate(table, sits.key)
    )
    return moves.submit(
        table.pk,
        moves.MoveRequest(
            seat=sits.key,
            raw=encode(move),
            version=table.version,
            bot=sits.bot or kind,
            once=not sits.bot,
        ),
    )


def _fate(table: Table, key: str) -> Fate:
    """Return the random source for a bot's next move. Its seed never coincides with one of the rules.

    In a game of the day bots answer the same play in the same way, however fast the person was. So the seed
    there counts the bot's own moves, not all moves of the table.
    """
    if table.daily:
        return Fate(f"bots of {table.secret} at {key}", table.moves.filter(seat=key).count())
    return Fate(f"bots of {table.secret}", table.version)


def _late_people(table: Table, *, going_on: Collection[str]) -> Iterable[TableSeat]:
    """Return the people that the table waits for: all if their time is over, else those in ``going_on``."""
    if not clock.is_running(table):
        return ()
    over = not clock.seconds_left(table, clock.clock_start(table), stood=clock.clock_pause(table).so_far)
    people = _seats_to_move(table).filter(bot="")
    return people if over else people.filter(key__in=going_on)


def _seats_to_move(table: Table) -> QuerySet[TableSeat]:
    module = registry()[table.module]
    return table.table_seats.filter(key__in=module.waiting_for(module.load(bytes(table.snapshot))))
