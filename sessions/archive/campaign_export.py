"""Export a campaign as a file: its sessions that have ended, and everything in them that its GM may read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from characters import services
from characters.exchange import sheet_json
from characters.exchange.plain import PlainFace, PlainSheet
from characters.models import Character, ExperienceChecklist, LedgerEntry
from companion.models import Person
from companion.server import storage
from sessions import models
from sessions.archive import campaign_file as form
from sessions.archive.campaign_file import FACE_BYTES_AT_MOST, FileCapacity, encode_picture
from sessions.card_table.checklists import session_key
from sessions.chat import messages
from sessions.evening import safety
from sessions.models import Campaign, Handout, Role, Seat, Session
from sessions.table import replay
from sessions.table.slow_tables import title_of

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
#: Fields of a table that have another form in the file.
FOLLOWING = ("opened_by", "rematch_of", "snapshot", "ended_at", "shares", "seats", "npcs", "moves")


def export(campaign: Campaign) -> form.CampaignFile:
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
        self.left_out = [
            form.OmissionRecord(title=night.title, why=RUNNING) for night in running_sessions(campaign)
        ]
        self.seats = {
            night.pk: list(night.seats.select_related("person").order_by("joined_at", "pk"))
            for night in self.nights
        }
        self.seat_place = {
            seat.pk: place for seats in self.seats.values() for place, seat in enumerate(seats)
        }
        self.night_place = {night.pk: place for place, night in enumerate(self.nights)}
        everybody = [seat for seats in self.seats.values() for seat in seats]
        self.people = _unique(seat.person for seat in everybody if seat.role != Role.GM)
        brought = (
            Character.objects.filter(seats__in=everybody, status=Character.Status.DONE)
            .distinct()
            .order_by("pk")
            .with_rows()
        )
        self.heroes = list(brought)
        self.people += [p for p in _unique(hero.owner for hero in self.heroes) if p not in self.people]
        self.person_place = {person.pk: place for place, person in enumerate(self.people)}
        self.hero_place = {hero.pk: place for place, hero in enumerate(self.heroes)}
        self.npcs = list(campaign.npcs.filter(owner=campaign.gm).select_related("picture").order_by("pk"))
        self.npc_place = {npc.pk: place for place, npc in enumerate(self.npcs)}
        self.tables = self._tables()
        self.table_place = {table.pk: place for place, table in enumerate(self.tables)}
        self.room, self.faces_room = FileCapacity(), FileCapacity(FACE_BYTES_AT_MOST)
        #: The faces with which messages in the file were spoken, and those of them that found room in it.
        said = (self._messages_to_export(night) for night in self.nights)
        self.spoken_with = {pk for lines in said for pk in lines.values_list("face_id", flat=True) if pk}
        self.faces: set[int] = set()

    def file(self) -> form.CampaignFile:
        campaign = self.campaign
        whole = form.CampaignContent(
            migrations=storage.latest_migrations(),
            campaign=form.CampaignRecord(
                name=campaign.name,
                jokers=campaign.jokers,
                ladder=campaign.ladder,
                house_values=campaign.house_values,
                grace=campaign.grace,
                created_at=campaign.created_at,
            ),
            people=[person.name for person in self.people],
            characters=[self._hero(hero) for hero in self.heroes],
            handouts=[self._letter(handout) for handout in campaign.handouts.select_related("picture")],
            scene_notes=[
                form.SceneNoteRecord(
                    title=note.title, text=note.text, caption=note.caption, picture=self._picture(note)
                )
                for note in campaign.scene_notes.select_related("picture")
            ],
            prepared_checks=[_same(form.CheckRecord, check) for check in campaign.prepared_checks.all()],
            limits=[_same(form.LimitRecord, limit) for limit in safety.visible_limits(campaign.pk)],
            npcs=[
                form.NpcRecord(picture=self._picture(npc), **_fields(form.NpcRecord, npc, "picture"))
                for npc in self.npcs
            ],
            nights=[self._night(night) for night in self.nights],
            left_out=self.left_out,
        )
        return form.CampaignFile(
            whole, {place: self._table(table) for place, table in enumerate(self.tables)}
        )

    def _tables(self) -> list[models.Table]:
        """Return the tables that can be exported, and list the others as left out."""
        found = []
        for table in models.Table.objects.filter(session__in=self.nights).order_by("opened_at", "pk"):
            if why := _why_not(table):
                self.left_out.append(form.OmissionRecord(title=title_of(table).strip(), why=why))
            else:
                found.append(table)
        return found

    def _hero(self, hero: Character) -> form.CharacterRecord:
        checklists = list(hero.checklists.order_by("created_at", "pk").prefetch_related("lines"))
        ledger = list(hero.ledger.order_by("pk"))
        lists = {checklist.pk: place for place, checklist in enumerate(checklists)}
        lines = {entry.pk: place for place, entry in enumerate(ledger)}
        nights = {session_key(pk): place for pk, place in self.night_place.items()}
        return form.CharacterRecord(
            person=self.person_place[hero.owner_id],
            sheet=sheet_json.write_document(self._sheet(hero))["character"],
            checklists=[_checklist(one, nights.get(one.session_key)) for one in checklists],
            ledger=[
                form.LedgerRecord(
                    checklist=lists.get(entry.checklist_id or 0),
                    takes_back=lines.get(entry.takes_back_id or 0),
                    table=self._table_of(entry),
                    **_fields(form.LedgerRecord, entry, "checklist", "takes_back", "table"),
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
                self.left_out.append(form.OmissionRecord(title=f"{hero.name} @{face.label}", why=HEAVY))
        return replace(services.plain_sheet(hero), faces=tuple(faces))

    def _table_of(self, entry: LedgerEntry) -> int | None:
        """Return the place of the table that gave points, None if it is not in the file."""
        kind, _, number = entry.source.partition(":")
        return self.table_place.get(int(number)) if kind == "table" and number.isdigit() else None

    def _letter(self, handout: Handout) -> form.HandoutRecord:
        copies = handout.copies.filter(seat__session__in=self.nights).select_related("seat", "notice")
        return form.HandoutRecord(
            copies=[
                form.HandoutCopyRecord(
                    night=self.night_place[copy.seat.session_id],
                    seat=self.seat_place[copy.seat_id],
                    notice=self._notice(copy.notice),
                )
                for copy in copies
            ],
            picture=self._picture(handout),
            **_fields(form.HandoutRecord, handout, "copies", "picture"),
        )

    def _picture(self, thing: Handout | models.SceneNote | models.LibraryNpc) -> str:
        """Return the picture of a thing as text, "" if it has none or the file has no room for it."""
        if thing.picture and not self.room.takes(thing.picture.content):
            self.left_out.append(form.OmissionRecord(title=str(thing), why=HEAVY))
            return ""
        return encode_picture(thing.picture)

    def _notice(self, notice: models.Notice | None) -> int | None:
        if notice is None or notice.session_id not in self.night_place:
            return None
        return list(notice.session.notices.values_list("pk", flat=True)).index(notice.pk)

    def _night(self, night: Session) -> form.SessionRecord:
        tables = [table for table in self.tables if table.session_id == night.pk]
        return form.SessionRecord(
            seats=[self._seat(seat) for seat in self.seats[night.pk]],
            notes=[_same(form.SeatNoteRecord, note) for note in night.seat_notes.order_by("pk")],
            notices=[
                form.NoticeRecord(at=one.at, read_by=self._places(one.read_by.all()))
                for one in night.notices.all()
            ],
            messages=[
                form.MessageRecord(
                    author=self.seat_place[message.author_id],
                    to=self._places(message.to.all()),
                    character=self.hero_place.get(message.character_id or 0),
                    face=self._face(message),
                    npc=self.npc_place.get(message.npc_id or 0),
                    **_fields(form.MessageRecord, message, "author", "to", "character", "face", "npc"),
                )
                for message in self._messages_to_export(night)
            ],
            tables=[self.table_place[table.pk] for table in tables],
            **_fields(form.SessionRecord, night, "seats", "notes", "notices", "messages", "tables"),
        )

    def _messages_to_export(self, night: Session) -> QuerySet[models.Message]:
        """Return the messages to export, without whispers that the GM may not read."""
        gm = next(seat for seat in self.seats[night.pk] if seat.role == Role.GM)
        return messages.entries(night, gm).filter(deleted_at=None)

    def _face(self, message: models.Message) -> str:
        return message.face.label if message.face_id in self.faces and message.face else ""

    def _places(self, seats: Iterable[Seat]) -> list[int]:
        return sorted(self.seat_place[seat.pk] for seat in seats)

    def _seat(self, seat: Seat) -> form.SeatRecord:
        return form.SeatRecord(
            person=None if seat.role == Role.GM else self.person_place[seat.person_id],
            character=self.hero_place.get(seat.character_id or 0),
            **_fields(form.SeatRecord, seat, "person", "character"),
        )

    def _table(self, table: models.Table) -> form.TableRecord:
        return form.TableRecord(
            opened_by=self.seat_place.get(table.opened_by_id or 0),
            rematch_of=self.table_place.get(table.rematch_of_id or 0),
            snapshot=msgspec.Raw(bytes(table.snapshot)),
            ended_at=_require_end(table.ended_at),
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
                form.MoveRecord(move=msgspec.Raw(bytes(move.move)), **_fields(form.MoveRecord, move, "move"))
                for move in table.moves.order_by("number")
            ],
            **_fields(
                form.TableRecord,
                table,
                "opened_by",
                "rematch_of",
                "snapshot",
                "ended_at",
                "shares",
                "seats",
                "npcs",
                "moves",
            ),
        )


def _why_not(table: models.Table) -> str:
    """Return the reason for leaving a table out, "" if it can be exported."""
    if table.is_thinned:
        return THINNED
    if replay.keeps_secret(table):
        return TODAY
    return "" if replay.chance(table).holds else CHANGED


def _checklist(checklist: ExperienceChecklist, night: int | None) -> form.ChecklistRecord:
    lines = [line.key for line in checklist.lines.all()]
    return form.ChecklistRecord(
        night=night, lines=lines, **_fields(form.ChecklistRecord, checklist, "night", "lines")
    )


def _unique(people: Iterable[Person]) -> list[Person]:
    return list(dict.fromkeys(people))


def _require_end(when: datetime | None) -> datetime:
    assert when, "an evening that has ended ended its tables"
    return when


def _same(kind: type[form.T], row: object) -> form.T:
    return kind(**_fields(kind, row))


def _fields(kind: type, row: object, *but: str) -> dict[str, Any]:
    """Return the fields of a row that have the same names in the file."""
    names = (field.name for field in msgspec.structs.fields(kind))
    return {name: getattr(row, name) for name in names if name not in but}
