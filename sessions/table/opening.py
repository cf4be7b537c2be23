"""Open tables, and store how they end: one row an ending, calculated once, so that many count fast."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import msgspec
from django.db import transaction

from characters.services import exchange
from companion.fate import Fate, commitment
from companion.requests.queue import check_client_waits
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.engine.step import encode, start
from sessions.evening.announcements import broadcast
from sessions.evening.refusals import Refused
from sessions.evening.shares import SecretParts, make_server_secret
from sessions.game import AnyModule, BadTable, GameFailed, Mark
from sessions.models import Ending, Role, Seat, Session, Table
from sessions.table import replay
from sessions.table.log import public_events

logger = logging.getLogger(__name__)
#: Tables that are read at a time to calculate their endings.
CHUNK = 32
_MARKS = msgspec.json.Decoder(tuple[Mark, ...])


@dataclass(frozen=True)
class Sitter:
    """The player of a table's seat: a person, a bot, or a bot that plays a person's seat."""

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
    chance: SecretParts | None = None,
    clock: int = 0,
    gm: Sitter | None = None,
) -> Table:
    """Open a table for these players, in this order, and deal.

    :param options: the choices for this table; they override the campaign's house rules.
    :param day: the day whose shared deal is used (replay.py); None for a deal of its own.
    :param chance: the parts of the secret (shares.py); None if only the server makes it, or with ``day``.
    :param clock: seconds for an answer (clock.py), 0 for no clock.
    :param gm: the player of the GM's seat, if the module has one; None for the session's GM.
    :raises Refused: ``no_such_module``, ``too_few_players``, ``too_many_players``, ``session_over``,
        ``bad_options`` (invalid house rules), ``no_such_bot``, ``game_failed``.
    """
    module = _playable_game(module_key, len(players))
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=session.pk)
        if session.ended_at:
            raise Refused("session_over")
        seats = _sitters_by_key(session, module, players, gm)
        parts = chance or make_server_secret()
        if day:
            parts = SecretParts("", replay.daily_secret(module_key, day))
        settled = _options(session, module, seats) | dict(options)
        if not session.trial and any(name in settled for name in module.tables.trial_options):
            raise Refused("bad_options", problem="only a practice evening or a rehearsal has these")
        table = Table.objects.create(
            session=session,
            module=module_key,
            options=settled,
            opening_seats=list(seats),
            opened_by=opened_by,
            rematch_of=rematch_of,
            secret=parts.secret,
            commitment=commitment(parts.own),
            shares=parts.record,
            daily=day,
            clock=clock,
            snapshot=_first_snapshot(module, list(seats), settled, parts.secret),
        )
        for key, sitter in seats.items():
            table.table_seats.create(seat=sitter.seat, key=key, bot=sitter.bot)
        broadcast(session.pk)
    return table


def _playable_game(key: str, players: int) -> AnyModule:
    module = registry().get(key)
    if module is None:
        raise Refused("no_such_module")
    if players < module.seats.start:
        raise Refused("too_few_players", needed=module.seats.start)
    if players >= module.seats.stop:
        raise Refused("too_many_players", most=module.seats.stop - 1)
    return module


def _sitters_by_key(
    session: Session, module: AnyModule, players: Sequence[Seat | Sitter], gm: Sitter | None
) -> dict[str, Sitter]:
    """Return the sitter of each seat: first the GM, if the module has one, then the players in order."""
    sitters = [player if isinstance(player, Sitter) else Sitter(player) for player in players]
    seats = {f"p{number}": sitter for number, sitter in enumerate(sitters, 1)}
    if module.gm:
        seats = {"gm": gm or Sitter(session.seats.get(role=Role.GM)), **seats}
    kinds = bots.trial_kinds(module) if session.trial else bots.kinds(module)
    if any(sitter.bot and sitter.bot not in kinds for sitter in seats.values()):
        raise Refused("no_such_bot")
    return seats


def _first_snapshot(module: AnyModule, seats: list[str], options: dict[str, Any], secret: str) -> bytes:
    try:
        return start(module, seats, options, Fate(secret, 0))
    except BadTable as problem:
        raise Refused("bad_options", problem=str(problem)) from None
    except GameFailed as failure:
        logger.exception("no table: %s", failure)
        raise Refused("game_failed") from None


def _options(session: Session, module: AnyModule, seats: dict[str, Sitter]) -> dict[str, Any]:
    """Return the table's default options: the campaign's house rules and, if the module has them, sheets."""
    settled = {name: getattr(session.campaign, name, None) for name in module.tables.house_rules}
    rules = {name: rule for name, rule in settled.items() if rule is not None}
    if module.sheets is None:
        return rules
    brought = {key: table_sheet(sitter.seat) for key, sitter in seats.items() if sitter.seat and key != "gm"}
    return rules | module.sheets.options(brought)


def table_sheet(seat: Seat) -> dict[str, Any]:
    """Return a seat's sheet for a table: its character as plain options, or only the seat's name."""
    return exchange.table_options(seat.character) if seat.character else {"name": seat.name}


def endings(tables: Collection[Table]) -> dict[int, Ending]:
    """Return the endings of ended tables by table, without those whose game fails.

    Missing endings are calculated and stored. After an end that was taken back, the next one counts.
    """
    versions = {table.pk: table.version for table in tables}
    kept = Ending.objects.filter(table__in=versions)
    known = {ending.table_id: ending for ending in kept if ending.version == versions[ending.table_id]}
    missing, found = sorted(versions.keys() - known.keys()), []
    for first in range(0, len(missing), CHUNK):
        for table in Table.objects.filter(pk__in=missing[first : first + CHUNK]).order_by("pk"):
            check_client_waits()
            try:
                found.append(_ending(table))
            except GameFailed as failure:
                logger.exception("table %s is in no book: %s", table.pk, failure)
    Ending.objects.bulk_create(
        found,
        batch_size=100,
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=["version", "winners", "marks"],
    )
    return known | {ending.table_id: ending for ending in found}


def decode_marks(ending: Ending) -> tuple[Mark, ...]:
    """Return the stored marks: what the module found worth remembering of a game."""
    return _MARKS.decode(bytes(ending.marks))


def store_ending(table: Table) -> None:
    """Store the ending of an ended table before its log is deleted, unless it is stored already."""
    if table.ended_at:
        endings([table])


def _ending(table: Table) -> Ending:
    module = registry()[table.module]
    state = module.load(bytes(table.snapshot))
    outcome = module.outcome(state)
    marks: tuple[Mark, ...] = ()
    if outcome and module.telling.marks:
        events = [] if table.is_thinned else public_events(table)
        marks = tuple(module.telling.marks(module.view(state, None), events))
    winners = list(outcome.winners) if outcome else None
    return Ending(table=table, version=table.version, winners=winners, marks=encode(marks))
