"""What may happen to a live table. Views, consumers and commands call these and nothing else."""

from __future__ import annotations

import hashlib
import logging
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import msgspec
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.utils import timezone

import characters.services
from companion.fate import Fate, commitment
from sessions.engine import bots, undo
from sessions.engine.contract import BadTable, Event, IllegalMove, Module
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, encode, start, step
from sessions.engine.undo import Rewind, Undo
from sessions.evening import announcing, refusals
from sessions.models import Move, Role, Seat, Session, Table
from sessions.table import daily, log, replay

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Receipt:
    """The answer to an accepted move; the same move sent again gets the same receipt."""

    version: int
    again: bool = False


@dataclass(frozen=True)
class Look:
    """What one seat sees of a table at one version."""

    version: int
    view: Any
    asked: str
    over: bool


def table_group(table_pk: int) -> str:
    """Name of the channel group of a table's open pages."""
    return f"table.{table_pk}"


@dataclass(frozen=True)
class Sitter:
    """Who takes a seat of a table: somebody, a bot of a kind, or a bot on somebody's seat."""

    seat: Seat | None
    bot: str = ""


def open_table(
    *,
    session: Session,
    module_key: str,
    players: Sequence[Seat | Sitter],
    options: Mapping[str, Any] = MappingProxyType({}),
    opened_by: Seat | None = None,
    rematch_of: Table | None = None,
    day: date | None = None,
) -> Table:
    """Open a table for these players, in this order, and deal.

    :param options: what was chosen for this table; it stands above the campaign's house rules.
    :param day: deal what everybody is dealt that day (daily.py); None: something of its own.
    :raises nights.Refused: ``no_such_module``, ``too_few_players``, ``too_many_players``, ``session_over``,
        ``bad_options`` (house rules that are none), ``no_such_bot``.
    """
    module = shelf().get(module_key)
    if module is None:
        raise refusals.Refused("no_such_module")
    if len(players) < module.seats.start:
        raise refusals.Refused("too_few_players", needed=module.seats.start)
    if len(players) >= module.seats.stop:
        raise refusals.Refused("too_many_players", most=module.seats.stop - 1)
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=session.pk)
        if session.ended_at:
            raise refusals.Refused("session_over")
        sitters = [player if isinstance(player, Sitter) else Sitter(player) for player in players]
        if any(sitter.bot and sitter.bot not in bots.kinds(module) for sitter in sitters):
            raise refusals.Refused("no_such_bot")
        seats = {f"p{i}": sitter for i, sitter in enumerate(sitters, 1)}
        if module.gm:
            seats = {"gm": Sitter(session.seats.get(role=Role.GM)), **seats}
        secret = daily.secret_of(module_key, day) if day else secrets.token_hex(32)
        settled = _options(session, module, seats) | dict(options)
        table = Table.objects.create(
            session=session,
            module=module_key,
            options=settled,
            opening_seats=list(seats),
            opened_by=opened_by,
            rematch_of=rematch_of,
            secret=secret,
            commitment=commitment(secret),
            daily=day,
            snapshot=_first_snapshot(module, list(seats), settled, secret),
        )
        for key, sitter in seats.items():
            table.table_seats.create(seat=sitter.seat, key=key, bot=sitter.bot)
        announcing.announce(session.pk)
    return table


def _first_snapshot(
    module: Module[Any, Any], seats: list[str], options: dict[str, Any], secret: str
) -> bytes:
    try:
        return start(module, seats, options, Fate(secret, 0))
    except BadTable as problem:
        raise refusals.Refused("bad_options", problem=str(problem)) from None


def _options(session: Session, module: Module[Any, Any], seats: dict[str, Sitter]) -> dict[str, Any]:
    """Return the table's options: the campaign's house rules and the sheets, if the module wants them."""
    known = {field.name for field in msgspec.structs.fields(module.options)}
    brought = {key: sheet(sitter.seat) for key, sitter in seats.items() if sitter.seat and key != "gm"}
    offered = {"jokers": session.campaign.jokers, "ladder": session.campaign.ladder, "characters": brought}
    return {name: value for name, value in offered.items() if name in known and value is not None}


def sheet(seat: Seat) -> dict[str, Any]:
    """Return what a seat brings to a table: its character as plain options, or just its name."""
    return characters.services.table_options(seat.character) if seat.character else {"name": seat.name}


