"""Export a campaign as a file: its sessions that have ended, and everything in them that its GM may read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from django.db.models import BinaryField, Model, QuerySet
from django.utils.translation import gettext_noop

from characters.exchange import sheet_json
from characters.exchange.plain import PlainFace, PlainSheet
from characters.models import Character, LedgerEntry
from characters.services import exchange
from companion.models import Person, Picture
from companion.server import storage
from sessions import models
from sessions.archive import campaign_file as form
from sessions.archive.file_format import FileCapacity, encode_picture
from sessions.card_table.checklists import session_key
from sessions.chat import messages
from sessions.evening import safety
from sessions.models import Campaign, Handout, Seat, Session, Table
from sessions.table import replay
from sessions.table.slow_tables import table_title

#: The reasons for leaving something out of the file.
RUNNING, TODAY, CHANGED, THINNED, HEAVY = "running", "today", "changed", "thinned", "heavy"
#: The reasons in words.
WHY = {
    RUNNING: gettext_noop("it still runs"),
    TODAY: gettext_noop("a game of today, whose cards stay secret until tomorrow"),
    CHANGED: gettext_noop("its log does not fit its cards"),
    THINNED: gettext_noop("its moves are not kept any more"),
    HEAVY: gettext_noop("there was no room for its picture"),
}
#: Bytes of the faces in a file with which characters speak.
FACE_BYTES_AT_MOST = 1_500_000
R = TypeVar("R", bound=msgspec.Struct)


def export_campaign(campaign: Campaign) -> form.CampaignFile:
    """Return a campaign as a file, which lists everything that was left out of it."""
    return _Export(campaign).file()


def running_sessions(campaign: Campaign) -> QuerySet[Session]:
    """Return the sessions that would be left out because they still run."""
    return campaign.evenings.filter(ended_at=None)


class _Export:
    """The rows to export, and their places in the lists of the file by model and primary key."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.sessions = list(campaign.evenings.exclude(ended_at=None).order_by("opened_at", "pk"))
        self.left_out: list[form.OmissionRecord] = []
        for session in running_sessions(campaign):
            self._leave_out(session.title, RUNNING)
        seats = [seat for session in self.sessions for seat in session.sitters]
        brought = Character.objects.filter(seats__in=seats, status=Character.Status.DONE)
        self.heroes = list(brought.distinct().order_by("pk").with_rows())
        seated = [seat.person for seat in seats if not seat.is_gm]
        self.people = list(dict.fromkeys([*seated, *(hero.owner for hero in self.heroes)]))
        self.npcs = list(campaign.npcs.filter(owner=campaign.gm).select_related("picture").order_by("pk"))
        self.tables = self._tables()
        self.places: dict[Any, dict[Any, int]] = defaultdict(dict)
        for rows in (self.sessions, self.people, self.heroes, self.npcs, self.tables):
            self._number(rows)
        for session in self.sessions:
            self._number(session.sitters)
            self._number(session.notices.all())
        self.room, self.faces_room = FileCapacity(), FileCapacity(FACE_BYTES_AT_MOST)
        #: The faces with which messages in the file were spoken, and those of them that found room in it.
        said = (self._messages_to_export(session) for session in self.sessions)
        self.spoken_with = {pk for lines in said for pk in lines.values_list("face_id", flat=True) if pk}
        self.faces: set[int] = set()

    def file(self) -> form.CampaignFile:
        campaign = self.campaign
        whole = form.CampaignContent(
            migrations=storage.latest_migrations(),
            campaign=self._record(form.CampaignRecord, campaign),
            people=[person.name for person in self.people],
            characters=[self._hero(hero) for hero in self.heroes],
            handouts=[self._handout(handout) for handout in campaign.handouts.select_related("picture")],
            scene_notes=self._records(form.SceneNoteRecord, campaign.scene_notes.select_related("picture")),
            prepared_checks=self._records(form.CheckRecord, campaign.prepared_checks.all()),
            limits=self._records(form.LimitRecord, safety.visible_limits(campaign.pk)),
            npcs=self._records(form.NpcRecord, self.npcs),
            nights=[self._session_record(session) for session in self.sessions],
            left_out=self.left_out,
        )
        return form.CampaignFile(whole, dict(enumerate(map(self._table, self.tables))))

    def _number(self, rows: Iterable[Model]) -> None:
        for place, row in enumerate(rows):
            self.places[type(row)][row.pk] = place

    def _records(self, kind: type[R], rows: Iterable[Model]) -> list[R]:
        return [self._record(kind, row) for row in rows]

    def _record(self, kind: type[R], row: Model, **different: Any) -> R:
        """Return the record of a row; the fields that are not given have the same names in both."""
        names = [field.name for field in msgspec.structs.fields(kind)]
        return kind(
            **{name: different[name] if name in different else self._value(row, name) for name in names}
        )

    def _value(self, row: Model, name: str) -> Any:
        """Return the value of a field as the file has it, which names other rows by their places.

        A row that is not in the file becomes None.
        """
        field: Any = row._meta.get_field(name)
        if field.related_model is Picture:
            return self._picture(row)
        if field.is_relation:
            places = self.places[field.related_model]
            if field.many_to_many:
                return sorted(places[other.pk] for other in getattr(row, name).all())
            return places.get(getattr(row, field.attname))
        value = getattr(row, name)
        return msgspec.Raw(bytes(value)) if isinstance(field, BinaryField) else value

    def _picture(self, thing: Any) -> str:
        """Return the picture of a thing as text, "" if it has none or the file has no room for it."""
        if thing.picture and not self.room.takes(thing.picture.content):
            self._leave_out(str(thing), HEAVY)
            return ""
        return encode_picture(thing.picture)

    def _leave_out(self, title: str, why: str) -> None:
        self.left_out.append(form.OmissionRecord(title=title, why=why))

    def _tables(self) -> list[Table]:
        """Return the tables that can be exported, and list the others as left out."""
        found = []
        for table in Table.objects.filter(session__in=self.sessions).order_by("opened_at", "pk"):
            if why := _why_not(table):
                self._leave_out(table_title(table).strip(), why)
            else:
                found.append(table)
        return found

    def _hero(self, hero: Character) -> form.CharacterRecord:
        checklists = list(hero.checklists.order_by("created_at", "pk").prefetch_related("lines"))
        ledger = list(hero.ledger.order_by("pk"))
        self._number(checklists)
        self._number(ledger)
        sessions = {session_key(pk): place for pk, place in self.places[Session].items()}
        return form.CharacterRecord(
            person=self.places[Person][hero.owner_id],
            sheet=sheet_json.write_document(self._sheet(hero))["character"],
            checklists=[
                self._record(
                    form.ChecklistRecord,
                    checklist,
                    night=sessions.get(checklist.session_key),
                    lines=[line.key for line in checklist.lines.all()],
                )
                for checklist in checklists
            ],
            ledger=[self._record(form.LedgerRecord, entry, table=self._table_of(entry)) for entry in ledger],
        )

    def _sheet(self, hero: Character) -> PlainSheet:
        """Return a sheet with those faces that messages in the file show: others are its player's secret."""
        faces = []
        for face in hero.faces.filter(pk__in=self.spoken_with).select_related("picture"):
            if self.faces_room.takes(face.picture.content):
                self.faces.add(face.pk)
                faces.append(PlainFace(face.label, bytes(face.picture.content)))
            else:
                self._leave_out(f"{hero.name} @{face.label}", HEAVY)
        return replace(exchange.plain_sheet(hero), faces=tuple(faces))

    def _table_of(self, entry: LedgerEntry) -> int | None:
        """Return the place of the table that gave points, None if it is not in the file."""
        kind, _, number = entry.source.partition(":")
        return self.places[Table].get(int(number)) if kind == "table" and number.isdigit() else None

    def _handout(self, handout: Handout) -> form.HandoutRecord:
        copies = handout.copies.filter(seat__session__in=self.sessions).select_related("seat")
        records = [
            self._record(form.HandoutCopyRecord, copy, night=self.places[Session][copy.seat.session_id])
            for copy in copies
        ]
        return self._record(form.HandoutRecord, handout, copies=records)

    def _session_record(self, session: Session) -> form.SessionRecord:
        return self._record(
            form.SessionRecord,
            session,
            seats=[self._seat(seat) for seat in session.sitters],
            notes=self._records(form.SeatNoteRecord, session.seat_notes.order_by("pk")),
            notices=self._records(form.NoticeRecord, session.notices.all()),
            messages=[self._message(message) for message in self._messages_to_export(session)],
            tables=[self.places[Table][table.pk] for table in self.tables if table.session_id == session.pk],
        )

    def _seat(self, seat: Seat) -> form.SeatRecord:
        person = None if seat.is_gm else self.places[Person][seat.person_id]
        return self._record(form.SeatRecord, seat, person=person)

    def _messages_to_export(self, session: Session) -> QuerySet[models.Message]:
        """Return the messages to export, without whispers that the GM may not read."""
        gm = next(seat for seat in session.sitters if seat.is_gm)
        return messages.readable_with_speakers(session, gm).filter(deleted_at=None)

    def _message(self, message: models.Message) -> form.MessageRecord:
        face = message.face.label if message.face_id in self.faces and message.face else ""
        return self._record(form.MessageRecord, message, face=face)

    def _table(self, table: Table) -> form.TableRecord:
        assert table.ended_at, "an evening that has ended ended its tables"
        return self._record(
            form.TableRecord,
            table,
            shares=msgspec.convert(table.shares, form.SharesRecord) if table.shares else None,
            seats=self._records(form.TableSeatRecord, table.table_seats.all()),
            npcs=self._records(form.TableNpcRecord, table.npcs.filter(library__in=self.npcs).order_by("pk")),
            moves=self._records(form.MoveRecord, table.moves.order_by("number")),
        )


def _why_not(table: Table) -> str:
    """Return the reason for leaving a table out, "" if it can be exported."""
    if table.is_thinned:
        return THINNED
    if replay.is_deal_open(table):
        return TODAY
    return "" if replay.check_log(table).holds else CHANGED
