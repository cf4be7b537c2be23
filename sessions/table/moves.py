"""The moves of a live table, and the moves that take moves back. The only way in.

A move of the rules is tried on the table as this process holds it (held.py), and counts only if the row still
has that version and that seating: no lock is held while rules are thought about, and nothing is read twice.
All other changes of a table (taking back, seating a latecomer) lock its row.
"""

from __future__ import annotations

import copy
import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

import characters.services
from characters.models import Character
from companion.fate import Fate
from companion.limits.quotas import Full
from companion.watching.metrics import MOVES
from sessions.engine import undo
from sessions.engine.history import due
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, encode, step
from sessions.engine.undo import Rewind, Undo
from sessions.evening.announcing import announce as announce_evening
from sessions.game import AnyModule, Event, IllegalMove, Json, Sheets
from sessions.models import Move, Seat, Table
from sessions.table import advancing, afterwards, held, log, milestones, moved, replay, veil
from sessions.table.held import Held
from sessions.table.locking import lock
from sessions.table.looks import Look, can_undo
from sessions.table.looks import asked as question
from sessions.table.opening import sheet

#: The tries of a move on the held table. If others were faster each time, the next try locks the row.
TRIES = 3
#: A game that thinks about a move for so many seconds, while others wait, is named in the log.
SLOW = 0.5

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Receipt:
    """The answer to an accepted move; the same move sent again gets the same receipt."""

    version: int
    again: bool = False


class Overtaken(Exception):
    """The table is no longer the one that the move was tried on."""


class Reseated(Exception):
    """The evening's seating has changed since the mover got leave to play."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A move as a seat asks for it."""

    seat: str
    client_id: uuid.UUID
    raw: bytes
    #: The table's version that the mover saw. An older version counts only while the seat is asked the same.
    version: int
    #: The mark of the question that the seat was asked, as the page carried it.
    asked: str
    #: The evening's seating at which the mover got leave to play this seat; None where none is needed.
    seating: int | None = None
    #: The stand-in who plays for the seat (代行), for the log.
    stand_in: str = ""
    #: The kind of the bot that plays because the seat was handed to it, or for this one move (``once``).
    bot: str = ""
    #: True if the bot plays because the player's time is over (clock.py): the seat stays in their hands.
    once: bool = False


def submit(table_pk: int, request: Request) -> Receipt:
    """Play one move, or refuse it.

    :raises IllegalMove: malformed, stale, against the rules, ``log_full``, or ``bot_plays``: the seat is in
        other hands; nothing was written.
    :raises Reseated: the mover's leave is to be asked for again; nothing was written.
    :raises Table.DoesNotExist:

    An undo and a rewind are moves like any other, but only at the very version that the mover saw: they must
    not take back what nobody has looked at.
    """
    for _ in range(TRIES):
        if receipt := _try(held.newest(table_pk), request):
            return receipt
        held.forget(table_pk)
    with transaction.atomic():
        lock(table_pk)
        if receipt := _try(held.read(table_pk), request):
            return receipt
    raise IllegalMove("stale")


def _try(now: Held, request: Request) -> Receipt | None:
    """Play a move on the table as it is held; None if the table has moved on by now.

    :raises IllegalMove: the present table refuses it.
    """
    counted = partial(MOVES.labels, now.table.module)
    try:
        receipt = _submit(now, request)
    except (IllegalMove, IntegrityError) as problem:
        if known := _answered(now.table.pk, request):
            counted("again").inc()
            return known
        # The held table may be old: only the present one refuses a move.
        if isinstance(problem, IllegalMove) and held.is_current(now):
            counted("refused").inc()
            raise
    except Overtaken:
        pass
    else:
        counted("accepted").inc()
        return receipt
    return None


def _answered(table_pk: int, request: Request) -> Receipt | None:
    """Return the receipt of a move that was played before under the same id."""
    rows = Move.objects.filter(table=table_pk, client_id=request.client_id, seat=request.seat)
    number = rows.values_list("number", flat=True).first()
    return None if number is None else Receipt(number, again=True)


