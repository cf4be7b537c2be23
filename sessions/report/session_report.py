"""The session report 卓報告: players, results and memorable moments, from the public log."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
from django.utils.safestring import SafeString

from companion import rendering, shared_time
from companion.figures import figure
from sessions.engine.game_errors import guard_call
from sessions.engine.registry import registry
from sessions.game import Digest, Event, GameFailed
from sessions.live.regions import plain_values, result_words, seat_faces, seat_names
from sessions.models import Message, Session, Tab, Table
from sessions.table import log as tablelog
from sessions.table.slow_tables import table_title

T = TypeVar("T")
logger = logging.getLogger(__name__)
#: The types that are decoded from rows, for engine/registry.py.
READ = (Digest,)
#: The number of turning points that tell a table in short.
TURNING_POINTS = 5
#: The lengths of lines that may be quoted, and the number of quotes.
QUOTABLE, QUOTED = range(4, 81), 4


@dataclass(frozen=True)
class ReportPlayer:
    """A player of a table: the person, the character if the game has one, and their counts by column."""

    person: str
    character: str
    face: str
    counts: list[int]


@dataclass(frozen=True)
class TableReport:
    table: Table
    title: str
    result: str
    gm: str
    players: list[ReportPlayer]
    count_names: list[str]
    highlights: list[SafeString]
    story: list[SafeString]
    turning_points: list[SafeString]


@dataclass(frozen=True)
class Report:
    session: Session
    lasted: timedelta
    tables: list[TableReport]
    untold: list[Table]
    quotes: list[Message]

    @property
    def hours(self) -> int:
        return int(self.lasted.total_seconds()) // 3600

    @property
    def minutes(self) -> int:
        return int(self.lasted.total_seconds()) % 3600 // 60


def report(session: Session) -> Report:
    """Return the report of a session, the same for everybody; it is unfinished while the session runs."""
    lasted = (session.ended_at or shared_time.now()) - session.opened_at
    told, untold = [], []
    for table in session.tables.order_by("opened_at", "pk"):
        if report := _report_unless_failing(table):
            told.append(report)
        else:
            untold.append(table)
    return Report(session, lasted, told, untold, quotes(session))


def quotes(session: Session) -> list[Message]:
    """Return one line of each of the first speakers, in order of time: the longest that may be quoted.

    Only messages on the main tab, which everybody could read, are quoted.
    """
    said = Message.objects.filter(session=session, tab=Tab.MAIN, deleted_at=None, changes=[])
    best: dict[str, Message] = {}
    for message in said.order_by("sent_at", "pk"):
        known = best.get(message.spoken_as)
        if len(message.text) in QUOTABLE and (known is None or len(message.text) > len(known.text)):
            best[message.spoken_as] = message
    return sorted(list(best.values())[:QUOTED], key=lambda message: message.sent_at)


def _report_unless_failing(table: Table) -> TableReport | None:
    """Return the report of a table, None if its game is gone or fails."""
    if table.module not in registry():
        return None
    try:
        return _table_report(table)
    except GameFailed as failure:
        logger.exception("table %s is not in the report: %s", table.pk, failure)
        return None


def _table_report(table: Table) -> TableReport:
    names, faces, digest = seat_names(table), seat_faces(table), digest_of(table)
    seats = set(names) - {"gm"}
    context = plain_values(table, None, names)
    columns = list(next(iter(digest.counts.values()), {}))
    count_templates = (f"tables/{table.module}/_count.jinja", "tables/_count.jinja")
    story = [render_highlight(table, event, context) for event in digest.story]
    return TableReport(
        table=table,
        title=table_title(table),
        result=result_words(table),
        gm=names.pop("gm", ""),
        players=[
            ReportPlayer(
                person=person,
                character=_character(key, person, context),
                face=faces.get(key, ""),
                counts=[digest.counts[key][name] for name in columns] if key in digest.counts else [],
            )
            for key, person in names.items()
        ],
        count_names=[rendering.render_first(count_templates, {"name": name}) for name in columns],
        highlights=[render_highlight(table, event, context) for event in digest.highlights],
        story=story,
        turning_points=[story[place] for place in turning_points(digest.story, seats)],
    )


def turning_points(story: Sequence[Event], seats: Collection[str]) -> list[int]:
    """Return the places of a few events in a story: those about players before others, evenly spread."""
    ours = [place for place, event in enumerate(story) if _mentions(event.data, seats)]
    others = [place for place in range(len(story)) if place not in ours]
    chosen = spread(ours, TURNING_POINTS)
    return sorted([*chosen, *spread(others, TURNING_POINTS - len(chosen))])


def _mentions(data: Mapping[str, Any], seats: Collection[str]) -> bool:
    """True if one of these seats is among the values of an event."""
    return any(
        _mentions(value, seats) if isinstance(value, dict) else isinstance(value, str) and value in seats
        for value in data.values()
    )


def spread(found: Sequence[T], count: int) -> list[T]:
    """Return at most ``count`` of these, evenly spread from the last one backwards."""
    if len(found) <= count:
        return list(found)
    return [found[(place + 1) * len(found) // count - 1] for place in range(count)]


def digest_of(table: Table) -> Digest:
    """Return the digest of a table's moves for the report; for a thinned table, the stored digest."""
    if table.told is not None:
        return msgspec.json.decode(bytes(table.told), type=Digest)
    module = registry()[table.module]
    if module.telling.digest is None:
        return Digest()
    options = msgspec.convert(table.options, module.options)
    return module.telling.digest(tablelog.public_events(table), options)


def _character(key: str, person: str, context: dict[str, Any]) -> str:
    name = figure(context["figures"], context["names"], key)
    return "" if name == person else name


def render_highlight(table: Table, event: Event, context: dict[str, Any]) -> SafeString:
    """Render one memorable moment in the words of the game."""
    with guard_call(table.module, f"drawing the highlight {event.kind}"):
        names = (f"tables/{table.module}/_highlight.jinja",)
        return rendering.render_first(names, context | {"event": event})
