"""The log of a session: the lines of its tables, of its seats and of its chat, on pages and as files.

``entries`` and ``page`` merge them by time. The files are CCFOLIA's HTML, Markdown, and JSON;
``docs/formats.md`` describes them.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion.figures import figure
from companion.rendering.markup import clean, plain
from sessions.chat import messages
from sessions.game import Event, GameFailed
from sessions.live.regions import plain_values, render_line, seat_names
from sessions.models import Message, SeatNote, Session, Tab, Table
from sessions.report.audience import Perspective, TablePerspective
from sessions.table import log
from sessions.table.slow_tables import table_title

logger = logging.getLogger(__name__)
#: A time after every line.
END = datetime(6000, 1, 1, tzinfo=UTC)
#: The colours of speakers: the table itself, the GM, then seat after seat. All readable on white.
NARRATOR = "#888888"
GM_COLOUR = "#444444"
SEAT_COLOURS = ("#b8321f", "#1d5f8a", "#2c6249", "#7a5a10", "#6b3fa0", "#a8326e", "#0f6b6b", "#8a4b1d")


@dataclass(frozen=True)
class SessionLogEntry:
    """One line of a session's log.

    ``html`` is the line rendered as an ``<li>``. ``to`` holds the names of the only people who could read it
    at that time, None if all could. ``taken_back`` marks a line that an undo or a rewind took back; it stays
    in the log. ``shown`` is False if this came before anybody could read the line. ``facts`` is the data for
    programs.
    """

    when: datetime
    tab: str
    speaker: str
    html: SafeString
    colour: str = NARRATOR
    to: tuple[str, ...] | None = None
    taken_back: bool = False
    shown: bool = True
    facts: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """The line in plain words."""
        return plain(self.html)

    @property
    def tab_name(self) -> str:
        return str(Tab(self.tab).label)

    @property
    def private_note(self) -> str:
        """The readers of a private line, in words; "" if all could read it."""
        return "" if self.to is None else _("for %(names)s only") % {"names": _(", ").join(self.to)}

    @property
    def notes(self) -> list[str]:
        """The remarks on the line besides its words."""
        taken_back = _("taken back") if self.shown else _("taken back before anybody saw it")
        return [note for note in (self.private_note, taken_back if self.taken_back else "") if note]


@dataclass(frozen=True)
class Window:
    """A range of lines: those from a time on, oldest first, or those before one, newest first. Default: all.

    ``tab`` limits the range to one tab, "" for all.
    """

    since: datetime | None = None
    before: datetime | None = None
    tab: str = ""

    def shows(self, when: datetime) -> bool:
        return when < self.before if self.before else self.since is None or when >= self.since


def entries(session: Session, reader: Perspective) -> list[SessionLogEntry]:
    """Return the lines of a session that a reader may read, in order of time."""
    lines = chain.from_iterable(_lines(session, reader, Window()))
    return sorted(lines, key=attrgetter("when"))  # stable: a move's lines stay in their order


@dataclass(frozen=True)
class SessionLogPage:
    """A page of a log. The page before it ends before ``earlier``, the next one begins at ``later``."""

    entries: list[SessionLogEntry]
    earlier: datetime | None
    later: datetime | None


#: The number of lines on a page of the log, which may have a few more.
PAGE = 60


def page(session: Session, reader: Perspective, window: Window) -> SessionLogPage:
    """Return the first ``PAGE`` lines of a window that a reader may read, always oldest first.

    Lines of the same time stay on one page, so that every line has its page.
    """
    lines = _lines(session, reader, window)
    backwards = window.before is not None
    # Of lines at the same time, those of the first provider come first: backwards they come last.
    merged = merge(*(lines[::-1] if backwards else lines), key=attrgetter("when"), reverse=backwards)
    moments = (list(group) for _, group in groupby(merged, key=attrgetter("when")))
    shown: list[SessionLogEntry] = []
    while len(shown) < PAGE and (moment := next(moments, None)):
        shown += moment
    rest = next(moments, None)
    if window.before:
        shown.reverse()
        return SessionLogPage(
            shown, shown[0].when if rest else None, window.before if window.before < END else None
        )
    begins = window.since is None or not shown or window.since <= session.opened_at
    return SessionLogPage(shown, None if begins else window.since, rest[0].when if rest else None)


def tabs(session: Session, reader: Perspective) -> list[Tab]:
    """Return the tabs with lines that a reader may read."""
    used = set(_readable_messages(session, reader).order_by().values_list("tab", flat=True).distinct())
    return [tab for tab in Tab if tab in used or (tab == Tab.MAIN and session.tables.exists())]


#: Lines in the order of a window.
Lines = Iterator[SessionLogEntry]


def _lines(session: Session, reader: Perspective, window: Window) -> list[Lines]:
    """Return the lines that a reader may read: of each table, of the seats, and of the chat."""
    lines: list[Lines] = []
    if window.tab in ("", Tab.MAIN):
        for number, table in enumerate(session.tables.order_by("opened_at", "pk"), 1):
            if table.has_its_game:
                lines += _table_lines(table, number, reader.at_table(table), window)
        lines.append(_seat_lines(session, window))
    return [*lines, _chat_lines(session, reader, window)]


def _table_lines(table: Table, number: int, eyes: TablePerspective, window: Window) -> list[Lines]:
    title = table_title(table)
    told = [(table.opened_at, _("The table opens: %(title)s") % {"title": title})]
    if table.is_thinned:
        told.append((table.ended_at or table.opened_at, _("What was played is not kept any more.")))
    lines = []
    for when, words in told:
        if window.shows(when):
            html = format_html('<li class="log-call"><b>{}</b></li>', words)
            lines.append(iter([SessionLogEntry(when, Tab.MAIN, clean(title), html)]))
    return [*lines, _moves_of(table, title, number, eyes, window)]


def _moves_of(table: Table, title: str, number: int, eyes: TablePerspective, window: Window) -> Lines:
    try:
        yield from _rendered_moves_of(table, title, number, eyes, window)
    except GameFailed as failure:
        logger.exception("table %s is not in the log from here on: %s", table.pk, failure)


def _rendered_moves_of(
    table: Table, title: str, number: int, eyes: TablePerspective, window: Window
) -> Lines:
    context = plain_values(table, None, seat_names(table))
    speakers = Speakers(context["figures"], context["names"], narrator=title)
    for line, when in log.lines_by_time(table, since=window.since, before=window.before):
        if not eyes.may_read(line):
            continue
        html = render_line(table, line, context)
        if not html.strip():
            continue
        speaker, colour = speakers.speaker_and_colour(line.event)
        to = None if line.event.to is None else tuple(speakers.name(key) for key in line.event.to)
        facts = {
            "table": number,
            "module": table.module,
            "move": line.number,
            "kind": line.event.kind,
            "data": msgspec.to_builtins(line.event.data),
        }
        yield SessionLogEntry(when, Tab.MAIN, speaker, html, colour, to, line.taken_back, line.shown, facts)


@dataclass(frozen=True)
class Speakers:
    """The speaker of an event: the seat or NPC that its data names, else the table itself.

    The seat of the move is not used: the event may keep it secret.
    """

    figures: dict[str, str]
    names: dict[str, str]
    narrator: str

    def speaker_and_colour(self, event: Event) -> tuple[str, str]:
        key = next((key for name in ("npc", "seat", "who") if (key := event.data.get(name))), None)
        if not isinstance(key, str):
            return clean(self.narrator), NARRATOR
        return self.name(key), self._colour(key)

    def name(self, key: str) -> str:
        """Return the name of a seat's character, of an NPC, or of the person in the seat."""
        return clean(figure(self.figures, self.names, key))

    def _colour(self, key: str) -> str:
        if key == "gm" or key not in self.names:
            return GM_COLOUR
        players = [seat for seat in self.names if seat != "gm"]
        return SEAT_COLOURS[players.index(key) % len(SEAT_COLOURS)]


