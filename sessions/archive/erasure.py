"""Erase a person, or thin old sessions.

A person's words are deleted; the games that others played with them are kept. Their seats stay without a
name. In the tables of such a seat, the player's texts are removed from the options and the moves, and
everything that depends on these is rebuilt by a replay. So the log still leads to the snapshot with the
same secret, and shows what happened to the others.

Thinning deletes the moves and messages of an old session, and keeps the report and everything else. A game
with best scores keeps its moves: they decide which scores count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import shared_time
from companion.identity.personal_data import OwnedResource
from companion.models import Person, Picture
from sessions.board_games.own_games import scored_tables_query
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights
from sessions.evening.announcements import broadcast
from sessions.game import AnyModule, BadTable, Event, IllegalMove, Json, Sheets
from sessions.models import (
    Campaign,
    Ending,
    LibraryNpc,
    Message,
    Move,
    Role,
    Seat,
    SeatClaim,
    SeatLink,
    SeatNote,
    Session,
    Table,
)
from sessions.report.session_report import digest_of
from sessions.table import opening, table_cache
from sessions.table.replay import rebuild_table

#: Replaces a text that was deleted.
GONE = "…"


def owned_campaigns(person: Person) -> list[OwnedResource]:
    """Return the campaigns that a person runs, each with the people in it who could take it over."""
    found = []
    for campaign in Campaign.objects.filter(gm=person):
        players = Person.objects.filter(
            seats__session__campaign=campaign, seats__removed_at=None, user__isnull=False
        )
        heirs = list(players.exclude(pk=person.pk).distinct().order_by("name", "pk"))
        count = campaign.evenings.count()
        note = ngettext(
            "%(count)s evening with all its tables and logs",
            "%(count)s evenings with all their tables and logs",
            count,
        ) % {"count": count}
        found.append(OwnedResource(f"campaign-{campaign.pk}", campaign.name, note, heirs))
    return found


def hand_over_campaign(person: Person, key: str, heir: Person) -> None:
    """Give a campaign and everything prepared in it to one of its people.

    Its past sessions keep their seats; where the heir had none, the GM's seat becomes theirs.
    """
    campaign = Campaign.objects.get(pk=int(key.removeprefix("campaign-")), gm=person)
    campaign.sessions.exclude(trial="").delete()
    for session in campaign.sessions.filter(ended_at=None):
        nights.close_session(session=session)
    there = Seat.objects.filter(person=heir).values("session")
    own = Seat.objects.filter(session__campaign=campaign, person=person, role=Role.GM)
    for seat in own.exclude(session__in=there).select_related("session", "character", "person"):
        _forget_seat(seat)
        Seat.objects.filter(pk=seat.pk).update(person=heir)
    LibraryNpc.objects.filter(owner=person, campaign=campaign).update(owner=heir)
    shown = Q(handout__campaign=campaign) | Q(scene_note__campaign=campaign)
    shown |= Q(npc__campaign=campaign, npc__owner=heir)
    Picture.objects.filter(pk__in=Picture.objects.filter(shown).values("pk")).update(owner=heir)
    campaign.gm = heir
    campaign.save(update_fields=["gm"])


def erase_person_data(person: Person) -> None:
    """Delete the data of a person, and remove every word of theirs from the data that stays."""
    for session in Session.objects.filter(campaign__gm=person, ended_at=None):
        nights.close_session(session=session)
    Campaign.objects.filter(gm=person).delete()
    _clear_free_sessions(person)
    LibraryNpc.objects.filter(owner=person).delete()
    SeatClaim.objects.filter(person=person).delete()
    Seat.objects.filter(moved_from=person).update(moved_from=None)
    left = Seat.objects.filter(person=person).select_related("session", "character", "person")
    for seat in left:
        if seat.removed_at is None and seat.session.ended_at is None:
            nights.remove_seat(seat=seat)
        _forget_seat(seat)


def _clear_free_sessions(person: Person) -> None:
    """Delete the free sessions that a person had alone; close those with others, who keep them."""
    for session in Session.objects.filter(host=person):
        if not session.seats.exclude(person=person).exists():
            session.delete()
        elif session.ended_at is None:
            nights.close_session(session=session)


def _forget_seat(seat: Seat) -> None:
    """Anonymise a seat: remove its name, and its words in the chat and at the tables."""
    # The same lock as for a move, so that no move is played until this is done.
    session = Session.objects.select_for_update().get(pk=seat.session_id)
    former, name = _("ex-player"), seat.name
    SeatLink.objects.filter(seat=seat).delete()
    Message.objects.filter(author=seat).delete()
    _replace_in_changes(session, name, former)
    SeatNote.objects.filter(session=session, name=name).update(name=former)
    SeatNote.objects.filter(session=session, by=name).update(by=former)
    for table in Table.objects.select_for_update().filter(session=session).order_by("pk"):
        _replace_in_shares(table, name, former)
        _forget_at_table(table, seat, former)
    # Erased seats share a name, but ``name_key`` must be unique in a session.
    Seat.objects.filter(pk=seat.pk).update(name=former, name_key=f"\N{EMPTY SET}{seat.pk}", character=None)
    broadcast(session.pk)


def _replace_in_changes(session: Session, name: str, former: str) -> None:
    """Replace a name in the changes that other people's messages recorded."""
    for message in Message.objects.filter(session=session).exclude(changes=[]):
        changes = [[former if who == name else who, *rest] for who, *rest in message.changes]
        if changes != message.changes:
            Message.objects.filter(pk=message.pk).update(changes=changes)