def _submit(now: Held, request: Request) -> Receipt:
    table, module = now.table, shelf()[now.table.module]
    if request.seating is not None and request.seating != now.seating:
        raise Reseated if request.seating < now.seating else Overtaken
    _refuse_ended(table)
    hands = "" if request.once else request.bot
    if any(sits.key == request.seat and sits.bot != hands for sits in table.sitters):
        raise IllegalMove("bot_plays")
    move = undo.decode(module, request.raw)
    if isinstance(move, Undo | Rewind):
        return _take_back(now, request, move)
    if request.version != table.version and request.asked != question(module, now.state, request.seat):
        raise IllegalMove("stale")
    if table.ended_at:
        raise IllegalMove("game_over")
    _play(now, module, request, move)
    return Receipt(now.version + 1)


def rewind(*, table_pk: int, to: int, reason: str, version: int, stand_in: str = "") -> Receipt:
    """Take back every move after number ``to``, by the word of the GM or of the deputy who runs the session.

    Also at a table where the GM does not sit, and after its end while the evening runs.

    :raises IllegalMove: ``malformed_move``, ``stale``, ``cannot_rewind``, ``session_over``.
    """
    raw = encode({"type": "rewind", "to": to, "reason": reason})
    return submit(
        table_pk,
        Request(seat=undo.GM, client_id=uuid.uuid4(), raw=raw, version=version, asked="", stand_in=stand_in),
    )


def draw_now(*, table_pk: int, seat: str | None, version: int) -> None:
    """Lift the veil over the newest move before its time, for its mover: it is not taken back any more.

    Nothing happens if it is somebody else's move, or no veil lies over this version.
    """
    now = held.fresh(table_pk)
    if now.veiled is None or now.version != version or now.newest_mover != seat:
        return
    if Table.objects.filter(pk=table_pk, version=version).update(veiled_until=None):
        table = copy.copy(now.table)
        table.veiled_until = None
        held.keep(replace(now.unveiled(), table=table))
        moved.tell(table, unveiled=True)


def count_after(table: Table, to: int) -> int:
    """Return how many moves a rewind to number ``to`` would take back; 0 if there is no way back to it."""
    over = table.session.ended_at is not None
    return 0 if over else len(replay.history(table, table.version).after(to))


def admit(*, table_pk: int, newcomer: Seat) -> Receipt:
    """Seat a latecomer at a running table for the GM, with the character they brought. [UC-3.5]

    :raises IllegalMove: the module has no such move, or not now.
    """
    with transaction.atomic():
        now = _locked(table_pk)
        if any(sits.seat_id == newcomer.pk for sits in now.table.sitters):
            raise IllegalMove("already_seated")
        sheets = _sheets(now)
        events = _play_for_gm(now, sheets.latecomer(sheet(newcomer)))
        now.table.table_seats.create(seat=newcomer, key=sheets.seat_of(events))
        announce_evening(now.table.session_id)
    return Receipt(now.version + 1)


def write_hp(
    *, table_pk: int, who: str, change: Callable[[int], int], by: str | None
) -> tuple[str, int, int]:
    """Set HP by the GM's word, counted from its present value; return name, before and after. [UC-10.6]

    :param by: the player's seat that wrote it down in the GM's place.
    :raises IllegalMove: out of range, or not now.
    """
    with transaction.atomic():
        now = _locked(table_pk)
        sheets, view = _sheets(now), now.look(undo.GM).view
        figure = {**sheets.characters(view), **sheets.npcs(view)}.get(who)
        if figure is None:
            raise IllegalMove("unknown_npc")
        after = change(figure.hp)
        _play_for_gm(now, sheets.set_hp(who, after, by))
    return figure.name, figure.hp, after


