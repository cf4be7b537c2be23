"""What a book remembers of a game: how close the end was."""

from __future__ import annotations

import pytest

from sessions.game import Event, Mark
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.telling import marks

from .table import Table


@pytest.mark.parametrize(("second", "apart"), [(7, 2), (9, 0)])
def test_a_win_is_remembered_by_its_lead_in_vp_over_the_second(second: int, apart: int) -> None:
    table = Table("scotch wolf lloyd", season=3)
    with table as state:
        state.phase = "style"
        state.players["p1"].duty_vp, state.players["p2"].duty_vp = 9, second
        state.players["p3"].gained = ["green-2"]
        state.players["npc"].coop = ["white-6", "white-4", "white-2"]
    assert marks(module.view(table.state, None), []) == [], "before the end there is nothing"
    table.move("p3", "set_style", stand=[])
    told = {"seat": "p1", "vp": 9, "second": second}
    assert marks(module.view(table.state, None), []) == [Mark(Event("closest", told), rank=-apart)]
