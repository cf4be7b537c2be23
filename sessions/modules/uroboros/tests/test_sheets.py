"""The table's promises to the keepers of character sheets."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine.step import start
from sessions.game import Event, Fate, Json, Sheets

from .. import module
from .table import Table, party


@pytest.fixture
def sheets() -> Sheets:
    assert module.sheets
    return module.sheets


@pytest.fixture
def table() -> Table:
    """Rin and Kei, and a wolf."""
    hands = {"p1": "h01 h02 h03", "p2": "d01 d02"}
    table = Table(hands, characters={"p1": {"name": "Rin"}, "p2": {"name": "Kei", "hp_max": 9}})
    table.add_npc(name="wolf", rank=2)
    return table


def make(table: Table, move: Json) -> list[Event]:
    """The GM makes a move that came as JSON."""
    fields: dict[str, Any] = dict(move)
    return table.do("gm", fields.pop("type"), **fields)


def test_a_table_opens_with_the_sheets_brought_to_it(sheets: Sheets) -> None:
    options = sheets.options({"p2": {"name": "Rin", "ca": 5}})
    state = module.load(start(module, ["gm", "p1", "p2"], options, Fate("sheets", 0)))
    assert [(one.name, one.ca) for one in state.characters.values()] == [("p1", 8), ("Rin", 5)]


def test_hp_that_the_gm_sets_is_written_on_the_sheet(table: Table, sheets: Sheets) -> None:
    events = make(table, sheets.set_hp("p1", 1, None))
    assert sheets.after(events) == {"p1": {"hp": 1}}
    assert sheets.before(events) == {"p1": {"hp": 3}}


def test_the_log_says_which_player_wrote_hp_down(table: Table, sheets: Sheets) -> None:
    [changed] = [event for event in make(table, sheets.set_hp("p1", 1, "p2")) if event.kind == "hp_changed"]
    assert changed.data["by"] == "p2"


def test_several_hp_changes_give_the_values_before_the_first_and_after_the_last(
    table: Table, sheets: Sheets
) -> None:
    events = [event for hp in (2, 1, -4) for event in make(table, sheets.set_hp("p1", hp, None))]
    events += make(table, sheets.set_hp("p2", 5, None))
    assert sheets.after(events) == {"p1": {"hp": -4}, "p2": {"hp": 5}}
    assert sheets.before(events) == {"p1": {"hp": 3}, "p2": {"hp": 9}}


def test_an_npc_has_no_sheet(table: Table, sheets: Sheets) -> None:
    events = make(table, sheets.set_hp("n1", 1, None))
    assert [event.kind for event in events] == ["hp_changed"]
    assert sheets.after(events) == sheets.before(events) == {}


def test_a_latecomer_gets_the_seat_that_the_events_name(table: Table, sheets: Sheets) -> None:
    events = make(table, sheets.latecomer({"name": "Mio", "ca": 1}))
    assert sheets.seat_of(events) == "p3"
    assert table.state.characters["p3"].name == "Mio"


def test_events_tell_which_checks_were_called(table: Table, sheets: Sheets) -> None:
    events = table.call("p1", 3, label="壁を登る", chain=True)
    assert sheets.checks_called(events) == [{"label": "壁を登る", "chain": True, "difficulty": 3}]
    table.do("gm", "cancel")
    secret = table.call("p1", 4, label="気配", secret="gm")
    assert sheets.checks_called(secret) == [{"label": "気配", "chain": False, "secret": "gm"}]
    table.do("gm", "cancel")
    sides = {"active": party("p1"), "passive": party("p2")}
    contest = table.do("gm", "contest", difficulty=2, label="腕ずもう", **sides)
    told = {"label": "腕ずもう", "chain": False, "difficulty": 2, "contest": True}
    assert sheets.checks_called(contest) == [told]
    table.do("gm", "cancel")
    assert sheets.checks_called(table.call("p1", 1, label="")) == []


def test_a_view_says_which_figures_there_are(table: Table, sheets: Sheets) -> None:
    view = module.view(table.state, "gm")
    assert {seat: (one.name, one.hp, one.hp_max) for seat, one in sheets.characters(view).items()} == {
        "p1": ("Rin", 3, 3),
        "p2": ("Kei", 9, 9),
    }
    assert {who: (one.name, one.hp, one.hp_max) for who, one in sheets.npcs(view).items()} == {
        "n1": ("wolf", 2, 2)
    }
    assert module.telling.names(view) == {"p1": "Rin", "p2": "Kei", "n1": "wolf"}


def test_events_tell_which_npcs_came(table: Table, sheets: Sheets) -> None:
    events = table.do("gm", "add_npc", name="owl", rank=1) + table.do("gm", "add_npc", name="cat", rank=1)
    assert sheets.npcs_added(events) == ["n2", "n3"]
    assert sheets.npcs_added(table.do("gm", "remove_npc", npc="n2")) == []
