"""Items. [UC-7]"""

from typing import Any

import pytest

from tests.rules import rule

from .table import Table


def defence_q(character: dict[str, Any]) -> int:
    """q of p2's defence, as p2 is told."""
    table = Table({"p1": "h01", "p2": "s01"}, characters={"p2": character})
    table.do("gm", "start_combat")
    table.attack("p1", "p2", 1)
    table.do("p1", "play", card="h01")
    task = table.view("p2")["task"]
    assert table.view("p1")["task"]["q"] is None, "others are not told"
    assert task["skill"] is False
    return int(task["q"])


@rule("UC-7.1")
def test_a_tools_value_makes_a_check_easier_and_a_missing_tool_harder() -> None:
    table = Table({"p1": "s05"})
    table.call("p1", 2, q=2)
    assert table.view("p1")["me"]["fits"][0]["success"]
    assert (table.view("p1")["task"]["q"], table.view("p1")["task"]["level"]) == (2, 2)
    table.do("gm", "cancel")
    table.call("p1", 2, tool_missing=True)
    assert table.view("p1")["task"]["level"] == 3


@rule("UC-7.2")
@pytest.mark.parametrize(("weapon", "fits"), [(None, False), (0, False), (1, True)])
def test_a_weapons_value_is_q_of_the_attack_and_no_damage(weapon: int | None, fits: bool) -> None:
    weapons = [{"name": "杖", "value": 1}, {"name": "大剣", "value": 3}]
    table = Table({"p1": "s04 s05 s06", "p2": "c13"}, characters={"p1": {"weapons": weapons}})
    table.do("gm", "start_combat")
    table.attack("p1", "p2", 2, weapon=weapon)
    assert table.view("p1")["me"]["fits"][0]["success"] is fits
    if fits:
        table.do("p1", "play", card="s04")
        table.do("p2", "give_up")
        assert table.result()["damage"] == 2


@rule("UC-7.2", "UC-7.3")
@pytest.mark.parametrize(
    ("armour", "shield", "q"),
    [(None, None, 0), (2, None, 2), (None, 3, 3), (0, None, 0), (2, 3, 4), (3, 2, 4), (2, 2, 3), (0, 0, 1)],
)
def test_armour_and_shield_are_q_of_the_defence(armour: int | None, shield: int | None, q: int) -> None:
    assert defence_q({"armour": armour, "shield": shield}) == q


@rule("UC-7.4")
def test_good_armour_has_a_value_up_to_8() -> None:
    assert defence_q({"armour": 8, "shield": 8}) == 9