def submit(
    *,
    table_pk: int,
    seat: str,
    client_id: uuid.UUID,
    raw: bytes,
    version: int,
    asked: str,
    stand_in: str = "",
    bot: str = "",
) -> Receipt:
    """Play one move, or refuse it.

    :param version: the table's version that the mover saw; an older one counts only while what the seat is
        asked, and against what, is still the same.
    :param asked: the mark of that question, as the page carried it.
    :param stand_in: who plays it for the seat, if not the seat itself (代行); it stands in the log.
    :param bot: the kind of the bot that plays it, and that the seat was handed to.
    :raises IllegalMove: malformed, stale, against the rules, or ``bot_plays``: the seat is in other hands;
        nothing was written.
    :raises Table.DoesNotExist:

    An undo and a rewind are moves like any other, but only at the very version that the mover saw: they must
    not take back what nobody has looked at.
    """
    with transaction.atomic():
        table = _locked(table_pk)
        if known := table.moves.filter(client_id=client_id, seat=seat).first():
            return Receipt(known.number, again=True)
        _refuse_ended(table)
        if table.table_seats.filter(key=seat).exclude(bot=bot).exists():
            raise IllegalMove("bot_plays")
        module = shelf()[table.module]
        move = undo.decode(module, raw)
        if isinstance(move, Undo | Rewind):
            _take_back(table, module, seat, client_id, move, stand_in, version)
        elif version != table.version and asked != _asked(module, module.load(bytes(table.snapshot)), seat):
            raise IllegalMove("stale")
        elif table.ended_at:
            raise IllegalMove("game_over")
        else:
            _play(table, module, seat, client_id, move, stand_in, bot)
    return Receipt(table.version)


def rewind(*, table_pk: int, to: int, reason: str, version: int, stand_in: str = "") -> Receipt:
    """Take back every move after number ``to``, by the word of the evening's GM or who runs it for them.

    Also at a table where the GM does not sit, and after its end while the evening runs.

    :raises IllegalMove: ``malformed_move``, ``stale``, ``cannot_rewind``, ``session_over``.
    """
    raw = encode({"type": "rewind", "to": to, "reason": reason})
    return submit(
        table_pk=table_pk,
        seat=undo.GM,
        client_id=uuid.uuid4(),
        raw=raw,
        version=version,
        asked="",
        stand_in=stand_in,
    )


def count_after(table: Table, to: int) -> int:
    """Return how many moves a rewind to number ``to`` would take back; 0 when there is no way back to it."""
    standing = [*replay.history(table, table.version).standing(), 0]
    over = table.session.ended_at is not None or to not in standing
    return 0 if over else standing.index(to)


def admit(*, table_pk: int, newcomer: Seat) -> Receipt:
    """Let the GM seat a latecomer at a running table, with the character they brought. [UC-3.5]

    :raises IllegalMove: the module has no such move, or not now.
    """
    raw = encode({"type": "add_player", "character": sheet(newcomer)})
    with transaction.atomic():
        table = _locked(table_pk)
        _refuse_ended(table)
        if table.table_seats.filter(seat=newcomer).exists():
            raise IllegalMove("already_seated")
        module = shelf()[table.module]
        events = _play(table, module, "gm", uuid.uuid4(), decode_move(module, raw))
        [key] = [event.data["seat"] for event in events if event.kind == "player_added"]
        table.table_seats.create(seat=newcomer, key=key)
        announcing.announce(table.session_id)
    return Receipt(table.version)


def write_hp(
    *, table_pk: int, who: str, change: Callable[[int], int], by: str | None
) -> tuple[str, int, int]:
    """Set HP by the GM's word, counted from what it is now; return name, before and after. [UC-10.6]

    :param by: the player's seat that wrote it down in the GM's place.
    :raises IllegalMove: out of range, or not now.
    """
    with transaction.atomic():
        table = _locked(table_pk)
        _refuse_ended(table)
        module = shelf()[table.module]
        view: Any = module.view(module.load(bytes(table.snapshot)), "gm")
        figures = {**view.characters, **{npc.id: npc for npc in view.npcs}}
        if who not in figures:
            raise IllegalMove("unknown_npc")
        was, now = figures[who].hp, change(figures[who].hp)
        raw = encode({"type": "set_hp", "who": who, "hp": now, "by": by})
        _play(table, module, "gm", uuid.uuid4(), decode_move(module, raw))
    return figures[who].name, was, now


def _locked(table_pk: int) -> Table:
    """Lock a table's row: whoever moves there next waits."""
    return Table.objects.select_for_update().select_related("session").get(pk=table_pk)


def _refuse_ended(table: Table) -> None:
    if table.session.ended_at:
        raise IllegalMove("session_over")


def _play(
    table: Table,
    module: Module[Any, Any],
    seat: str,
    client_id: uuid.UUID,
    move: Any,
    stand_in: str = "",
    bot: str = "",
) -> list[Event]:
    """Apply a move to the locked row, log it, and tell everybody after the commit."""
    before, number = bytes(table.snapshot), table.version + 1
    snapshot, events = step(module, before, seat, move, Fate(table.secret, number))
    table.before, table.snapshot, table.version = before, snapshot, number
    if module.outcome(module.load(snapshot)):
        table.ended_at = timezone.now()
        announcing.announce(table.session_id)
    _log(table, seat, client_id, move, events, stand_in, bot=bot)
    hp = {event.data["who"]: event.data["hp"] for event in events if event.kind == "hp_changed"}
    transaction.on_commit(lambda: _committed(table, hp))
    return events


