"""An evening: the GM's session with Ayumi and Bo seated, and a card table."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from companion.models import Person
from sessions import nights, tables
from sessions.models import Campaign, Role, Seat, Session, Table
from tests.conftest import Somebody


def sit(session: Session, person: Person, role: Role = Role.PLAYER) -> Seat:
    return nights.take_seat(session=session, person=person, name=person.name, role=role)


@pytest.fixture
def session(gm: Somebody) -> Session:
    campaign = Campaign.objects.create(gm=gm.person, name="無限の蛇")
    return nights.open_session(campaign=campaign, title="第一夜")


@pytest.fixture
def seats(session: Session, ayumi: Somebody, bo: Somebody) -> list[Seat]:
    return [sit(session, ayumi.person), sit(session, bo.person)]


@pytest.fixture
def table(session: Session, seats: list[Seat]) -> Table:
    return tables.open_table(session=session, module_key="uroboros", players=seats)


def call(seat: str = "p1", difficulty: int = 0) -> bytes:
    """The GM's call for a check that any card passes."""
    return json.dumps(
        {
            "type": "call",
            "seat": seat,
            "npc": None,
            "difficulty": difficulty,
            "label": "",
            "skill": False,
            "q": 0,
            "tool_missing": False,
            "chain": False,
        }
    ).encode()


def play(table: Table, seat: str, raw: bytes, *, client_id: uuid.UUID | None = None) -> tables.Receipt:
    """Play a move on the table as it is now."""
    table.refresh_from_db()
    return tables.submit(
        table_pk=table.pk,
        seat=seat,
        client_id=client_id or uuid.uuid4(),
        raw=raw,
        version=table.version,
        asked="",
    )


def hand(table: Table, seat: str) -> list[str]:
    table.refresh_from_db()
    view: Any = tables.look(table, seat).view
    return list(view.me.hand)
