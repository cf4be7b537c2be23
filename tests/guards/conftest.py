"""The world of the guards, laid out once a test."""

from __future__ import annotations

import pytest

from tests.guards.world import World, lay_out


@pytest.fixture
def world(reference_rows: None) -> World:
    """A night with canaries, and one person of every role."""
    return lay_out()