def _take_back(
    table: Table,
    module: Module[Any, Any],
    seat: str,
    client_id: uuid.UUID,
    move: Undo | Rewind,
    stand_in: str,
    version: int,
) -> None:
    """Bring back an earlier state under a new number, with everything that hangs on it.

    :raises IllegalMove: ``stale``, ``cannot_undo``, ``cannot_rewind``, ``gm_only``.
    """
    if version != table.version:
        raise IllegalMove("stale")
    history = replay.history(table, table.version)
    match move:
        case Undo():
            back = undo.undo(history, seat, allowed=can_undo(table, seat))
        case Rewind():
            back = undo.rewind(history, seat, move)
    events = log.events_of(table, back.numbers)
    hp = _hp_before(events)
    states = replay.states(table, back.to)
    table.snapshot = states[back.to]
    table.before = states[replay.history(table, back.to).before] if back.to else b""
    table.version += 1
    reopened, table.ended_at = table.ended_at is not None, None
    _log(table, seat, client_id, move, [back.event], stand_in, restores=back.to)
    unseated, _ = table.table_seats.exclude(key__in=module.load(table.snapshot).seats).delete()
    # The next NPC gets its id again, but not its notes.
    table.npcs.filter(npc__in=[event.data["npc"] for event in events if event.kind == "npc_added"]).delete()
    if reopened or unseated:
        announcing.announce(table.session_id)
    transaction.on_commit(lambda: _committed(table, hp))


def _hp_before(events: list[Event]) -> dict[str, int]:
    """Return the HP of each figure before the first of these events that changed it."""
    hp: dict[str, int] = {}
    for event in events:
        if event.kind == "hp_changed":
            hp.setdefault(event.data["who"], event.data["was"])
    return hp


def _log(
    table: Table,
    seat: str,
    client_id: uuid.UUID,
    move: Any,
    events: list[Event],
    stand_in: str,
    *,
    bot: str = "",
    restores: int | None = None,
) -> None:
    """Write the table's new state and the row of the move that led to it."""
    table.save(update_fields=["before", "snapshot", "version", "ended_at"])
    table.moves.create(
        number=table.version,
        seat=seat,
        client_id=client_id,
        move=encode(move),
        events=encode(events),
        stand_in=stand_in,
        bot=bot,
        restores=restores,
    )


def can_undo(table: Table, seat: str | None) -> bool:
    """Tell whether ``seat`` may take back the newest move, by engine/undo.py, of the table as it was read."""
    if table.ended_at or table.session.ended_at or not table.before:
        return False
    newest = log.newest_move(table)
    return newest.seat == seat and _is_safe(table, newest)


def _is_safe(table: Table, newest: Move) -> bool:
    module = shelf()[table.module]
    return undo.is_safe(
        module,
        bytes(table.before),
        newest.seat,
        decode_move(module, bytes(newest.move)),
        Fate(table.secret, newest.number),
        seed=f"{table.secret}/undo {newest.number}",
    )


def _committed(table: Table, hp: dict[str, int]) -> None:
    announce(table)
    if table.session.tables.filter(ended_at=None).count() > 1:
        # Pages of the other tables show by a dot where somebody is waited for.
        announcing.announce(table.session_id, "tabs")
    try:
        _write_to_sheets(table, hp)
    except Exception:
        # The move stands; a sheet that could not be written must not take it back.
        logger.exception("table %s: sheets not written at version %s", table.pk, table.version)


def _write_to_sheets(table: Table, hp: dict[str, int]) -> None:
    """Carry back what a table changes for good: the present HP."""
    for table_seat in table.table_seats.filter(key__in=hp).select_related("seat__character"):
        if table_seat.seat and (character := table_seat.seat.character):
            characters.services.set_hp(character=character, hp=hp[table_seat.key])


def announce(table: Table) -> None:
    """Tell every process that the table moved on, and whether bots play there.

    Losing this loses nothing: readers ask the database.
    """
    has_bots = table.table_seats.exclude(bot="").exists()
    message = {"type": "table.moved", "version": table.version, "has_bots": has_bots}
    async_to_sync(get_channel_layer().group_send)(table_group(table.pk), message)


def announce_seats(table_pk: int) -> None:
    """Tell the open pages of a table, once it is true, that others play its seats or that it was stopped."""
    layer = get_channel_layer()
    message = {"type": "table.reseated"}
    transaction.on_commit(lambda: async_to_sync(layer.group_send)(table_group(table_pk), message))


def look(table: Table, seat: str | None) -> Look:
    """Return what ``seat`` (None: a spectator) sees of a table as it was read."""
    module = shelf()[table.module]
    state = module.load(bytes(table.snapshot))
    return Look(
        table.version, module.view(state, seat), _asked(module, state, seat), table.ended_at is not None
    )


def can_concede(table: Table, seat: str | None) -> bool:
    """Tell whether ``seat`` may give a board game up now."""
    module = shelf()[table.module]
    if module.gm or seat is None or table.ended_at:
        return False
    return any(bots.concedes(move) for move in module.legal_moves(module.load(bytes(table.snapshot)), seat))


def _asked(module: Module[Any, Any], state: Any, seat: str | None) -> str:
    """Return a short mark of what ``seat`` is asked now; equal marks mean the same question."""
    return hashlib.sha256(encode(module.asked(state, seat))).hexdigest()[:16] if seat else ""
