"""The log of a session as files: CCFOLIA's HTML, Markdown, and JSON. ``docs/formats.md`` describes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.translation import get_language

from companion.drawing.markup import clean
from sessions.models import Session
from sessions.report.logs import SessionLogEntry

VERSION = 1


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
    """Escape one line of text for Markdown."""
    text = re.sub(r"([\\`*_{}\[\]<>#|~&!$^=+:@-])", r"\\\1", text.replace("\n", " ").strip())
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", text)


def as_json(session: Session, view: str, entries: list[SessionLogEntry]) -> str:
    told = {
        "format": "takujo.log",
        "version": VERSION,
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
    """A file format: its extension, its content type, and the function that writes it."""

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