#: The notes on seats that everybody may read, since a stand-in or another device with the seat sees its
#: player's secrets.
SEEN_BY_OTHERS = (
    SeatNote.SeatNoteKind.STOOD_IN,
    SeatNote.SeatNoteKind.TAKEN_BACK,
    SeatNote.SeatNoteKind.TOOK_OVER,
    SeatNote.SeatNoteKind.MOVED,
    SeatNote.SeatNoteKind.DEVICE_ASKED,
    SeatNote.SeatNoteKind.DEVICE_NO,
    SeatNote.SeatNoteKind.DEVICE_NEW,
    SeatNote.SeatNoteKind.DEVICE_BACK,
)


def _seat_lines(session: Session, window: Window) -> Lines:
    notes = session.seat_notes.filter(kind__in=SEEN_BY_OTHERS).order_by("at", "pk")
    for note in notes.reverse() if window.before else notes:
        if window.shows(note.at):
            words = render_to_string("sessions/_seat_note.html", {"note": note}).strip()
            facts = {"kind": note.kind, "data": {"name": note.name, "by": note.by}}
            html = format_html("<li>{}</li>", words)
            yield SessionLogEntry(note.at, Tab.MAIN, clean(note.name), html, facts=facts)


def _readable_messages(session: Session, reader: Perspective) -> QuerySet[Message]:
    """Return the chat messages. Open secrets do not open whispers to people who were not in them."""
    return messages.readable_with_speakers(session, reader.seat).filter(deleted_at=None)