def peek(*, table_pk: int, key: str) -> Look:
    """Let the GM look at a player's hand, which the log tells everybody; return that seat's look.

    :raises IllegalMove: the table's GM may not look, or nobody sits there.
    """
    with transaction.atomic():
        now = _locked(table_pk)
        move = shelf()[now.table.module].secrets.peek
        if move is None:
            raise IllegalMove("malformed_move")
        _play_for_gm(now, move(key))
    return now.unveiled().look(key)


def _locked(table_pk: int) -> Held:
    """Lock a table's row and read it: the next mover there waits.

    :raises IllegalMove: ``session_over``.
    """
    lock(table_pk)
    now = held.read(table_pk)
    _refuse_ended(now.table)
    return now


def _refuse_ended(table: Table) -> None:
    if table.session.ended_at:
        raise IllegalMove("session_over")


def _sheets(now: Held) -> Sheets:
    """Return the hooks by which the table's module plays with character sheets.

    :raises IllegalMove: it plays without.
    """
    sheets = shelf()[now.table.module].sheets
    if sheets is None:
        raise IllegalMove("malformed_move")
    return sheets


def _play_for_gm(now: Held, move: Json) -> list[Event]:
    """Play a GM's move that the service itself composed, on a locked table."""
    module, raw = shelf()[now.table.module], encode(move)
    request = Request(seat=undo.GM, client_id=uuid.uuid4(), raw=raw, version=now.version, asked="")
    return _play(now, module, request, decode_move(module, raw))


def _play(now: Held, module: AnyModule, request: Request, move: Any) -> list[Event]:
    """Apply a move to the table as it is held; it counts if nobody was faster.

    :raises Overtaken: another move was faster; nothing was written.
    """
    table, number, began = now.table, now.version + 1, time.perf_counter()
    if now.veiled is not None:
        # What is refused must not tell which cards lie face down: the move before can still be taken back.
        step(module, encode(now.veiled), request.seat, move, Fate(table.secret, number))
    snapshot, events = step(module, bytes(table.snapshot), request.seat, move, Fate(table.secret, number))
    state = module.load(snapshot)
    ended_at = timezone.now() if module.outcome(state) else None
    row = _row(table, number, request, move, events)
    changed = module.sheets.after(events) if module.sheets else {}
    veiled = None if request.bot else veil.lay(module, now.state, state, table.session)
    then = now.after(row, state, snapshot, ended_at, veiled)
    for seat in (None, *state.seats):
        then.look(seat)  # A move that led to where a game fails would take everybody's screen away.
    if (took := time.perf_counter() - began) > SLOW:
        kind = type(move).__name__
        logger.warning(
            "table %s: %s thought %.1f s about %s by %s", table.pk, module.key, took, kind, request.seat
        )
    # Inside an outer transaction, or if the evening or older lines change too, the next page reads it again.
    opens = len(module.secrets.opened(state)) != len(module.secrets.opened(now.state))
    alone = ended_at is None and not opens and not connection.in_atomic_block
    publish = partial(held.keep, then) if alone else partial(held.forget, table.pk)
    with transaction.atomic():
        if ended_at:
            announce_evening(table.session_id)
        if not advancing.advance(then.table, seating=now.seating + bool(ended_at)):
            raise Overtaken
        _write(row, number, snapshot)
        _after_commit(now, then, changed, publish)
    return events


def _take_back(now: Held, request: Request, move: Undo | Rewind) -> Receipt:
    """Bring back an earlier state under a new number, with everything that hangs on it.

    What comes back is thought out before the row is locked, as at a move of the rules.

    :raises IllegalMove: ``stale``, ``cannot_undo``, ``cannot_rewind``, ``gm_only``.
    :raises Overtaken: the table is another one by now; nothing was written.
    """
    if request.version != now.version:
        raise IllegalMove("stale")
    back, snapshot = _way_back(now.table, request, move)
    table = _brought_back(now.table, back, snapshot)
    state, events = shelf()[table.module].load(snapshot), log.events_of(table, back.numbers)
    row = _row(table, table.version, request, move, [back.event])
    row.restores = back.to
    with transaction.atomic():
        lock(table.pk)
        if not held.is_current(now):
            raise Overtaken
        if isinstance(move, Undo) and now.veiled is not None and not veil.takes_back(now.table):
            raise IllegalMove("cannot_undo")  # The wait for the lock took the rest of the grace.
        row.unseen = now.veiled is not None and veil.lies(now.table)
        table.save(update_fields=["before", "snapshot", "version", "ended_at", "veiled_until"])
        _write(row, back.to, snapshot)
        unseated, changed = _taken_along(table, state, events)
        if unseated or now.table.ended_at is not None:
            announce_evening(table.session_id)
        publish = partial(held.forget, table.pk)
        then = replace(now, table=table, state=state, veiled=None)
        _after_commit(now, then, changed, publish)
    return Receipt(table.version)


