"""Time and the server's own check of slow tables, for tests without open pages."""

from __future__ import annotations

import pytest

from sessions.table.slow_tables import SlowTables
from tests.sessions.days import Days


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


@pytest.fixture
def server_looks(days: Days) -> SlowTables:
    """A server that began long enough ago."""
    unattended = SlowTables()
    days.pass_by(minutes=11)
    return unattended
