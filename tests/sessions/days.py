"""Days that pass in a test without anybody waiting."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from django.utils import timezone

from sessions.engine.step import encode
from sessions.models import Session, Table
from sessions.table import clock, opening, seat_view
from sessions.table.slow_tables import SlowTables
from tests.evening import play


class Days:
    """The time of Django, and so of every row, which goes on as a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = timedelta()
        days = self

        class Shifted(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:
                return datetime.now(tz) + days.passed

        monkeypatch.setattr(timezone, "datetime", Shifted)

    def pass_by(self, **time: float) -> None:
        self.passed += timedelta(**time)


def look(unattended: SlowTables) -> None:
    """Let a server look at slow tables until nothing is left to do now."""
    unattended.read_changes()
    for _ in range(50):
        going_on = unattended.read_changes()
        if not going_on:
            return
        for pk in going_on:
            unattended.play_table(pk)
    raise AssertionError("it would play for ever")


def lay(table: Table, seat: str) -> None:
    """Let a seat lay the first number of its hand."""
    table.refresh_from_db()
    view: Any = seat_view.seat_view(table, seat).view
    play(table, seat, encode({"type": "lay", "number": view.hand[0]}))


def slow(session: Session, players: list[Any], rounds: int = 5) -> Table:
    """Open a table that is played over days."""
    opened = {"module_key": "tally", "options": {"rounds": rounds}}
    return opening.open_table(session=session, players=players, clock=clock.DAY, **opened)
