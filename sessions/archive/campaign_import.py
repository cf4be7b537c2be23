"""Import a campaign from its file, as a whole or not at all.

The person who imports it becomes its GM. Everybody else becomes a new person without a device: a name at the
table that owns its characters. Tables are replayed from their moves, so that a file cannot bring in a state
that the rules would not have allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.utils.translation import gettext as _

from characters.exchange import sheet_json
from characters.exchange.parsing import UnreadableSheet
from characters.models import Character, ExperienceChecklist, ExperienceLine, FacePicture, LedgerEntry
from characters.rules import ExperienceRates
from characters.services import exchange
from companion.fate import commitment
from companion.files import Unusable
from companion.files.pictures import EncodedPicture
from companion.models import Person
from companion.names import free_name, look_alike, name_key
from sessions.archive import campaign_file as form
from sessions.archive.campaign_file import damage_error, decode_pictures
from sessions.card_table import house_rules, npcs
from sessions.card_table.checklists import session_key
from sessions.engine.registry import registry
from sessions.engine.step import is_same_state
from sessions.evening import preparation, shares
from sessions.evening.refusals import Refused
from sessions.game import BadTable, IllegalMove
from sessions.models import (
    Campaign,
    Handout,
    HandoutCopy,
    LibraryNpc,
    Limit,
    Message,
    Move,
    Notice,
    PreparedCheck,
    Role,
    SceneNote,
    Seat,
    SeatNote,
    Session,
    Table,
    TableNpc,
    TableSeat,
)
from sessions.table.replay import RebuiltTable, rebuild_table

T = TypeVar("T")
Row = TypeVar("Row", bound=models.Model)
#: Accepted years: an honest file comes from a computer whose clock was about right.
YEARS = range(2000, 2200)
#: The join code of all imported sessions: they have ended, so no code opens them.
NO_CODE = "000000"
#: Fields of a table that are not copied unchanged from the file.
FOLLOWING = ("opened_by", "rematch_of", "snapshot", "seats", "npcs", "moves", "opened_at", "shares")
#: Fields that may be empty, although their forms and ``clean_fields`` do not allow it.
EMPTY: dict[type, tuple[str, ...]] = {Table: ("options", "opening_seats"), Move: ("restores",)}


def import_campaign(file: form.CampaignFile, *, gm: Person) -> Campaign:
    """Create a campaign from a file, for ``gm`` to run.

    :raises Unusable: the file is inconsistent; nothing was created.
    :raises companion.requests.quotas.QuotaExceeded: ``gm`` has no room for it.
    """
    # Replay the tables before the transaction, so that moves at other tables need not wait for it.
    whole = file.whole
    rebuilt = {number: _replay_table(table, whole.version) for number, table in file.tables.items()}
    pictures = decode_pictures(
        [one.picture for one in whole.handouts]
        + [one.picture for one in whole.scene_notes]
        + [one.picture for one in whole.npcs]
    )
    try:
        with transaction.atomic():
            return _Import(file, rebuilt, pictures, gm).campaign
    except (ValidationError, IntegrityError, DataError, OverflowError, UnreadableSheet, Refused) as problem:
        raise damage_error(str(problem)[:80]) from problem


class _Import:
    """The rows that were created, by their places in the file."""

    def __init__(
        self,
        file: form.CampaignFile,
        rebuilt: dict[int, RebuiltTable],
        pictures: dict[str, EncodedPicture],
        gm: Person,
    ) -> None:
        whole, self.gm, self.pictures = file.whole, gm, pictures
        self.campaign = self._campaign(whole.campaign)
        self.people = [_insert(Person(name=name)) for name in whole.people]
        self.heroes = [self._hero(hero) for hero in whole.characters]
        self.npcs = [self._npc(npc) for npc in whole.npcs]
        self.seats: list[list[Seat]] = []
        self.notices: list[list[Notice]] = []
        self.nights = [self._import_session(night) for night in whole.nights]
        self.tables: dict[int, Table] = {}
        for place, night in enumerate(whole.nights):
            for number in night.tables:
                self.tables[number] = self._table(file.tables[number], rebuilt[number], place)
        for number, table in self.tables.items():
            if before := _find(self.tables, file.tables[number].rematch_of):
                Table.objects.filter(pk=table.pk).update(rematch_of=before)
        self._import_preparation(whole)
        for hero, said in zip(self.heroes, whole.characters, strict=True):
            self._experience(hero, said)

    def _campaign(self, said: form.CampaignRecord) -> Campaign:
        campaign = _insert(Campaign(gm=self.gm, name=said.name, jokers=said.jokers, grace=said.grace))
        if said.ladder is not None:
            house_rules.set_ladder(campaign=campaign, rows=said.ladder)
        if said.house_values:
            own = _convert(said.house_values, house_rules.HouseValues)
            Campaign.objects.filter(pk=campaign.pk).update(house_values=msgspec.to_builtins(own))
        return _set_time(campaign, "created_at", said.created_at)

    def _hero(self, said: form.CharacterRecord) -> Character:
        document = {"format": sheet_json.FORMAT, "version": sheet_json.VERSION, "character": said.sheet}
        sheet = sheet_json.read_document(document).sheet
        return exchange.import_character(owner=_look_up(self.people, said.person), sheet=sheet)

    def _npc(self, said: form.NpcRecord) -> LibraryNpc:
        npc = _clean(LibraryNpc(owner=self.gm, campaign=self.campaign, **_fields(said, "picture")))
        npcs.save_npc(library=npc, picture=self.pictures.get(said.picture))
        return npc

    def _import_session(self, said: form.SessionRecord) -> Session:
        lists = ("seats", "notes", "notices", "messages", "tables", "opened_at")
        night = Session(campaign=self.campaign, code=NO_CODE, joining_open=False, **_fields(said, *lists))
        night.roll_secret = ""  # Rolls also depend on the client ids of messages, which are in no file.
        _insert(night)
        _set_time(night, "opened_at", said.opened_at)
        if [seat.role for seat in said.seats].count(Role.GM) != 1:
            raise damage_error("gm")
        seats: list[Seat] = []
        for seat in said.seats:
            seats.append(self._seat(night, seat, seats))
        self.seats.append(seats)
        for note in said.notes:
            _set_time(_insert(SeatNote(session=night, **_fields(note, "at"))), "at", note.at)
        notices = []
        for seen in said.notices:
            notices.append(_set_time(_insert(Notice(session=night)), "at", seen.at))
            notices[-1].read_by.set(_look_up(seats, place) for place in seen.read_by)
        self.notices.append(notices)
        self._messages(night, seats, said.messages)
        return night

    def _seat(self, night: Session, said: form.SeatRecord, others: list[Seat]) -> Seat:
        """Create a seat. Earlier versions accepted look-alike names; the later one of two gets a number."""
        if (said.person is None) != (said.role == Role.GM):
            raise damage_error("gm")
        name, here = said.name, [other.name for other in others if other.removed_at is None]
        is_here = said.removed_at is None and name not in here
        if is_here and any(look_alike(name, other) for other in here):
            name = free_name(name, here)
        seat = Seat(
            session=night,
            person=_find(self.people, said.person) or self.gm,
            name=name,
            name_key=name_key(name),
            character=_find(self.heroes, said.character),
            **_fields(said, "person", "name", "character", "joined_at"),
        )
        return _set_time(_insert(seat), "joined_at", said.joined_at)

    def _messages(self, night: Session, seats: list[Seat], said: list[form.MessageRecord]) -> None:
        rows = [
            Message(
                session=night,
                author=_look_up(seats, one.author),
                client_id=uuid4(),
                character=_find(self.heroes, one.character),
                face=self._face(one),
                npc=_find(self.npcs, one.npc),
                **_fields(one, "author", "to", "changes", "character", "face", "npc"),
                changes=[list(change) for change in one.changes],
            )
            for one in said
        ]
        Message.objects.bulk_create(map(_clean, rows))
        heard = Message.to.through
        heard.objects.bulk_create(
            heard(message_id=row.pk, seat_id=_look_up(seats, place).pk)
            for row, one in zip(rows, said, strict=True)
            for place in one.to
        )

    def _face(self, said: form.MessageRecord) -> FacePicture | None:
        hero = _find(self.heroes, said.character) if said.face else None
        return _look_up({face.label: face for face in hero.faces.all()}, said.face) if hero else None

    def _table(self, said: form.TableRecord, rebuilt: RebuiltTable, place: int) -> Table:
        seats = self.seats[place]
        parts = msgspec.to_builtins(said.shares) if said.shares else {}
        table = Table(
            session=self.nights[place],
            opened_by=_find(seats, said.opened_by),
            commitment=commitment(parts.get("secret", said.secret)),
            shares=parts,
            version=len(said.moves),
            snapshot=rebuilt.snapshot,
            before=rebuilt.before,
            **_fields(said, *FOLLOWING),
        )
        if not shares.is_proven(table.shares, table.secret, table.commitment):
            raise damage_error("shares")
        _set_time(_insert(table), "opened_at", said.opened_at)
        if {sits.key for sits in said.seats} != set(registry()[said.module].load(rebuilt.snapshot).seats):
            raise damage_error("seats")
        for sits in said.seats:
            _insert(TableSeat(table=table, seat=_find(seats, sits.seat), key=sits.key, bot=sits.bot))
        for came in said.npcs:
            library = _look_up(self.npcs, came.library)
            _insert(TableNpc(table=table, npc=came.npc, name=came.name, library=library))
        moves = [
            Move(
                table=table,
                number=number,
                client_id=uuid4(),
                move=bytes(one.move),
                events=rebuilt.events[number - 1],
                restores=rebuilt.restores[number - 1],
                **_fields(one, "move"),
            )
            for number, one in enumerate(said.moves, 1)
        ]
        Move.objects.bulk_create(map(_clean, moves), batch_size=500)
        return table

    def _import_preparation(self, whole: form.CampaignContent) -> None:
        for note in whole.scene_notes:
            row = SceneNote(campaign=self.campaign, **_fields(note, "picture"))
            self._save_with_picture(row, note.picture)
        for check in whole.prepared_checks:
            _insert(PreparedCheck(campaign=self.campaign, **_fields(check)))
        for limit in whole.limits:
            _insert(Limit(campaign=self.campaign, **_fields(limit)))
        for letter in whole.handouts:
            handout = Handout(campaign=self.campaign, **_fields(letter, "copies", "picture"))
            self._save_with_picture(handout, letter.picture)
            for copy in letter.copies:
                seat = _look_up(_look_up(self.seats, copy.night), copy.seat)
                notice = _find(_look_up(self.notices, copy.night), copy.notice)
                _insert(HandoutCopy(handout=handout, seat=seat, notice=notice))

    def _save_with_picture(self, thing: Handout | SceneNote, picture: str) -> None:
        preparation.save_with_picture(_clean(thing), self.pictures.get(picture))

    def _experience(self, hero: Character, said: form.CharacterRecord) -> None:
        known = {line.key: line for line in ExperienceLine.objects.all()}
        checklists = []
        for one in said.checklists:
            night = _find(self.nights, one.night)
            checklist = ExperienceChecklist(
                character=hero,
                session_key=session_key(night.pk) if night else "",
                **_fields(one, "night", "lines", "created_at", "rates"),
                rates=_rates(one.rates),
            )
            checklists.append(_set_time(_insert(checklist), "created_at", one.created_at))
            checklist.lines.set(_look_up(known, key) for key in one.lines)
        ledger: list[LedgerEntry] = []
        for place, entry in enumerate(said.ledger):
            line = LedgerEntry(
                character=hero,
                checklist=_find(checklists, entry.checklist),
                takes_back=_find(ledger, entry.takes_back),
                source=self._source(entry, place),
                rates=_rates(entry.rates),
                **_fields(entry, "checklist", "takes_back", "table", "made_at", "rates"),
            )
            ledger.append(_set_time(_insert(line), "made_at", entry.made_at))

    def _source(self, entry: form.LedgerRecord, place: int) -> str:
        """Return the source of given points; a table that is not in the file gets a unique name instead."""
        if entry.kind != LedgerEntry.EntryKind.GIVEN:
            return ""
        table = _find(self.tables, entry.table)
        return f"table:{table.pk}" if table else f"elsewhere:{place}"


def _replay_table(said: form.TableRecord, version: int) -> RebuiltTable:
    """Replay a table of the file; its end must match the file's snapshot, except in version 1."""
    module = registry().get(said.module)
    if module is None:
        raise Unusable(
            _("The game %(game)s is not here. Update Takujō or add the game first. Nothing was made.")
            % {"game": said.module[:20]}
        )
    if any(name in said.options for name in module.tables.trial_options):
        raise damage_error("a practice evening or a rehearsal")
    try:
        moves = [(one.seat, bytes(one.move)) for one in said.moves]
        rebuilt = rebuild_table(said.module, said.opening_seats, said.options, said.secret, moves)
        fits = version == 1 or is_same_state(module, rebuilt.snapshot, bytes(said.snapshot))
    except (IllegalMove, BadTable, ValueError, LookupError, RecursionError) as problem:
        raise damage_error(str(problem)[:80]) from problem
    if not fits:
        raise damage_error("snapshot")
    return rebuilt


