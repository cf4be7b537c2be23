"""What the tests of this game begin with."""

from __future__ import annotations

import pytest

from sessions.engine.step import start
from sessions.game import Fate

from .. import module
from ..state import State


@pytest.fixture
def opened() -> State:
    """A table as it is dealt."""
    return module.load(start(module, module.seat_list(module.seats.start), {}, Fate("tests", 0)))
