"""The world of the guards, laid out once a test."""

from __future__ import annotations

from datetime import timedelta

import pytest

from companion.identity import person_links
from sessions.evening import devices
from tests.guards.world import World, lay_out


@pytest.fixture
def world(reference_rows: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """A night with canaries, and one person of every role; no link expires while its tests ask."""
    monkeypatch.setattr(devices, "LINK_LIFETIME", timedelta(days=1))
    for name in ("ASKED_FOR", "LIFETIME"):
        monkeypatch.setattr(person_links, name, timedelta(days=1))
    return lay_out()