def _rates(rates: dict[str, int]) -> dict[str, int]:
    """Return the rates of experience after checking that the rules accept them."""
    _convert(rates, house_rules.Experience)
    ExperienceRates(**rates)
    return rates


def _convert(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        raise damage_error(str(problem)[:80]) from problem


def _look_up(found: Sequence[T] | dict[Any, T], place: Any) -> T:
    """Return the value at a place or key from the file.

    :raises Unusable: there is none.
    """
    try:
        return found[place]
    except LookupError as problem:
        raise damage_error(str(place)[:20]) from problem


def _find(found: Sequence[T] | dict[Any, T], place: Any) -> T | None:
    """Return the value at a place or key, None without one; raise as ``_look_up`` does."""
    return None if place is None else _look_up(found, place)


def _fields(said: msgspec.Struct, *but: str) -> dict[str, Any]:
    """Return the fields of a part of the file that have the same names in the row."""
    return {name: value for name, value in msgspec.structs.asdict(said).items() if name not in but}


def _insert(row: Row) -> Row:
    """Validate and save a new row."""
    _clean(row).save(force_insert=True)
    return row


def _clean(row: Row) -> Row:
    relations = [field.name for field in row._meta.concrete_fields if field.is_relation]
    row.clean_fields(exclude=[*relations, *EMPTY.get(type(row), ())])
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        longest = getattr(field, "max_length", None)
        if isinstance(value, str) and longest and len(value) > longest:
            raise damage_error(field.name)
        if isinstance(value, datetime) and value.year not in YEARS:
            raise damage_error(value.isoformat())
    return row


def _set_time(row: Row, field: str, when: datetime) -> Row:
    """Set the time at which something was made, which ``save`` had set to now."""
    if when.year not in YEARS:
        raise damage_error(when.isoformat())
    type(row)._default_manager.filter(pk=row.pk).update(**{field: when})
    setattr(row, field, when)
    return row