def _chat_lines(session: Session, reader: Perspective, window: Window) -> Lines:
    rows = _readable_messages(session, reader)
    if window.tab:
        rows = rows.filter(tab=window.tab)
    if window.before:
        rows = rows.filter(sent_at__lt=window.before).order_by("-sent_at", "-pk")
    elif window.since:
        rows = rows.filter(sent_at__gte=window.since)
    for message in log.read_by_chunks(rows):
        speaker, whisper = clean(message.spoken_as), message.tab == Tab.WHISPER
        to = tuple(seat.name for seat in (message.author, *message.to.all())) if whisper else None
        html = format_html("<li><b>{}</b> {}</li>", speaker, message.text)
        facts = {"kind": "said", "data": {"text": message.text, "changes": message.changes}}
        colour = GM_COLOUR if message.author.is_gm else SEAT_COLOURS[message.author_id % len(SEAT_COLOURS)]
        yield SessionLogEntry(message.sent_at, message.tab, speaker, html, colour, to, facts=facts)


def ccfolia(session: Session, view: str, entries: list[SessionLogEntry]) -> str:
    """Return the log in the format of CCFOLIA's log export, which many tools read."""
    title = escape(clean(session.name))
    lines = "\n".join(_ccfolia_line(entry) for entry in entries)
    return (
        f'<!DOCTYPE html>\n<html lang="{get_language()}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n</head>\n<body>\n{lines}\n</body>\n</html>\n"
    )


def _ccfolia_line(entry: SessionLogEntry) -> str:
    tab, speaker = escape(entry.tab_name), escape(entry.speaker)
    text = "<br>".join(escape(line) for line in _text_with_notes(entry).split("\n"))
    return (
        f'<p style="color:{entry.colour};"><span> [{tab}]</span> <span>{speaker}</span> : '
        f"<span>{text}</span></p>"
    )


def markdown(session: Session, view: str, entries: list[SessionLogEntry]) -> str:
    """Return the log as a Markdown list, with all text escaped."""
    began = date_format(timezone.localtime(session.opened_at), "DATETIME_FORMAT")
    campaign = f"{_escape_markdown(clean(session.campaign.name))} · " if session.campaign else ""
    head = f"# {_escape_markdown(clean(session.name))}\n\n{campaign}{began}\n"
    lines = []
    for entry in entries:
        words = "\\\n  ".join(_escape_markdown(line) for line in _text_with_notes(entry).split("\n"))
        time = date_format(timezone.localtime(entry.when), "H:i")
        lines.append(
            f"- {time} \\[{_escape_markdown(entry.tab_name)}\\] "
            f"**{_escape_markdown(entry.speaker)}**: {words}\n"
        )
    return head + ("\n" + "".join(lines) if lines else "")


def _escape_markdown(text: str) -> str:
    text = re.sub(r"([\\`*_{}\[\]<>#|~&!$^=+:@-])", r"\\\1", text.replace("\n", " ").strip())
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", text)


def as_json(session: Session, view: str, entries: list[SessionLogEntry]) -> str:
    told = {
        "format": "takujo.log",
        "version": 1,
        "view": view,
        "language": get_language(),
        "session": {
            "title": session.name,
            "campaign": session.campaign.name if session.campaign else None,
            "opened_at": _format_time(session.opened_at),
            "ended_at": _format_time(session.ended_at),
        },
        "entries": [
            {
                "when": _format_time(entry.when),
                "tab": entry.tab,
                "speaker": entry.speaker,
                "colour": entry.colour,
                "text": entry.text,
                "to": None if entry.to is None else list(entry.to),
                "taken_back": entry.taken_back,
                "shown": entry.shown,
                **({"event": entry.facts} if entry.facts else {}),
            }
            for entry in entries
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def _format_time(moment: datetime | None) -> str | None:
    return timezone.localtime(moment).isoformat(timespec="seconds") if moment else None


def _text_with_notes(entry: SessionLogEntry) -> str:
    return " ".join([*(f"({note})" for note in entry.notes), entry.text])


@dataclass(frozen=True)
class Format:
    ending: str
    content_type: str
    write: Callable[[Session, str, list[SessionLogEntry]], str]


FORMATS = {
    "ccfolia": Format("html", "text/html; charset=utf-8", ccfolia),
    "markdown": Format("md", "text/markdown; charset=utf-8", markdown),
    "json": Format("json", "application/json", as_json),
}


def file_name(session: Session, ending: str) -> str:
    """Return a file name that every operating system accepts."""
    day = timezone.localtime(session.opened_at).strftime("%Y-%m-%d")
    title = re.sub(r'[\\/:*?"<>|.\s]+', " ", clean(session.name)).strip()[:60] or "log"
    return f"{day} {title}.{ending}"
