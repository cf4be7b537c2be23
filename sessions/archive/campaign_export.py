"""Export a campaign as a file: its sessions that have ended, and everything in them that its GM may read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_noop

from characters.exchange import sheet_json
from characters.exchange.plain import PlainFace, PlainSheet
from characters.models import Character, LedgerEntry
from characters.services import exchange
from companion.server import storage
from sessions import models
from sessions.archive import campaign_file as form
from sessions.archive.campaign_file import FACE_BYTES_AT_MOST, FileCapacity, encode_picture
from sessions.card_table.checklists import session_key
from sessions.chat import messages
from sessions.evening import safety
from sessions.models import Campaign, Handout, Role, Seat, Session
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
R = TypeVar("R", bound=msgspec.Struct)


def export_campaign(campaign: Campaign) -> form.CampaignFile:
    """Return a campaign as a file, which lists everything that was left out of it."""
    return _Export(campaign).file()


def running_sessions(campaign: Campaign) -> QuerySet[Session]:
    """Return the sessions that would be left out because they still run."""
    return campaign.evenings.filter(ended_at=None)


class _Export:
    """The rows to export, and their places in the file by primary key."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.nights = list(campaign.evenings.exclude(ended_at=None).order_by("opened_at", "pk"))
        self.left_out: list[form.OmissionRecord] = []
        for night in running_sessions(campaign):
            self._leave_out(night.title, RUNNING)
        self.seats = {
            night.pk: list(night.seats.select_related("person").order_by("joined_at", "pk"))
            for night in self.nights
        }
        self.seat_place: dict[int, int] = {}
        for seats in self.seats.values():
            self.seat_place |= _places(seats)
        self.night_place = _places(self.nights)
        everybody = [seat for seats in self.seats.values() for seat in seats]
        brought = Character.objects.filter(seats__in=everybody, status=Character.Status.DONE)
        self.heroes = list(brought.distinct().order_by("pk").with_rows())
        seated = [seat.person for seat in everybody if seat.role != Role.GM]
        self.people = list(dict.fromkeys([*seated, *(hero.owner for hero in self.heroes)]))
        self.person_place, self.hero_place = _places(self.people), _places(self.heroes)
        self.npcs = list(campaign.npcs.filter(owner=campaign.gm).select_related("picture").order_by("pk"))
        self.npc_place = _places(self.npcs)
        self.tables = self._tables()
        self.table_place = _places(self.tables)
        self.room, self.faces_room = FileCapacity(), FileCapacity(FACE_BYTES_AT_MOST)
        #: The faces with which messages in the file were spoken, and those of them that found room in it.
        said = (self._messages_to_export(night) for night in self.nights)
        self.spoken_with = {pk for lines in said for pk in lines.values_list("face_id", flat=True) if pk}
        self.faces: set[int] = set()

    def file(self) -> form.CampaignFile:
        campaign = self.campaign
        whole = form.CampaignContent(
            migrations=storage.latest_migrations(),
            campaign=_record(form.CampaignRecord, campaign),
            people=[person.name for person in self.people],
            characters=[self._hero(hero) for hero in self.heroes],
            handouts=[self._letter(handout) for handout in campaign.handouts.select_related("picture")],
            scene_notes=[
                _record(form.SceneNoteRecord, note, picture=self._picture(note))
                for note in campaign.scene_notes.select_related("picture")
            ],
            prepared_checks=[_record(form.CheckRecord, check) for check in campaign.prepared_checks.all()],
            limits=[_record(form.LimitRecord, limit) for limit in safety.visible_limits(campaign.pk)],
            npcs=[_record(form.NpcRecord, npc, picture=self._picture(npc)) for npc in self.npcs],
            nights=[self._session_record(night) for night in self.nights],
            left_out=self.left_out,
        )
        return form.CampaignFile(whole, dict(enumerate(map(self._table, self.tables))))

    def _leave_out(self, title: str, why: str) -> None:
        self.left_out.append(form.OmissionRecord(title=title, why=why))

    def _tables(self) -> list[models.Table]:
        """Return the tables that can be exported, and list the others as left out."""
        found = []
        for table in models.Table.objects.filter(session__in=self.nights).order_by("opened_at", "pk"):
            if why := _why_not(table):
                self._leave_out(table_title(table).strip(), why)
            else:
                found.append(table)
        return found

    def _hero(self, hero: Character) -> form.CharacterRecord:
        checklists = list(hero.checklists.order_by("created_at", "pk").prefetch_related("lines"))
        ledger = list(hero.ledger.order_by("pk"))
        lists, lines = _places(checklists), _places(ledger)
        nights = {session_key(pk): place for pk, place in self.night_place.items()}
        return form.CharacterRecord(
            person=self.person_place[hero.owner_id],
            sheet=sheet_json.write_document(self._sheet(hero))["character"],
            checklists=[
                _record(
                    form.ChecklistRecord,
                    checklist,
                    night=nights.get(checklist.session_key),
                    lines=[line.key for line in checklist.lines.all()],
                )
                for checklist in checklists
            ],
            ledger=[
                _record(
                    form.LedgerRecord,
                    entry,
                    checklist=lists.get(entry.checklist_id or 0),
                    takes_back=lines.get(entry.takes_back_id or 0),
                    table=self._table_of(entry),
                )
                for entry in ledger
            ],
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
        return self.table_place.get(int(number)) if kind == "table" and number.isdigit() else None

    def _letter(self, handout: Handout) -> form.HandoutRecord:
        copies = handout.copies.filter(seat__session__in=self.nights).select_related("seat", "notice")
        records = [
            form.HandoutCopyRecord(
                night=self.night_place[copy.seat.session_id],
                seat=self.seat_place[copy.seat_id],
                notice=self._notice(copy.notice),
            )
            for copy in copies
        ]
        return _record(form.HandoutRecord, handout, copies=records, picture=self._picture(handout))

    def _picture(self, thing: Handout | models.SceneNote | models.LibraryNpc) -> str:
        """Return the picture of a thing as text, "" if it has none or the file has no room for it."""
        if thing.picture and not self.room.takes(thing.picture.content):
            self._leave_out(str(thing), HEAVY)
            return ""
        return encode_picture(thing.picture)

    def _notice(self, notice: models.Notice | None) -> int | None:
        if notice is None or notice.session_id not in self.night_place:
            return None
        return list(notice.session.notices.values_list("pk", flat=True)).index(notice.pk)

    def _session_record(self, night: Session) -> form.SessionRecord:
        return _record(
            form.SessionRecord,
            night,
            seats=[self._seat(seat) for seat in self.seats[night.pk]],
            notes=[_record(form.SeatNoteRecord, note) for note in night.seat_notes.order_by("pk")],
            notices=[
                form.NoticeRecord(at=notice.at, read_by=self._seat_places(notice.read_by.all()))
                for notice in night.notices.all()
            ],
            messages=[self._message(message) for message in self._messages_to_export(night)],
            tables=[self.table_place[table.pk] for table in self.tables if table.session_id == night.pk],
        )

    def _messages_to_export(self, night: Session) -> QuerySet[models.Message]:
        """Return the messages to export, without whispers that the GM may not read."""
        gm = next(seat for seat in self.seats[night.pk] if seat.role == Role.GM)
        return messages.readable_with_speakers(night, gm).filter(deleted_at=None)

    def _message(self, message: models.Message) -> form.MessageRecord:
        return _record(
            form.MessageRecord,
            message,
            author=self.seat_place[message.author_id],
            to=self._seat_places(message.to.all()),
            character=self.hero_place.get(message.character_id or 0),
            face=message.face.label if message.face_id in self.faces and message.face else "",
            npc=self.npc_place.get(message.npc_id or 0),
        )

    def _seat_places(self, seats: Iterable[Seat]) -> list[int]:
        return sorted(self.seat_place[seat.pk] for seat in seats)

    def _seat(self, seat: Seat) -> form.SeatRecord:
        return _record(
            form.SeatRecord,
            seat,
            person=None if seat.role == Role.GM else self.person_place[seat.person_id],
            character=self.hero_place.get(seat.character_id or 0),
        )

    def _table(self, table: models.Table) -> form.TableRecord:
        assert table.ended_at, "an evening that has ended ended its tables"
        return _record(
            form.TableRecord,
            table,
            opened_by=self.seat_place.get(table.opened_by_id or 0),
            rematch_of=self.table_place.get(table.rematch_of_id or 0),
            snapshot=msgspec.Raw(bytes(table.snapshot)),
            shares=msgspec.convert(table.shares, form.SharesRecord) if table.shares else None,
            seats=[
                form.TableSeatRecord(key=sits.key, seat=self.seat_place.get(sits.seat_id or 0), bot=sits.bot)
                for sits in table.table_seats.all()
            ],
            npcs=[
                form.TableNpcRecord(npc=came.npc, name=came.name, library=self.npc_place[came.library_id])
                for came in table.npcs.order_by("pk")
                if came.library_id in self.npc_place
            ],
            moves=[
                _record(form.MoveRecord, move, move=msgspec.Raw(bytes(move.move)))
                for move in table.moves.order_by("number")
            ],
        )


def _why_not(table: models.Table) -> str:
    """Return the reason for leaving a table out, "" if it can be exported."""
    if table.is_thinned:
        return THINNED
    if replay.is_deal_open(table):
        return TODAY
    return "" if replay.check_log(table).holds else CHANGED


def _places(rows: Sequence[Model]) -> dict[Any, int]:
    """Return the places of rows in a list of the file, by primary key."""
    return {row.pk: place for place, row in enumerate(rows)}


def _record(kind: type[R], row: Model, **different: Any) -> R:
    """Return the record of a row; the fields that are not given have the same names in both."""
    names = [field.name for field in msgspec.structs.fields(kind)]
    return kind(**{name: different[name] if name in different else getattr(row, name) for name in names})
