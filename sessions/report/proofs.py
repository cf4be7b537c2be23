"""The checkable shuffles and rolls of a session, in words for people and as data for their browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import rendering
from companion.fate import FateRecord
from companion.rendering.markup import plain
from sessions.chat import messages
from sessions.engine.undo import SPAN
from sessions.models import Message, Seat, Session, Table
from sessions.table.replay import check_part, count_parts
from sessions.table.slow_tables import table_title

VERSION = 1


@dataclass(frozen=True)
class ChanceReport:
    """The shuffles and rolls in a part of a table's log, in words for a page.

    ``first`` and ``last`` are the numbers of the part's moves; the deal belongs to the first part. If the log
    was not replayed, ``holds`` is None and ``asked`` is empty.
    """

    table: Table
    title: str
    part: int
    parts: int
    asked: list[str]
    holds: bool | None

    @property
    def first(self) -> int:
        return (self.part - 1) * SPAN + 1

    @property
    def last(self) -> int:
        return min(self.part * SPAN, self.table.version)

    @property
    def earlier(self) -> int | None:
        return self.part - 1 or None

    @property
    def later(self) -> int | None:
        return self.part + 1 if self.part < self.parts else None

    @property
    def command(self) -> str:
        """The terminal command that prints the fingerprint of the secret."""
        return f"python3 -c \"import hashlib; print(hashlib.sha256(b'{self.table.own_secret}').hexdigest())\""


def chance_report(table: Table, part: int = 1) -> ChanceReport:
    """Replay a part of an ended table; return its shuffles and rolls, and whether log and table match."""
    found = check_part(table, part)
    asked = [_describe_chance(table, move, one) for move, one in found.drawn]
    return ChanceReport(table, table_title(table), part, count_parts(table), asked, found.holds)


def chance_report_without_replay(table: Table) -> ChanceReport:
    """Return an ended table without a replay of its log; the table's own page has its shuffles and rolls."""
    return ChanceReport(table, table_title(table), 1, count_parts(table), [], None)


def facts(table: Table, part: int) -> dict[str, Any]:
    """Return the data with which a browser checks a part of an ended table; see ``docs/formats.md``."""
    found = check_part(table, part)
    return {
        "format": "takujo.chance",
        "version": VERSION,
        "table": table.pk,
        "commitment": table.commitment,
        "secret": table.secret,
        "shares": table.shares or None,
        "fits": found.holds,
        "part": part,
        "parts": count_parts(table),
        "drawn": [_as_data(table, move, one) for move, one in found.drawn],
    }


def _as_data(table: Table, move: int, one: FateRecord) -> dict[str, Any]:
    return {
        "move": move,
        "kind": one.kind,
        "name": one.name,
        "use": one.use,
        "items": one.items,
        "result": one.result,
        "said": _describe_chance(table, move, one),
    }


@dataclass(frozen=True)
class ChatRolls:
    """The rolls in an ended session's chat that a reader may see, and the session with their secret."""

    session: Session
    told: list[Message]

    @property
    def facts(self) -> str:
        """The rolls as JSON, in the order of ``chance_report``; a browser calculates each one again."""
        return msgspec.json.encode(
            [{"name": one.client_id.hex, **(one.rolled or {})} for one in self.told]
        ).decode()


def chat_rolls(session: Session, seat: Seat) -> ChatRolls | None:
    """Return the rolls of an ended session that a seat may read; None if there are none to check."""
    found = list(messages.readable(session, seat).filter(rolled__isnull=False).order_by("sent_at", "pk"))
    return ChatRolls(session, found) if found and session.roll_secret else None


def playthrough_script(table: Table) -> bytes:
    """Return a table as a script for ``manage.py playthrough``, which replays it on any computer."""
    steps = [
        {"seat": move.seat, "move": msgspec.Raw(bytes(move.move))} for move in table.moves.order_by("number")
    ]
    whole = {
        "module": table.module,
        "seats": table.opening_seats,
        "options": table.options,
        "secret": table.secret,
        "steps": steps,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _describe_chance(table: Table, move: int, one: FateRecord) -> str:
    """Return one shuffle or roll in words: its move, its items, and their number."""
    at = _("Move %(n)s") % {"n": move} if move else _("At the opening")
    names = (f"tables/{table.module}/_chance.jinja", "tables/_chance.jinja")
    count = len(one.items)
    made = {"of": plain(rendering.render_first(names, {"name": one.name})), "n": count}
    if one.kind == "roll":
        return f"{at}: " + _("Roll for %(of)s, 1 to %(n)s") % made
    shuffles = ngettext("Shuffle of %(of)s, %(n)s piece", "Shuffle of %(of)s, %(n)s pieces", count)
    return f"{at}: {shuffles % made}"
