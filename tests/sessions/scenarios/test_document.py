"""A scenario's document: written a field at a time, by several people, and never out of shape."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sessions.scenarios import document as documents
from sessions.scenarios.document import Document, ScenarioCheck, ScenarioScene, Unfit


@pytest.fixture
def harbour() -> Document:
    return Document(
        title="灯の消えた港",
        scenes=[
            ScenarioScene(
                id="a",
                title="桟橋",
                checks=[ScenarioCheck(id="c1", label="足跡を探す"), ScenarioCheck(id="c2")],
            ),
            ScenarioScene(id="b", title="倉庫", leads=["d", "a"]),
            ScenarioScene(id="d", title="灯台"),
        ],
    )


def test_a_written_field_of_a_scenario_is_read_again(harbour: Document) -> None:
    documents.write(harbour, "c1", "difficulty", 3, 2)
    documents.write(harbour, "a", "read", "霧が深い。\n灯が消えている。", "")
    again = documents.read(msgspec.json.encode(harbour))
    assert again == harbour
    assert again.scenes[0].checks[0].difficulty == 3


def test_a_line_break_in_a_title_becomes_a_space(harbour: Document) -> None:
    documents.write(harbour, "a", "title", "桟\r\n橋\x00 ", "桟橋")
    assert harbour.scenes[0].title == "桟 橋"


def test_a_field_that_has_changed_since_it_was_read_is_not_overwritten(harbour: Document) -> None:
    documents.write(harbour, "a", "title", "夜の桟橋", "桟橋")
    with pytest.raises(Unfit, match="changed"):
        documents.write(harbour, "a", "title", "朝の桟橋", "桟橋")
    assert harbour.scenes[0].title == "夜の桟橋"
    # Whoever wrote the same has nothing to be told.
    documents.write(harbour, "a", "title", "夜の桟橋", "桟橋")


@pytest.mark.parametrize(
    ("thing", "field", "value", "code"),
    [
        ("c1", "difficulty", 6, "malformed"),
        ("c1", "difficulty", "3", "malformed"),
        ("c1", "label", "あ" * 81, "malformed"),
        ("a", "mood", "casino", "malformed"),
        ("c1", "kind", "duel", "malformed"),
        ("c1", "earlier_secret", "gm", "unknown_field"),
        ("a", "leads", ["../x"], "malformed"),
        ("a", "picture", "", "unknown_field"),
        ("a", "sound", "", "unknown_field"),
        ("a", "id", "b", "unknown_field"),
        ("a", "checks", [], "unknown_field"),
        ("a", "__class__", "x", "unknown_field"),
        ("nobody", "title", "x", "gone"),
    ],
)
def test_an_invalid_value_of_a_field_changes_nothing(
    harbour: Document, thing: str, field: str, value: Any, code: str
) -> None:
    before = msgspec.json.encode(harbour)
    with pytest.raises(Unfit, match=code):
        documents.write(harbour, thing, field, value, None)
    assert msgspec.json.encode(harbour) == before


def test_parts_of_a_scenario_are_added_moved_and_removed(harbour: Document) -> None:
    documents.add(harbour, "b", "checks", "c3", label="錠を開ける")
    documents.move(harbour, "c2", -1)
    documents.move(harbour, "c2", -1)
    documents.remove(harbour, "c1")
    assert [check.id for check in harbour.scenes[0].checks] == ["c2"]
    assert documents.scene_of(harbour, "c3").title == "倉庫"
    documents.remove(harbour, "d")
    assert harbour.scenes[1].leads == ["a"]


def test_a_full_list_of_a_scenario_refuses_another_part(harbour: Document) -> None:
    for number in range(documents.THINGS_AT_MOST):
        documents.add(harbour, "d", "letters", f"l{number}")
    with pytest.raises(Unfit, match="full"):
        documents.add(harbour, "d", "letters", "one")


def test_the_next_scenes_are_the_linked_ones_or_else_the_one_below(harbour: Document) -> None:
    def after(scene: str) -> list[str]:
        return [follows.id for follows in documents.next_scenes(harbour, scene)]

    assert [after(""), after("a"), after("b"), after("d")] == [["a"], ["b"], ["d", "a"], []]


@pytest.mark.parametrize(
    "said",
    [
        {"scenes": [{"id": "a"}, {"id": "a"}]},
        {"scenes": [{"id": "0"}]},
        {"scenes": [{"id": "a", "checks": [{"id": "c", "difficulty": 9}]}]},
        {"scenes": [{"id": f"s{n}"} for n in range(61)]},
        {"title": "x" * 61},
        [],
    ],
)
def test_an_invalid_scenario_document_is_not_read(said: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        documents.read(msgspec.json.encode(said))
