"""Moves that the table's GM makes by a form: seat a latecomer, write hit points, look at a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode
from sessions.engine.undo import GM
from sessions.evening.announcements import broadcast
from sessions.game import Event, IllegalMove, Json, Sheets
from sessions.models import Seat
from sessions.table import moves, table_cache
from sessions.table.commit import lock_table
from sessions.table.moves import MoveRequest, Receipt
from sessions.table.opening import table_sheet
from sessions.table.seat_view import SeatView
from sessions.table.table_cache import CachedTable


def admit(*, table_pk: int, newcomer: Seat) -> Receipt:
    """Seat a latecomer at a running table for the GM, with the character they brought. [UC-3.5]

    :raises IllegalMove: the module has no such move, or does not allow it now.
    """
    with transaction.atomic():
        held = _lock_and_read(table_pk)
        if any(sits.seat_id == newcomer.pk for sits in held.table.sitters):
            raise IllegalMove("already_seated")
        sheets = _sheets(held)
        events = _play_for_gm(held, sheets.latecomer(table_sheet(newcomer)))
        held.table.table_seats.create(seat=newcomer, key=sheets.seat_of(events))
        broadcast(held.table.session_id)
    return Receipt(held.version + 1)


class HitPointChange(NamedTuple):
    name: str
    was: int
    now: int


def set_figure_hp(*, table_pk: int, who: str, change: Callable[[int], int], by: str | None) -> HitPointChange:
    """Set a figure's HP as the GM. [UC-10.6]

    :param change: calculates the new HP from the present one.
    :param by: the player's seat that wrote the HP in the GM's place.
    :raises IllegalMove: out of range, or not allowed now.
    """
    with transaction.atomic():
        held = _lock_and_read(table_pk)
        sheets, view = _sheets(held), held.view_for(GM).view
        figure = {**sheets.characters(view), **sheets.npcs(view)}.get(who)
        if figure is None:
            raise IllegalMove("unknown_npc")
        after = change(figure.hp)
        _play_for_gm(held, sheets.set_hp(who, after, by))
    return HitPointChange(figure.name, figure.hp, after)


def peek(*, table_pk: int, key: str) -> SeatView:
    """Let the GM look at a player's hand; return that seat's view. The log reports this to everybody.

    :raises IllegalMove: the table's GM may not look, or the seat is empty.
    """
    with transaction.atomic():
        held = _lock_and_read(table_pk)
        move = registry()[held.table.module].secrets.peek
        if move is None:
            raise IllegalMove("malformed_move")
        _play_for_gm(held, move(key))
    return held.unmask().view_for(key)


def _lock_and_read(table_pk: int) -> CachedTable:
    """Lock a table's row and read it.

    :raises IllegalMove: ``session_over``.
    """
    lock_table(table_pk)
    held = table_cache.read_table(table_pk)
    moves.require_running(held.table)
    return held


def _sheets(held: CachedTable) -> Sheets:
    """Return the module's hooks for character sheets.

    :raises IllegalMove: the module plays without sheets.
    """
    sheets = registry()[held.table.module].sheets
    if sheets is None:
        raise IllegalMove("malformed_move")
    return sheets


def _play_for_gm(held: CachedTable, move: Json) -> list[Event]:
    raw = encode(move)
    request = MoveRequest(seat=GM, raw=raw, version=held.version)
    return moves.play_move(held, request, decode_move(registry()[held.table.module], raw))
