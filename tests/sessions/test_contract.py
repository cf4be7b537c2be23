"""The contract of before: a game that was written for it is the same game."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from sessions.engine import contract
from sessions.engine.registry import registry
from sessions.game import AnyModule


def flat(module: AnyModule) -> dict[str, Any]:
    """A module's fields as contract 1 had them."""
    given = {each.name: getattr(module, each.name) for each in fields(module)}
    del given["contract"]
    for name, (group, now) in contract.GROUPED.items():
        given |= {name: getattr(getattr(module, group), now)}
    return {name: value for name, value in given.items() if name not in contract.GROUPS or name == "telling"}


def grown(older: AnyModule, module: AnyModule) -> AnyModule:
    """``older`` with those fields of its groups that contract 1 had not, as ``module`` has them."""
    groups = {}
    for group in contract.GROUPS:
        now = getattr(module, group)
        new = {each.name for each in fields(now) if (group, each.name) not in contract.GROUPED.values()}
        groups[group] = replace(getattr(older, group), **{name: getattr(now, name) for name in new})
    return replace(older, **groups)


@pytest.mark.parametrize("key", registry())
def test_a_game_of_contract_1_is_the_same_game(key: str) -> None:
    module = registry()[key]
    older = grown(contract.Module[Any, Any](**flat(module)), module)
    assert older.contract == 1
    assert vars(replace(older, contract=module.contract)) == vars(replace(module))


def test_a_field_that_contract_1_had_not_is_refused() -> None:
    with pytest.raises(TypeError, match="smells"):
        contract.Module[Any, Any](**flat(registry()["journey"]), smells=True)