def _replace_in_shares(table: Table, name: str, former: str) -> None:
    """Replace a name at its share of a table's secret; the proof needs the share itself, which stays."""
    for share in table.shares.get("of", ()):
        if share["seat"] == name:
            share["seat"] = former
            table.save(update_fields=["shares"])


def _forget_at_table(table: Table, seat: Seat, former: str) -> None:
    """Remove the words of a seat from a table where it played or stood in."""
    keys = set(table.table_seats.filter(seat=seat).values_list("key", flat=True))
    stood_in = Q(stand_in=seat.name)
    if not keys and not table.moves.filter(stood_in).exists():
        return
    module, moves = registry()[table.module], list(table.moves.order_by("number"))
    personal = _words_at(table, module, keys, moves, seat)
    table.options = _replace_in_options(module, table.options, keys, former)
    changed = {move.pk for move in moves if _forget_move(move, module, keys, seat.name, former)}
    try:
        played = [(move.seat, bytes(move.move)) for move in moves]
        rebuilt = rebuild_table(table.module, table.opening_seats, table.options, table.secret, played)
        if [move.restores for move in moves] != rebuilt.restores or len(moves) != table.version:
            raise ValueError("another log")
        table.snapshot, table.before, events = rebuilt.snapshot, rebuilt.before, rebuilt.events
    except (IllegalMove, BadTable, ValueError, LookupError):
        # The rules have changed since, or the moves are gone: replace the words in the stored data instead.
        table.snapshot, table.before = (
            _replace_words(raw, personal, former) for raw in (table.snapshot, table.before)
        )
        events = [_replace_words(move.events, personal, former) for move in moves]
    if table.told is not None:
        table.told = _replace_words(table.told, personal, former)
    table.save(update_fields=["options", "snapshot", "before", "told"])
    for ending in Ending.objects.filter(table=table):
        ending.marks = _replace_words(ending.marks, personal, former)
        ending.save(update_fields=["marks"])
    table.milestones.all().delete()  # They contain the words, too, and are made again when needed.
    for move, told in zip(moves, events, strict=True):
        changed |= {move.pk} if told != bytes(move.events) else set()
        move.events = told
    fields = ["move", "events", "stand_in"]
    Move.objects.bulk_update([move for move in moves if move.pk in changed], fields, batch_size=200)
    table_cache.invalidate_table(table.pk)


