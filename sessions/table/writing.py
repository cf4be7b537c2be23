"""Store a move's log row and checkpoints, and notify pages once the move is committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db import transaction

import characters.services
from characters.models import Character
from companion.limits.quotas import QuotaExceeded
from sessions.engine.history import checkpoints_due
from sessions.engine.step import encode
from sessions.evening.announcing import broadcast as announce_evening
from sessions.game import Event, IllegalMove, Json
from sessions.models import Move, Table
from sessions.table import advancing, afterwards, milestones, moved
from sessions.table.held import CachedTable
from sessions.table.request import MoveRequest


def write(row: Move, restored: int, snapshot: bytes) -> None:
    """Write a row of the log, and the checkpoints that are due with it.

    :param restored: the version that the row restores, its own number for a move of the rules.
    :raises IllegalMove: ``log_full``.
    """
    try:
        advancing.log(row)
    except QuotaExceeded:
        raise IllegalMove("log_full") from None
    if numbers := checkpoints_due(row.number, restored):
        milestones.store_checkpoints(row.table, dict.fromkeys(numbers, snapshot))


def build_move_row(table: Table, number: int, request: MoveRequest, move: Any, events: list[Event]) -> Move:
    """Return the log row of a move, not written yet."""
    return Move(
        table=table,
        number=number,
        seat=request.seat,
        client_id=request.client_id,
        move=encode(move),
        events=encode(events),
        stand_in=request.stand_in,
        bot=request.bot,
    )


def after_commit(
    now: CachedTable, then: CachedTable, changed: Mapping[str, Json], publish: Callable[[], object]
) -> None:
    # Not a partial: Django logs a failing callback by its ``__qualname__``, which a partial lacks.
    transaction.on_commit(lambda: _publish_move(now, then, changed, publish), robust=True)


def _publish_move(
    now: CachedTable, then: CachedTable, changed: Mapping[str, Json], publish: Callable[[], object]
) -> None:
    """Notify all pages, and start the jobs that follow.

    :param changed: the sheet fields that the move changed permanently, by seat.
    """
    publish()
    moved.publish_version(then.table)
    if then.beside_others and then.waited_for != now.waited_for:
        # Pages of other tables mark the tables that wait for their seat with a dot.
        afterwards.run_or_defer(partial(announce_evening, then.table.session_id, "tabs"))
    for sits in then.table.sitters:
        if sits.key in changed and sits.seat and sits.seat.character_id:
            afterwards.run_or_defer(partial(_write_sheet, sits.seat.character_id, changed[sits.key]))


def _write_sheet(character_pk: int, fields: Json) -> None:
    """Save a table's permanent changes to a character sheet."""
    if character := Character.objects.filter(pk=character_pk).first():
        characters.services.set_hp(character=character, hp=fields["hp"])