def _way_back(table: Table, request: Request, move: Undo | Rewind) -> tuple[undo.TakenBack, bytes]:
    """Return how far a move takes the table back, and the snapshot from there."""
    history = replay.history(table, table.version)
    if isinstance(move, Undo):
        back = undo.undo(history, request.seat, allowed=can_undo(table, request.seat))
        return back, bytes(table.before)
    back = undo.rewind(history, request.seat, move)
    return back, replay.snapshot_at(table, back.to)


def _brought_back(table: Table, back: undo.TakenBack, snapshot: bytes) -> Table:
    """Return the table with an earlier state under a new number, not saved yet. It runs again."""
    table = copy.copy(table)
    table.before = replay.before(table, back.to)
    table.snapshot, table.version = snapshot, table.version + 1
    table.veiled_until = table.ended_at = None
    return table


def _taken_along(table: Table, state: Any, events: Sequence[Event]) -> tuple[int, dict[str, Json]]:
    """Take back what hangs on events; return how many seats went, and the fields of sheets before them."""
    unseated, _ = table.table_seats.exclude(key__in=state.seats).delete()
    sheets = shelf()[table.module].sheets
    if sheets is None:
        return unseated, {}
    # The next NPC gets its id again, but not its notes.
    table.npcs.filter(npc__in=sheets.npcs_added(events)).delete()
    return unseated, sheets.before(events)


def _write(row: Move, restored: int, snapshot: bytes) -> None:
    """Write a row of the log, and the milestones that are due with it.

    :param restored: the version that the row brought back, its own number for a move of the rules.
    :raises IllegalMove: ``log_full``.
    """
    try:
        advancing.log(row)
    except Full:
        raise IllegalMove("log_full") from None
    if numbers := due(row.number, restored):
        milestones.keep(row.table, dict.fromkeys(numbers, snapshot))


def _row(table: Table, number: int, request: Request, move: Any, events: list[Event]) -> Move:
    """Return the log's row for a move, not written yet."""
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


def _after_commit(now: Held, then: Held, changed: Mapping[str, Json], publish: Callable[[], object]) -> None:
    # Not a partial: Django asks what failed for its name, and fails itself if that has none.
    transaction.on_commit(lambda: _committed(now, then, changed, publish), robust=True)


def _committed(now: Held, then: Held, changed: Mapping[str, Json], publish: Callable[[], object]) -> None:
    """Tell everybody, and start the jobs that follow.

    :param changed: the fields of sheets that the move changed for good, by seat.
    """
    publish()
    moved.tell(then.table)
    if then.beside_others and then.waited_for != now.waited_for:
        # Pages of the other tables mark with a dot the tables that wait for their seat.
        afterwards.follow(partial(announce_evening, then.table.session_id, "tabs"))
    for sits in then.table.sitters:
        if sits.key in changed and sits.seat and sits.seat.character_id:
            afterwards.follow(partial(_write_sheet, sits.seat.character_id, changed[sits.key]))


def _write_sheet(character_pk: int, fields: Json) -> None:
    """Carry a table's lasting changes back to a sheet."""
    if character := Character.objects.filter(pk=character_pk).first():
        characters.services.set_hp(character=character, hp=fields["hp"])
