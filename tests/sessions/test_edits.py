"""``:HP-1`` and ``{HP}`` as people type them, in every width."""

from __future__ import annotations

import pytest

from sessions.chat.commands import Edit, edits, fill_references


@pytest.mark.parametrize(
    ("text", "edit", "five_becomes"),
    [
        (":HP-1", Edit("", "HP", "-", "1"), 4),
        (":HP+2 薬草を使う", Edit("", "HP", "+", "2"), 7),
        (":hp=4", Edit("", "hp", "=", "4"), 4),
        (":HP=-1", Edit("", "HP", "=", "-1"), -1),
        ("転んだ :HP-1", Edit("", "HP", "-", "1"), 4),
        ("転んだ\n:HP-1", Edit("", "HP", "-", "1"), 4),
        ("：ＨＰ－１", Edit("", "HP", "-", "1"), 4),
        ("：HPー１", Edit("", "HP", "-", "1"), 4),
        ("：ＨＰ＝４　いたい", Edit("", "HP", "=", "4"), 4),
        ("@サキ :HP-2", Edit("サキ", "HP", "-", "2"), 3),
        ("＠見張りの男　：HP−２", Edit("見張りの男", "HP", "-", "2"), 3),
    ],
)
def test_an_hp_change_in_a_message_is_found_in_any_place_and_width(
    text: str, edit: Edit, five_becomes: int
) -> None:
    [found] = edits(text)
    assert found == edit
    assert found.counts
    assert found.apply_to(5) == five_becomes


@pytest.mark.parametrize(
    "text",
    ["", "HP-1", "12:30-45", "ラーメン:HP-1", "https://a.example/:HP-1", ":) :-3 :3", ":笑=)", "a: HP -1"],
)
def test_text_that_only_looks_like_an_hp_change_is_none(text: str) -> None:
    assert edits(text) == []


@pytest.mark.parametrize("text", [":HP-", ":HP+2d6", ":HP-1ダメージ", ":HP=99999", ":HP--1", ":HP-१"])
def test_an_hp_change_without_a_plain_number_is_found_but_invalid(text: str) -> None:
    [found] = edits(text)
    assert not found.counts


def test_several_hp_changes_in_one_message_are_found() -> None:
    found = edits("@サキ :HP-1 @ボー :HP-2 逃げろ")
    assert [(edit.whom, edit.number) for edit in found] == [("サキ", "1"), ("ボー", "2")]


def test_references_in_braces_are_filled_and_other_braces_stay() -> None:
    values = {"hp": "3", "名前": "サキ"}
    assert fill_references("{名前}のHPは｛ＨＰ｝ {笑} {}", values) == "サキのHPは3 {笑} {}"
