"""The messages of a session: three open tabs, and whispers 秘話.

Nothing that is rendered for anyone else depends on a whisper: not its text, its id or its position.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, prefetch_related_objects

from characters.exchange import parsing
from characters.models import Character, FacePicture
from companion import names, shared_time
from companion.models import Picture
from sessions import access
from sessions.card_table import hit_points, npcs
from sessions.chat import commands
from sessions.evening import announcements
from sessions.evening.refusals import Refused
from sessions.models import LibraryNpc, Message, Role, Seat, Session, Tab, TableNpc
from sessions.models.chat import MessageQuerySet

LONGEST = 1000
LONGEST_NAME = 40
#: The most messages of a tab in its live region; older ones are on a page of their own.
SHOWN = 50
EDITS_AT_MOST = 8
#: The seconds for which the table face shows a line, by the line's length.
SUBTITLE = range(6, 11)
LETTERS_A_SECOND = 12
#: The newest lines whose speakers stand on the table face, the age of the oldest, and the most speakers.
TALK, TALK_LASTS, FIGURES_AT_MOST = 12, timedelta(minutes=1), 3


@dataclass(frozen=True)
class MessageDraft:
    client_id: uuid.UUID
    tab: str
    text: str
    speaker: str = ""
    to: Sequence[str] = ()
    gm_reads: bool = False
    #: The primary key of one of the character's labelled faces; any other text means the usual face.
    face: str = ""

    @property
    def digest(self) -> str:
        """The hash of all fields but the id."""
        content = [self.tab, self.text, self.speaker, sorted(self.to), self.gm_reads, self.face]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


# --- readers and writers ----------------------------------------------------------------------------------


def readable(session: Session, reader: Seat | None) -> MessageQuerySet:
    """Return the messages that a seat (None: a spectator) may know of, oldest first."""
    open_to_all = ~Q(tab=Tab.WHISPER)
    if reader is None:
        return session.messages.filter(open_to_all)
    mine = Exists(Message.to.through.objects.filter(message=OuterRef("pk"), seat=reader))
    known = open_to_all | Q(author=reader) | Q(mine)
    return session.messages.filter(known | Q(open_to_gm=True) if reader.is_gm else known)


def readable_with_speakers(session: Session, reader: Seat | None) -> MessageQuerySet:
    return readable(session, reader).with_speakers().prefetch_related("to")


def tabs_open_to(seat: Seat) -> list[str]:
    if seat.session.ended_at or seat.removed_at:
        return []
    if seat.role == Role.SPECTATOR:
        return [Tab.OTHER.value] if seat.session.spectators_chat else []
    return [tab.value for tab in Tab]


def tabs_read_by(seat: Seat) -> list[Tab]:
    """Return the tabs that a seat has; spectators have no whispers."""
    return [tab for tab in Tab if tab != Tab.WHISPER or seat.role != Role.SPECTATOR]


def whisper_partners(seat: Seat) -> list[Seat]:
    if seat.role == Role.SPECTATOR:
        return []
    here = [other for other in seat.session.sitters if not other.removed_at]
    return [other for other in here if other.role != Role.SPECTATOR and other.pk != seat.pk]


# --- regions ------------------------------------------------------------------------------------------------


def tab_messages(tab: Tab, session: Session, reader: Seat | None) -> dict[str, Any]:
    """Return the newest messages of a tab, for the region ``chat_<tab>``."""
    if tab == Tab.WHISPER:
        return latest(session, readable(session, reader).filter(tab=tab).prefetch_related("to"), SHOWN)
    return session.read_once(f"chat {tab}", lambda: latest(session, session.messages.filter(tab=tab), SHOWN))


def read_open_tabs(session: Session) -> None:
    """Read the newest messages of all open tabs by one query, for pages that show all of them."""
    tabs = [tab for tab in Tab if tab != Tab.WHISPER]
    newest = [session.messages.filter(tab=tab).order_by("-sent_at", "-pk") for tab in tabs]
    shown = [Q(pk__in=messages.values("pk")[: SHOWN + 1]) for messages in newest]
    found = list(session.messages.filter(reduce(or_, shown)).order_by("-sent_at", "-pk"))
    _fetch_speakers(session, found)
    for tab in tabs:
        own = [message for message in found if message.tab == tab]
        session.read_once(f"chat {tab}", partial(_tab_context, own, SHOWN))


def latest(session: Session, messages: MessageQuerySet, count: int) -> dict[str, Any]:
    """Return the last ``count`` of a session's messages, newest last, and whether there are older ones."""
    found = list(messages.order_by("-sent_at", "-pk")[: count + 1])
    _fetch_speakers(session, found)
    return _tab_context(found, count)


