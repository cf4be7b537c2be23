"""A room of CCFOLIA becomes a draft, and what it has no place for is told."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from characters.exchange.parsing import UnreadableSheet
from sessions.scenarios import ccfolia_rooms
from sessions.scenarios.drafts import ImportDifference, ScenarioDraft
from tests.characters.elsewhere import udonarium_room, zipped
from tests.sessions.scenarios.rooms import BROKEN, ENTITIES, PIER, SHADOW, room


def read(content: bytes) -> ScenarioDraft:
    numbers = count(1)
    return ccfolia_rooms.read(content, lambda: f"x{next(numbers)}")


def test_scenes_of_a_ccfolia_room_keep_their_order_texts_and_pictures() -> None:
    draft = read(room())
    document = draft.document
    pier, store, tower = document.scenes
    assert document.title == "灯の消えた港"
    assert [scene.title for scene in document.scenes] == ["桟橋", "倉庫", "灯台"]
    assert (pier.read, store.read, store.notes) == ("霧が深い。", "", "合言葉は「かもめ」")
    assert document.notes == "今夜の話。\n\n■真相\n灯台守は死んでいる。\n\n古い地図"
    assert {draft.pictures[thing.id] for thing in (document, pier)} == {PIER}
    assert draft.pictures[store.id] == BROKEN, "whether it is a picture is seen when it is kept"
    assert tower.id not in draft.pictures


def test_npcs_and_cut_ins_of_a_ccfolia_room_go_to_the_first_scene() -> None:
    draft = read(room())
    first = draft.document.scenes[0]
    assert [(npc.name, npc.special, npc.hidden) for npc in first.npcs] == [
        ("影", "弱点は光", True),
        ("漁師", "", False),
    ]
    (cut_in,) = first.cut_ins
    assert cut_in.words == "灯が消える"
    assert draft.pictures[cut_in.id] == draft.pictures[first.npcs[0].id] == SHADOW


def test_the_import_reports_parts_of_a_ccfolia_room_without_a_place() -> None:
    assert read(room()).left == [
        ImportDifference("in_the_first_scene", "桟橋", 3),
        ImportDifference("decks", number=1),
        ImportDifference("sounds", number=2),
        ImportDifference("elsewhere", number=1),
        ImportDifference("of_players", "アユミ", 1),
    ]


def test_a_ccfolia_room_without_scenes_becomes_one_scene() -> None:
    draft = read(room({"room": {}, "characters": ENTITIES["characters"]}))
    (scene,) = draft.document.scenes
    assert len(scene.npcs) == 2


def test_a_ccfolia_room_brings_at_most_forty_pictures() -> None:
    scenes = {f"s{n}": {"name": f"{n}", "backgroundUrl": f"{n}.png"} for n in range(45)}
    draft = read(room({"room": {}, "scenes": scenes}))
    assert len(draft.pictures) == 40
    assert draft.left == [ImportDifference("pictures", number=5)]


@pytest.mark.parametrize(
    "entities",
    [
        {"room": [], "scenes": [], "notes": "x", "items": None, "characters": {"a": 3}, "effects": {"e": []}},
        {"scenes": {"a": {"name": 3, "text": [], "order": "x", "markers": [1], "backgroundUrl": {}}}},
        {"scenes": {"a": {"name": "x" * 500, "text": "y" * 9_000}}, "characters": {"a": {"name": "z" * 90}}},
        {},
    ],
)
def test_a_malformed_ccfolia_room_is_read_as_far_as_possible(entities: Any) -> None:
    assert read(room(entities)).document.scenes


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (zipped({"a.txt": "x"}), "no_room"),
        (udonarium_room("<character/>"), "no_room"),
        (zipped({"__data.json": "{"}), "not_json"),
        (zipped({"__data.json": '{"entities": []}'}), "no_room"),
        (zipped({"__data.json": " " * 3_000_000}), "zip_too_large"),
        (b"PK\x03\x04 and nothing", "zip_broken"),
    ],
)
def test_a_file_that_is_no_ccfolia_room_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(UnreadableSheet, match=code):
        read(content)


def test_a_picture_over_the_size_limit_is_not_unpacked() -> None:
    packed = room(**{SHADOW: b"\0" * 900_000})
    assert len(ccfolia_rooms.picture(packed, SHADOW, 900_000)) == 900_000
    with pytest.raises(UnreadableSheet, match="zip_too_large"):
        ccfolia_rooms.picture(packed, SHADOW, 899_999)
    assert ccfolia_rooms.picture(packed, "../../etc/passwd", 900_000) == b""