def _replace_in_options(module: AnyModule, options: Json, keys: set[str], former: str) -> Json:
    if module.sheets:
        for key in sorted(keys):
            options = module.sheets.options_without(options, key, former)
    return options


def _forget_move(move: Move, module: AnyModule, keys: set[str], name: str, former: str) -> bool:
    """Remove a player's words from a move; True if this changed it."""
    before = bytes(move.move), move.stand_in
    said = json.loads(bytes(move.move))
    if move.stand_in == name or (move.seat in keys and not move.stand_in):
        said = {key: GONE if key in _text_fields(module) and text else text for key, text in said.items()}
    if module.sheets and _seats_latecomer(module.sheets, move, keys):
        said = module.sheets.latecomer_without(said, former)
    move.move = encode(said)
    move.stand_in = former if move.stand_in == name else move.stand_in
    return (move.move, move.stand_in) != before


def _seats_latecomer(sheets: Sheets, move: Move, keys: set[str]) -> bool:
    """True if a move seated a latecomer on one of these seats."""
    events = msgspec.json.decode(bytes(move.events), type=list[Event])
    try:
        return sheets.seat_of(events) in keys
    except ValueError:
        return False


def _text_fields(module: AnyModule) -> set[str]:
    """Return the fields of moves that hold free text, including those of the engine's own moves."""
    return {*module.telling.texts, "reason"}


def _words_at(table: Table, module: AnyModule, keys: set[str], moves: Iterable[Move], seat: Seat) -> set[str]:
    """Return the words that a player wrote at a table, to replace them where no replay is possible."""
    before, after = table.options, _replace_in_options(module, table.options, keys, "")
    words = set(_strings(before)) - set(_strings(after))
    words |= {seat.name, seat.person.name, seat.character.name if seat.character else ""}
    for move in moves:
        if move.stand_in == seat.name or (move.seat in keys and not move.stand_in):
            said = json.loads(bytes(move.move))
            words |= {said[key] for key in _text_fields(module) & said.keys() if isinstance(said[key], str)}
        if module.sheets and _seats_latecomer(module.sheets, move, keys):
            said = json.loads(bytes(move.move))
            words |= set(_strings(said)) - set(_strings(module.sheets.latecomer_without(said, "")))
    # Short ASCII words may be the names of seats, cards and suits in the rules, which have to stay.
    return {word for word in words if len(word) > 3 or not word.isascii()}


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def _replace_words(raw: bytes | memoryview, words: set[str], former: str) -> bytes:
    """Return JSON with every one of these words replaced by a name."""

    def strike(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strike(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [strike(inner) for inner in value]
        return former if isinstance(value, str) and value in words else value

    return msgspec.json.encode(strike(json.loads(bytes(raw)))) if raw else b""


def thin_sessions(days: int) -> int:
    """Thin the sessions that ended at least ``days`` days ago, and return their number."""
    until = shared_time.now() - timedelta(days=days)
    old = Session.objects.filter(ended_at__lte=until, thinned_at=None)
    pks = list(old.values_list("pk", flat=True))
    for pk in pks:
        _thin_session(pk)
    return len(pks)


@transaction.atomic
def _thin_session(session_pk: int) -> None:
    session = Session.objects.select_for_update().get(pk=session_pk)
    plain = session.tables.filter(module__in=registry(), told__isnull=True)
    for table in plain.exclude(scored_tables_query(registry())):
        opening.store_ending(table)
        # Stored as bytes: a JSON column of PostgreSQL would not keep the order of keys.
        table.told = msgspec.json.encode(digest_of(table))
        table.before = b""
        table.save(update_fields=["told", "before"])
        table.moves.all().delete()
        table.milestones.all().delete()
    Message.objects.filter(session=session).delete()
    session.thinned_at = shared_time.now()
    session.save(update_fields=["thinned_at"])
    broadcast(session.pk)
