"""Bots at live tables. They have no page and no process: open pages of the table drive them.

If the table waits for bots, a page calls ``play_next`` for their moves after ``PACE`` seconds. If the table
has a clock, it calls ``play_late`` for people whose time is over. At slow tables the server calls both, too
(unattended.py). Several pages may call; the row's lock and the version make sure that each bot moves once.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Collection
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.shelf import registry
from sessions.engine.step import encode
from sessions.game import IllegalMove
from sessions.models import Table, TableSeat
from sessions.table import clock, lessons, looks, moves, silence
from sessions.table.held import CachedTable
from sessions.table.locking import lock

logger = logging.getLogger(__name__)

#: Seconds that every bot takes for every move, so that its speed does not reveal anything.
PACE = 1.6
#: The same in a reaction window (silence.py), where bots mostly pass and players need not follow each pass.
BREATH = 0.4
#: The same for a scripted bot, whose story the player reads along.
SCRIPT_PACE = 2.4


def pace(now: CachedTable, waited: Collection[TableSeat]) -> float:
    """Return the seconds until the bots that the table waits for play."""
    if silence.is_reaction_open(now):
        return BREATH
    return SCRIPT_PACE if any(sits.bot == bots.SCRIPT for sits in waited) else PACE


def play_next(*, table_pk: int, version: int) -> moves.Receipt | None:
    """Let each bot that the table waits for play one move; do nothing if the table has moved on.

    :param version: the table's version at which it waited for bots.

    If several bots are asked at once, all answer at once, so that people do not wait for one after the other.
    A bot that is asked something else after the first bot's move waits for its next turn.
    """
    return _answer_all(table_pk, version, _bots_to_move)


def play_late(
    *, table_pk: int, version: int, going_on: Collection[str] = frozenset()
) -> moves.Receipt | None:
    """Let a bot of the plain level answer once for each person whose time is over; else as ``play_next``.

    :param going_on: the seats whose turn a bot began because they were late, and now continues.
    """
    return _answer_all(table_pk, version, partial(_late, going_on=going_on))


def _answer_all(
    table_pk: int, version: int, chosen: Callable[[Table], list[TableSeat]]
) -> moves.Receipt | None:
    receipt = None
    with transaction.atomic():
        if not Table.objects.filter(pk=table_pk).exists():
            return None
        table = lock(table_pk)
        if table.version != version or table.ended_at or table.session.ended_at:
            return None
        questions = {sits: looks.seat_view(table, sits.key).asked for sits in chosen(table)}
        for sits, question in questions.items():
            table.refresh_from_db()
            if looks.seat_view(table, sits.key).asked == question:
                receipt = _answer(table, sits) or receipt
    return receipt


def _answer(table: Table, sits: TableSeat) -> moves.Receipt | None:
    for kind in dict.fromkeys([sits.bot or bots.usual(registry()[table.module]), bots.RANDOM]):
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
    move = bots.choose(module, kind, module.load(bytes(table.snapshot)), sits.key, _fate(table, sits.key))
    return moves.submit(
        table.pk,
        moves.MoveRequest(
            seat=sits.key,
            client_id=uuid.uuid4(),
            raw=encode(move),
            version=table.version,
            asked="",
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


def _bots_to_move(table: Table) -> list[TableSeat]:
    return list(_seats_to_move(table).exclude(bot=""))


def _late(table: Table, *, going_on: Collection[str]) -> list[TableSeat]:
    """Return the people that the table waits for: all if their time is over, else those in ``going_on``."""
    if not clock.runs(table):
        return []
    over = not clock.seconds_left(table, clock.since(table), stood=lessons.clock_pause(table).so_far)
    people = _seats_to_move(table).filter(bot="")
    return list(people if over else people.filter(key__in=going_on))


def _seats_to_move(table: Table) -> QuerySet[TableSeat]:
    module = registry()[table.module]
    return table.table_seats.filter(key__in=module.waiting_for(module.load(bytes(table.snapshot))))
