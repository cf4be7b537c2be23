"""Import a campaign from its file, as a whole or not at all.

The person who imports it becomes its GM. Everybody else becomes a new person without a device: a name at the
table that owns its characters. Tables are replayed from their moves, so that a file cannot bring in a state
that the rules would not have allowed.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model
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
from sessions import models
from sessions.archive import campaign_file as form
from sessions.archive.file_format import PICTURES_AT_MOST, damage_error, rewrite_picture
from sessions.card_table import house_rules, npcs
from sessions.card_table.checklists import session_key
from sessions.engine.registry import registry
from sessions.engine.step import is_same_state
from sessions.evening import preparation, shares
from sessions.evening.refusals import Refused
from sessions.game import BadTable, IllegalMove
from sessions.table.replay import RebuiltTable, rebuild_table

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)
Prepared = TypeVar("Prepared", models.Handout, models.SceneNote)
#: Accepted years: an honest file comes from a computer whose clock was about right.
YEARS = range(2000, 2200)
#: The join code of all imported sessions: they have ended, so no code opens them.
NO_CODE = "000000"
#: Fields that may be empty, although their forms and ``clean_fields`` do not allow it.
EMPTY: dict[type, tuple[str, ...]] = {models.Table: ("options", "opening_seats"), models.Move: ("restores",)}


def import_campaign(file: form.CampaignFile, *, gm: Person) -> models.Campaign:
    """Create a campaign from a file, for ``gm`` to run.

    :raises Unusable: the file is inconsistent; nothing was created.
    :raises companion.requests.quotas.QuotaExceeded: ``gm`` has no room for it.
    """
    # Replay the tables before the transaction, so that moves at other tables need not wait for it.
    whole = file.whole
    rebuilt = {number: _replay_table(table, whole.version) for number, table in file.tables.items()}
    pictured = (whole.handouts, whole.scene_notes, whole.npcs)
    pictures = _decode_pictures({one.picture for things in pictured for one in things} - {""})
    try:
        with transaction.atomic():
            return _Import(file, rebuilt, pictures, gm).campaign
    except (ValidationError, IntegrityError, DataError, OverflowError, UnreadableSheet, Refused) as problem:
        raise damage_error(str(problem)[:80]) from problem


class _Import:
    """Creates the rows; ``rows`` has those that records of the file name by their places in its lists.

    Its seats and notices are those of one session, and its checklists and ledger those of one character.
    """

    def __init__(
        self,
        file: form.CampaignFile,
        rebuilt: dict[int, RebuiltTable],
        pictures: dict[str, EncodedPicture],
        gm: Person,
    ) -> None:
        whole, self.gm, self.pictures = file.whole, gm, pictures
        self.campaign = self._campaign(whole.campaign)
        self.rows: dict[Any, Any] = {}
        self.rows[Person] = [_insert(Person(name=name)) for name in whole.people]
        self.rows[Character] = [self._hero(hero) for hero in whole.characters]
        self.rows[models.LibraryNpc] = [self._npc(npc) for npc in whole.npcs]
        self.rows[models.Table] = {}
        #: The seats and notices of each session, for the copies of handouts.
        self.seated: list[dict[Any, Any]] = []
        self.rows[models.Session] = [self._import_session(session, file, rebuilt) for session in whole.nights]
        for number, table in self.rows[models.Table].items():
            if before := _find(self.rows[models.Table], file.tables[number].rematch_of):
                models.Table.objects.filter(pk=table.pk).update(rematch_of=before)
        self._import_preparation(whole)
        for hero, said in zip(self.rows[Character], whole.characters, strict=True):
            self._experience(hero, said)

    def _build(self, model: type[Row], said: msgspec.Struct, **different: Any) -> Row:
        """Return a new row of those fields of a record that are columns, with the rows that it names."""
        columns = {field.name: field for field in model._meta.concrete_fields}
        same = {
            name: _find(self.rows[columns[name].related_model], value) if columns[name].is_relation else value
            for name, value in msgspec.structs.asdict(said).items()
            if name in columns.keys() - different
        }
        return _clean(model(**same, **different))

    def _create(self, model: type[Row], said: msgspec.Struct, **different: Any) -> Row:
        """Save the row of a record, with the time at which it was made, which ``save`` would set to now."""
        row = self._build(model, said, **different)
        made = {field.name for field in model._meta.concrete_fields if getattr(field, "auto_now_add", False)}
        times = {name: getattr(said, name) for name in made.intersection(said.__struct_fields__)}
        row.save(force_insert=True)
        if times:
            model._default_manager.filter(pk=row.pk).update(**times)
            vars(row).update(times)
        return row

    def _campaign(self, said: form.CampaignRecord) -> models.Campaign:
        campaign = self._create(models.Campaign, said, gm=self.gm, ladder=None, house_values={})
        if said.ladder is not None:
            house_rules.set_ladder(campaign=campaign, rows=said.ladder)
        if said.house_values:
            own = _convert(said.house_values, house_rules.HouseValues)
            models.Campaign.objects.filter(pk=campaign.pk).update(house_values=msgspec.to_builtins(own))
        return campaign

    def _hero(self, said: form.CharacterRecord) -> Character:
        document = {"format": sheet_json.FORMAT, "version": sheet_json.VERSION, "character": said.sheet}
        sheet = sheet_json.read_document(document).sheet
        return exchange.import_character(owner=_look_up(self.rows[Person], said.person), sheet=sheet)

    def _npc(self, said: form.NpcRecord) -> models.LibraryNpc:
        npc = self._build(models.LibraryNpc, said, owner=self.gm, campaign=self.campaign, picture=None)
        npcs.save_npc(library=npc, picture=self.pictures.get(said.picture))
        return npc

    def _import_session(
        self, said: form.SessionRecord, file: form.CampaignFile, rebuilt: dict[int, RebuiltTable]
    ) -> models.Session:
        # Rolls also depend on the client ids of messages, which are in no file: none can be proved any more.
        own = {"campaign": self.campaign, "code": NO_CODE, "joining_open": False, "roll_secret": ""}
        session = self._create(models.Session, said, **own)
        if [seat.role for seat in said.seats].count(models.Role.GM) != 1:
            raise damage_error("gm")
        seats: list[models.Seat] = []
        for seat in said.seats:
            seats.append(self._seat(session, seat, seats))
        self.rows[models.Seat] = seats
        for note in said.notes:
            self._create(models.SeatNote, note, session=session)
        self.rows[models.Notice] = [self._notice(session, notice) for notice in said.notices]
        self.seated.append({model: self.rows[model] for model in (models.Seat, models.Notice)})
        self._messages(session, said.messages)
        for number in said.tables:
            self.rows[models.Table][number] = self._table(session, file.tables[number], rebuilt[number])
        return session

    def _seat(self, session: models.Session, said: form.SeatRecord, others: list[models.Seat]) -> models.Seat:
        """Create a seat. Earlier versions accepted look-alike names; the later one of two gets a number."""
        if (said.person is None) != (said.role == models.Role.GM):
            raise damage_error("gm")
        name, here = said.name, [other.name for other in others if other.removed_at is None]
        is_here = said.removed_at is None and name not in here
        if is_here and any(look_alike(name, other) for other in here):
            name = free_name(name, here)
        person = _find(self.rows[Person], said.person) or self.gm
        return self._create(
            models.Seat, said, session=session, person=person, name=name, name_key=name_key(name)
        )

    def _notice(self, session: models.Session, said: form.NoticeRecord) -> models.Notice:
        notice = self._create(models.Notice, said, session=session)
        notice.read_by.set(_look_up(self.rows[models.Seat], place) for place in said.read_by)
        return notice

    def _messages(self, session: models.Session, said: list[form.MessageRecord]) -> None:
        rows = [
            self._build(
                models.Message,
                one,
                session=session,
                client_id=uuid4(),
                face=self._face(one),
                changes=[list(change) for change in one.changes],
            )
            for one in said
        ]
        models.Message.objects.bulk_create(rows)
        heard = models.Message.to.through
        heard.objects.bulk_create(
            heard(message_id=row.pk, seat_id=_look_up(self.rows[models.Seat], place).pk)
            for row, one in zip(rows, said, strict=True)
            for place in one.to
        )

    def _face(self, said: form.MessageRecord) -> FacePicture | None:
        hero = _find(self.rows[Character], said.character) if said.face else None
        return _look_up({face.label: face for face in hero.faces.all()}, said.face) if hero else None

    def _table(self, session: models.Session, said: form.TableRecord, rebuilt: RebuiltTable) -> models.Table:
        parts = msgspec.to_builtins(said.shares) if said.shares else {}
        published = commitment(parts.get("secret", said.secret))
        if not shares.is_proven(parts, said.secret, published):
            raise damage_error("shares")
        table = self._create(
            models.Table,
            said,
            session=session,
            rematch_of=None,
            commitment=published,
            shares=parts,
            version=len(said.moves),
            snapshot=rebuilt.snapshot,
            before=rebuilt.before,
        )
        if {sits.key for sits in said.seats} != set(registry()[said.module].load(rebuilt.snapshot).seats):
            raise damage_error("seats")
        for sits in said.seats:
            self._create(models.TableSeat, sits, table=table)
        for came in said.npcs:
            self._create(models.TableNpc, came, table=table)
        moves = [
            self._build(
                models.Move,
                one,
                table=table,
                number=number,
                client_id=uuid4(),
                move=bytes(one.move),
                events=rebuilt.events[number - 1],
                restores=rebuilt.restores[number - 1],
            )
            for number, one in enumerate(said.moves, 1)
        ]
        models.Move.objects.bulk_create(moves, batch_size=500)
        return table

    def _import_preparation(self, whole: form.CampaignContent) -> None:
        for note in whole.scene_notes:
            self._prepare(models.SceneNote, note)
        for check in whole.prepared_checks:
            self._create(models.PreparedCheck, check, campaign=self.campaign)
        for limit in whole.limits:
            self._create(models.Limit, limit, campaign=self.campaign)
        for said in whole.handouts:
            handout = self._prepare(models.Handout, said)
            for copy in said.copies:
                self.rows |= _look_up(self.seated, copy.night)
                self._create(models.HandoutCopy, copy, handout=handout)

    def _prepare(self, model: type[Prepared], said: form.HandoutRecord | form.SceneNoteRecord) -> Prepared:
        thing = self._build(model, said, campaign=self.campaign, picture=None)
        preparation.save_with_picture(thing, self.pictures.get(said.picture))
        return thing

    def _experience(self, hero: Character, said: form.CharacterRecord) -> None:
        known = {line.key: line for line in ExperienceLine.objects.all()}
        checklists = self.rows[ExperienceChecklist] = []
        for one in said.checklists:
            session = _find(self.rows[models.Session], one.night)
            own = {"session_key": session_key(session.pk) if session else "", "rates": _rates(one.rates)}
            checklist = self._create(ExperienceChecklist, one, character=hero, **own)
            checklist.lines.set(_look_up(known, key) for key in one.lines)
            checklists.append(checklist)
        ledger = self.rows[LedgerEntry] = []
        for place, entry in enumerate(said.ledger):
            own = {"source": self._source(entry, place), "rates": _rates(entry.rates)}
            ledger.append(self._create(LedgerEntry, entry, character=hero, **own))

    def _source(self, entry: form.LedgerRecord, place: int) -> str:
        """Return the source of given points; a table that is not in the file gets a unique name instead."""
        if entry.kind != LedgerEntry.EntryKind.GIVEN:
            return ""
        table = _find(self.rows[models.Table], entry.table)
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


def _insert(row: Row) -> Row:
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


def _decode_pictures(texts: set[str]) -> dict[str, EncodedPicture]:
    """Return the pictures of a file, re-encoded, by their texts.

    :raises Unusable: there are too many pictures, or one cannot be read.
    """
    if len(texts) > PICTURES_AT_MOST:
        raise damage_error("pictures")
    try:
        return {text: rewrite_picture(b64decode(text, validate=True)) for text in texts}
    except ValueError as problem:
        raise damage_error("picture") from problem
