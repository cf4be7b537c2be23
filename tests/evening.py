"""Verbs of an evening, as tests say them."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from channels.db import database_sync_to_async
from django.core.cache import caches
from django.test import Client

from characters.models import Character
from companion.identity import people
from companion.models import Person
from sessions.evening import nights, presence
from sessions.models import Role, Seat, Session, Table
from sessions.table import log, moves, seat_view
from sessions.table.log import LogLine
from tests.servers import wait_until


def sit(session: Session, person: Person, role: Role = Role.PLAYER) -> Seat:
    return nights.take_seat(session=session, person=person, name=person.name, role=role)


def person_on(client: Client) -> Person:
    """Return the guest whose cookie a device carries."""
    person = people.person_by_token(client.cookies[people.COOKIE].value)
    assert person
    return person


def owner_of(sheet: Character) -> Person:
    """Return the owner whom the database has for a character by now."""
    return Character.objects.get(pk=sheet.pk).owner


def everybody_is_here(session: Session) -> None:
    """Let no page of an evening hear of arrivals."""
    presence.note_signs([presence.Sign(seat.pk, "before") for seat in session.seats.all()])


async def everybody_leaves(seats: Iterable[Seat]) -> None:
    """Wait until the pages of these seats have closed: a late sign of life would count with the next ones."""
    pks = [seat.pk for seat in seats]

    def have_left() -> bool:
        return "here" not in presence.page_states(pks).values()

    await asyncio.to_thread(wait_until, have_left, what="everybody's leaving")


def ws_path(table: Table) -> str:
    return f"/ws/tables/{table.pk}/"


async def in_database(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    return await database_sync_to_async(function)(*arguments, **named)


def can_undo(table: Table, seat: str | None) -> bool:
    return seat_view.can_undo(Table.objects.get(pk=table.pk), seat)


def call(seat: str = "p1", difficulty: int = 0, *, label: str = "", chain: bool = False) -> bytes:
    """The GM's call for a check that any card passes."""
    return json.dumps(
        {
            "type": "call",
            "seat": seat,
            "npc": None,
            "difficulty": difficulty,
            "label": label,
            "skill": False,
            "q": 0,
            "tool_missing": False,
            "chain": chain,
        }
    ).encode()


def play(table: Table, seat: str, raw: bytes, *, client_id: uuid.UUID | None = None) -> moves.Receipt:
    table.refresh_from_db()
    return moves.submit(
        table.pk,
        moves.MoveRequest(
            seat=seat, client_id=client_id or uuid.uuid4(), raw=raw, version=table.version, asked=""
        ),
    )


def log_of(table: Table, seat: str | None) -> list[LogLine]:
    """Return every line that ``seat`` (None: a spectator) may read, oldest first."""
    return [line for line, _ in log.all_lines(table) if line.may_be_read_by(seat)]


def hand(table: Table, seat: str) -> list[str]:
    table.refresh_from_db()
    view: Any = seat_view.seat_view(table, seat).view
    return list(view.me.hand)


def clear_caches() -> None:
    """Empty every cache, that of the limits, too."""
    for name in caches.settings:
        caches[name].clear()


#: A run of random letters and digits: a token, a key or a signature. Ids on pages have no capitals.
TOKEN = re.compile(r"(?<![\w+/=-])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+/=-]{20,}", re.ASCII)
BEFORE, AFTER = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
CARD = re.compile(f"{BEFORE}[shdcx](?:0[1-9]|1[0-3]){AFTER}")


def without_chance(text: str) -> str:
    """Return a text without tokens and strokes of drawings: chance writes any short word into them."""
    return TOKEN.sub(" ", re.sub(r' d="[^"]*"', "", text))


def mentions(text: str, word: str) -> bool:
    """True if a text contains a word, whole and outside of tokens."""
    before = BEFORE if re.match(r"[0-9A-Za-z]", word) else ""
    after = AFTER if re.search(r"[0-9A-Za-z]$", word) else ""
    return re.search(before + re.escape(word) + after, without_chance(text)) is not None


def cards_in(text: str) -> set[str]:
    """Return every card whose id a text contains, whole and outside of tokens."""
    return set(CARD.findall(without_chance(text)))