def _tab_context(newest: Sequence[Message], count: int) -> dict[str, Any]:
    return {"chat": newest[:count][::-1], "older": len(newest) > count}


def _fetch_speakers(session: Session, messages: Sequence[Message]) -> None:
    """Fetch authors and faces along: those of the session's seats are known, and others are rare.

    One query that joins them all takes Django several times as long to write.
    """
    authors = {seat.pk: seat for seat in session.sitters}
    characters = {seat.character_id: seat.character for seat in session.sitters}
    for message in messages:
        if message.author_id in authors:  # a seat may be newer than these
            message.author = authors[message.author_id]
        if message.character_id in characters:
            message.character = characters[message.character_id]
    portrayed = Character.objects.select_related("portrait").defer("background", "portrait__content")
    npc_rows = LibraryNpc.objects.select_related("picture").defer("picture__content")
    others = {"character": portrayed, "face": FacePicture.objects.with_pictures(), "npc": npc_rows}
    for name, rows in others.items():
        if lacking := [
            one for one in messages if getattr(one, f"{name}_id") and name not in one._state.fields_cache
        ]:
            prefetch_related_objects(lacking, Prefetch(name, rows))


def speaker_context(session: Session, reader: Seat | None) -> dict[str, Any]:
    """Return the newest line of the main tab, while the region ``speaker`` of the table face shows it.

    The speaker stands there with those who have just spoken, in an order that does not depend on who speaks.
    """
    said = session.messages.filter(tab=Tab.MAIN, deleted_at=None).with_speakers()
    lines = [] if session.ended_at else list(said.order_by("-sent_at", "-pk")[:TALK])
    if not lines:
        return {"line": None}
    last, now = lines[0], shared_time.now()
    stays = min(SUBTITLE.stop - 1, SUBTITLE.start + len(last.text) // LETTERS_A_SECOND)
    if now - last.sent_at >= timedelta(seconds=stays):
        return {"line": None}
    pictures = _scenario_pictures(session, lines)
    newest: dict[str, Message] = {}
    for line in lines:
        has_face = line.has_face or line.spoken_as in pictures
        if line is last or (has_face and now - line.sent_at < TALK_LASTS):
            newest.setdefault(line.spoken_as, line)
    figures = sorted(list(newest.values())[:FIGURES_AT_MOST], key=lambda line: line.spoken_as)
    return {"line": last, "stays": stays, "figures": figures, "npc_pictures": pictures}


def _scenario_pictures(session: Session, lines: Sequence[Message]) -> dict[str, Picture]:
    """Return the pictures of a scenario's NPCs at a running table that the GM speaks as, by their names."""
    names = {line.spoken_as for line in lines if not line.has_face and line.author.is_gm}
    if not names:
        return {}
    rows = TableNpc.objects.filter(table__session=session, table__ended_at=None, name__in=names)
    rows = rows.select_related("picture").defer("picture__content")
    return {row.name: row.picture for row in rows if row.picture}


def desk(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the choices of a writer, for the region ``chat_with``: names and faces, whisper partners."""
    if seat is None:
        return {"open_tabs": []}
    runs = access.runs_session(seat)
    finished = None
    if seat.character_id:
        finished = session.read_once("speaking", lambda: _speaking_characters(session)).get(seat.character_id)
    faces = list(finished.faces.all()) if finished and not runs else []
    spoken = Message.objects.filter(author=seat, character=finished, deleted_at=None)
    npc_names: list[str] = []
    if runs:  # First those at the table, then those of the library.
        library = npcs.library_of(session).values_list("name", flat=True)
        npc_names = list(dict.fromkeys([*hit_points.npc_names(session), *library]))
    return {
        "open_tabs": tabs_open_to(seat),
        "company": whisper_partners(seat),
        "anybody": runs,
        "npc_names": npc_names,
        "palette": commands.palette_groups(finished) if finished else [],
        "faces": faces,
        # The labelled face of the character's last message; None for its usual face.
        "worn": spoken.values_list("face_id", flat=True).last() if faces else None,
    }


def _speaking_characters(session: Session) -> dict[int | None, Character]:
    """Return the finished characters of a session's seats by their pks, with all that palettes show."""
    brought = [seat.character for seat in session.sitters if seat.character and seat.character.is_done]
    faces = Prefetch("faces", FacePicture.objects.with_pictures())
    prefetch_related_objects(brought, "skills", "items", faces)
    return {character.pk: character for character in brought}


# --- writing ------------------------------------------------------------------------------------------------


@transaction.atomic
def send(*, seat: Seat, draft: MessageDraft) -> Message:
    """Write a message; a message that is sent twice is written once.

    :raises Refused: ``id_taken``: another message has this id; ``not_here``, ``nothing_written``,
        ``too_long``, ``whisper_to_nobody``, ``whisper_to_stranger``, ``whispers_changed``, ``hp_whispered``,
        ``too_many_edits``, ``unknown_label``, ``no_number``, ``roll_unknown``,
        ``roll_out_of_bounds`` and those of ``hit_points.write_hp``.
    """
    # The lock lasts until the commit, so that two copies of one message are handled one after the other.
    seat = Seat.objects.select_for_update(of=("self",)).select_related("session", "character").get(pk=seat.pk)
    if known := Message.objects.filter(author=seat, client_id=draft.client_id).first():
        if known.draft_digest not in ("", draft.digest):
            raise Refused("id_taken")
        return known
    if draft.tab not in tabs_open_to(seat):
        raise Refused("session_over" if seat.session.ended_at else "not_here")
    to = _whispered_to(seat, draft)
    name, character = _speaker(seat, draft.speaker)
    npc = npcs.npc_spoken_as(seat.session, name) if access.runs_session(seat) and name != seat.name else None
    text, face = _with_face(character, draft)
    changes = _change_values(seat, draft.tab, commands.edits(text))
    rolled, text = _roll(seat.session, draft.client_id, text)
    message = Message.objects.create(
        session=seat.session,
        tab=draft.tab,
        author=seat,
        client_id=draft.client_id,
        draft_digest=draft.digest,
        spoken_as=name,
        character=character,
        face=face,
        npc=npc,
        text=commands.fill_references(text, hit_points.message_values(seat))[:LONGEST],
        changes=changes,
        rolled=rolled,
        open_to_gm=draft.tab == Tab.WHISPER and seat.session.gm_reads_whispers,
    )
    message.to.set(to)
    _announce(message)
    return message


@transaction.atomic
def rewrite(*, message: Message, text: str) -> None:
    """Replace the text of a message and mark it as edited; the old text is lost.

    Changes that the message made by ``:HP-1`` stay.

    :raises Refused: ``session_over``, ``message_gone``, ``roll_stands``, ``nothing_written``, ``too_long``.
    """
    message = _lock_message(message)
    message.text, message.draft_digest, message.edited_at = _words(text), "", shared_time.now()
    message.save(update_fields=["text", "draft_digest", "edited_at"])
    _announce(message)


@transaction.atomic
def delete(*, message: Message) -> None:
    """Delete the text of a message; its readers see that a message was deleted.

    :raises Refused: ``session_over``, ``message_gone``, ``roll_stands``.
    """
    message = _lock_message(message)
    message.text, message.draft_digest, message.changes, message.deleted_at = "", "", [], shared_time.now()
    message.character = message.face = message.npc = None
    fields = ["text", "draft_digest", "changes", "deleted_at", "character", "face", "npc"]
    message.save(update_fields=fields)
    _announce(message)


def set_options(
    *, session: Session, gm_reads_whispers: bool, players_write_hp: bool, spectators_chat: bool
) -> None:
    """Change the session's chat options. Earlier whispers keep their readers."""
    session.gm_reads_whispers = gm_reads_whispers
    session.players_write_hp = players_write_hp
    session.spectators_chat = spectators_chat
    session.save(update_fields=["gm_reads_whispers", "players_write_hp", "spectators_chat"])
    announcements.broadcast(session.pk, "chat_with", "chat_whisper")


def _lock_message(message: Message) -> Message:
    """Return the message, locked until the transaction ends.

    :raises Refused: ``session_over``, ``message_gone``, ``roll_stands``.
    """
    message = Message.objects.select_for_update(of=("self",)).select_related("session").get(pk=message.pk)
    if message.session.ended_at:
        raise Refused("session_over")
    if message.deleted_at:
        raise Refused("message_gone")
    if message.rolled:
        raise Refused("roll_stands")
    return message


def _roll(session: Session, client_id: uuid.UUID, text: str) -> tuple[dict[str, Any] | None, str]:
    """Roll the dice that a text asks for; return the result, None without a roll, and the text to store."""
    roll = commands.parse_roll(text)
    if roll is None:
        return None, text
    if not roll.is_within_limits:
        raise Refused("roll_out_of_bounds", dice=commands.DICE[1], sides=commands.SIDES[1])
    dice = commands.roll_dice(roll, session.roll_secret, client_id)
    rolled: dict[str, Any] = {"sides": roll.sides, "dice": dice, "sum": roll.total(dice)}
    if (held := roll.reaches_target(dice)) is not None:
        rolled["held"] = held
    return rolled, commands.format_roll(roll, dice)


def last_roll_context(session: Session, reader: Seat | None) -> dict[str, Any]:
    """Return the newest public roll, for the table face."""
    rolled = session.messages.exclude(tab=Tab.WHISPER).filter(rolled__isnull=False).order_by("sent_at", "pk")
    return {"roll": rolled.last()}


def _words(text: str) -> str:
    """Return the typed text as it is stored."""
    text = names.clean_text(text)
    if not text:
        raise Refused("nothing_written")
    if len(text) > LONGEST:
        raise Refused("too_long", most=LONGEST)
    return text


def _whispered_to(seat: Seat, draft: MessageDraft) -> list[Seat]:
    if draft.tab != Tab.WHISPER:
        return []
    if draft.gm_reads != seat.session.gm_reads_whispers:
        raise Refused("whispers_changed")
    there = {str(other.pk): other for other in whisper_partners(seat)}
    if not draft.to:
        raise Refused("whisper_to_nobody")
    if not there.keys() >= set(draft.to):
        raise Refused("whisper_to_stranger")
    return [there[pk] for pk in draft.to]


def _speaker(seat: Seat, wanted: str) -> tuple[str, Character | None]:
    """Return the name that speaks, and the character if it speaks.

    The seat that runs the session may speak under any name.
    """
    if access.runs_session(seat):
        return names.clean(wanted)[:LONGEST_NAME] or seat.name, None
    if seat.character and seat.character.name and wanted == "character":
        return seat.character.name, seat.character
    return seat.name, None


def _with_face(character: Character | None, draft: MessageDraft) -> tuple[str, FacePicture | None]:
    """Return the text, and the face that is named at its end or else was chosen on the device."""
    text = _words(draft.text)
    if character is None:
        return text, None
    faces = list(character.faces.all())
    text, label = parsing.split_label(text, [face.label for face in faces])
    if not text:
        raise Refused("nothing_written")
    named = (face for face in faces if (face.label == label if label else str(face.pk) == draft.face))
    return text, next(named, None)


def _change_values(seat: Seat, tab: str, wanted: list[commands.Edit]) -> list[list[Any]]:
    """Carry out the changes that ``:HP-1`` asks for; return the name, the old and the new value of each."""
    if wanted and tab == Tab.WHISPER:
        raise Refused("hp_whispered")
    if len(wanted) > EDITS_AT_MOST:
        raise Refused("too_many_edits", most=EDITS_AT_MOST)
    done = []
    for edit in wanted:
        if names.label_key(edit.label) != "hp":
            raise Refused("unknown_label", label=edit.label)
        if not edit.counts:
            raise Refused("no_number", written=edit.notation)
        done.append([*hit_points.write_hp(writer=seat, whom=edit.whom, change=edit.apply_to)])
    return done


def _announce(message: Message) -> None:
    parts = [f"chat_{message.tab}"]
    if message.tab == Tab.MAIN:
        parts.append("speaker")
    if message.rolled and message.tab != Tab.WHISPER:
        parts.append("rolled")
    announcements.broadcast(message.session_id, *parts)
