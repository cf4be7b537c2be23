"""Every change of a finished sheet is kept, and each can be restored."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation

from characters.models import Character, Revision
from characters.rules import SheetRefused
from characters.services import drafts, sheets
from characters.views.history import differences
from tests.rules import rule

pytestmark = pytest.mark.django_db

EDIT = {
    "name": "朔",
    "concept": "流れの料理人",
    "background": "海の町の生まれ。",
    "hp_max": "4",
    "suits": ["h"],
    "skill_0": "剣術",
    "skill_1": "料理",
    "skill_2": "",
    "skill_3": "",
    "revision": "1",
}


def edit(who, sheet, **changed):
    return who.client.post(reverse("characters:edit", args=[sheet.pk]), {**EDIT, **changed})


def history(who, sheet):
    """The page as it is read, where a line break of its template is a space."""
    page = who.client.get(reverse("characters:history", args=[sheet.pk])).content.decode()
    return " ".join(page.split())


def revise(sheet, **changed):
    kept = {"name": "朔", "hp_max": 4, "suits": "h", "skills": ["剣術", "料理"]}
    sheets.revise(character=sheet, **{**kept, **changed})


def as_shown(sheet):
    return sheets.read_current_sheet(sheet)[1]


def test_the_first_revision_is_made_when_a_character_is_finished(ayumi, sheet):
    revision = sheet.revisions.get()
    assert (revision.number, revision.why, revision.made_by) == (1, "begun", ayumi.person)
    assert revision.sheet["skills"] == ["剣術", "料理"]
    assert revision.sheet["items"][0]["name"] == "脇差"


def test_the_history_says_which_person_changed_which_value(ayumi, gm, sheet):
    edit(ayumi, sheet, concept="", hp_max="5", suits=["h", "s"], skill_1="追跡")
    shield = {"kind": "shield", "name": "小盾", "table_value": 1, "quality": 1}
    sheets.add_item(character=sheet, wish=shield, by=gm.person)
    page = history(ayumi, sheet)
    for words in (
        "HP上限 4 → 5",
        "ひとことで言うと 流れの料理人 → （なし）",
        "得意スート +スペード",
        "特技 +追跡",
        "特技 −料理",
        "アイテム +小盾 (盾 2)",
        "あゆみ",
        "GM(GM)",
    ):
        assert words in page, words
    assert page.index("小盾") < page.index("追跡"), "the newest comes first"


def test_changes_in_the_history_are_translated(sheet):
    before = as_shown(sheet)
    revise(sheet, hp_max=5, skills=["料理", "剣術"], background="山の町の生まれ。", concept="流れの料理人")
    with translation.override("en"):
        assert differences(before, as_shown(sheet)) == [
            "Maximum HP 4 → 5",
            "Background rewritten",
            "Skills in another order",
        ]


def test_a_change_of_current_hp_makes_no_revision(sheet):
    sheets.set_hp(character=sheet, hp=1)
    assert sheet.revisions.count() == 1


def test_saving_an_unchanged_sheet_makes_no_revision(ayumi, sheet):
    edit(ayumi, sheet)
    edit(ayumi, sheet)
    assert sheet.revisions.count() == 1


def test_the_first_edit_of_a_sheet_without_history_stores_its_old_state(ayumi):
    old = Character.objects.create(owner=ayumi.person, name="旅の人", hp_max=3, hp=3, status="done")
    assert "まだ変更はありません" in history(ayumi, old)
    sheets.revise(character=old, name="旅の人", hp_max=6, suits="", skills=[])
    assert [(r.number, r.sheet["hp_max"], r.made_by) for r in old.revisions.all()] == [
        (2, 6, ayumi.person),
        (1, 3, None),
    ]


def test_a_draft_has_no_history(phone):
    phone.start(name="灯")
    drafts.draw(character=phone.character)
    assert not Revision.objects.exists()


def test_restoring_a_revision_brings_the_whole_sheet_back(ayumi, sheet):
    was = as_shown(sheet)
    sword = sheet.items.get()
    edit(ayumi, sheet, name="朔太郎", hp_max="7", suits=["c"], skill_0="泳ぎ", background="")
    sheets.remove_item(character=sheet, item_id=sword.pk)
    sheets.set_hp(character=sheet, hp=6)
    changed = as_shown(sheet)
    ayumi.client.post(reverse("characters:restore", args=[sheet.pk, 1]))
    assert as_shown(sheet) == was
    restored = Character.objects.get(pk=sheet.pk)
    assert (restored.hp, restored.hp_max) == (4, 4), "HP sinks to the lower maximum"
    newest = sheet.revisions.first()
    assert (newest.number, newest.why, newest.restored_from) == (4, "restored", 1)
    assert "復元 （1から）" in history(ayumi, sheet)
    sheets.restore(character=sheet, number=3)
    assert as_shown(sheet) == changed, "what was there before is still there to go back to"


def test_restoring_a_revision_keeps_current_hp(sheet):
    revise(sheet, hp_max=6)
    sheets.set_hp(character=sheet, hp=-2)
    sheets.restore(character=sheet, number=1)
    assert Character.objects.get(pk=sheet.pk).hp == -2


@pytest.mark.parametrize(
    ("number", "code"), [(1, "same_as_now"), (9, "no_such_revision"), (10**30, "no_such_")]
)
def test_restoring_an_equal_or_unknown_revision_is_refused(sheet, number, code):
    with pytest.raises(SheetRefused, match=code):
        sheets.restore(character=sheet, number=number)
    assert sheet.revisions.count() == 1


def test_the_page_of_a_revision_shows_what_restoring_would_change(ayumi, sheet):
    edit(ayumi, sheet, hp_max="9", background="山の町の生まれ。")
    page = ayumi.client.get(reverse("characters:revision", args=[sheet.pk, 1])).content.decode()
    assert "海の町の生まれ。" in page
    assert "HP上限 9 → 4" in page
    assert "脇差 (武器 3 · 特別)" in page
    assert ayumi.client.get(reverse("characters:revision", args=[sheet.pk, 7])).status_code == 404


def test_a_conflicting_edit_is_refused_and_shows_both_versions(ayumi, gm, sheet):
    revise(sheet, concept="流れの料理人", background="海の町の生まれ。", hp_max=6, by=gm.person)
    answer = edit(ayumi, sheet, background="灯台守の子。")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "灯台守の子。" in page, "what was written is still there"
    assert "HP上限 4 → 6" in page, "and what was changed meanwhile"
    assert 'name="hp_max" value="6"' in page, "what was not touched shows the newer version"
    assert 'name="revision" value="2"' in page
    assert as_shown(sheet)["background"] == "海の町の生まれ。"
    assert edit(ayumi, sheet, background="灯台守の子。", hp_max="6", revision="2").status_code == 302
    assert (as_shown(sheet)["background"], as_shown(sheet)["hp_max"]) == ("灯台守の子。", 6)


def test_skills_of_a_conflicting_edit_stay_on_the_form(ayumi, sheet):
    revise(sheet, skills=["剣術"])
    page = edit(ayumi, sheet, skill_2="追跡", skill_3="水泳").content.decode()
    for name in ("剣術", "料理", "追跡", "水泳"):
        assert f'value="{name}"' in page, name


@pytest.mark.parametrize("number", ["0", "99", "9" * 400, "-1", "x", "１"])
def test_an_invalid_revision_number_breaks_no_edit(ayumi, sheet, number):
    assert edit(ayumi, sheet, name="朔太郎", revision=number).status_code in (302, 422)


def test_two_edits_of_one_revision_change_the_sheet_once(ayumi, sheet):
    assert edit(ayumi, sheet, name="一").status_code == 302
    assert edit(ayumi, sheet, name="二").status_code == 422
    assert as_shown(sheet)["name"] == "一"


@rule("UC-1.5")
def test_added_and_removed_items_are_in_the_history(ayumi, sheet):
    rope = {"kind": "tool", "name": "縄", "tool_value": "0"}
    ayumi.client.post(reverse("characters:add-item", args=[sheet.pk]), rope)
    ayumi.client.post(reverse("characters:remove-item", args=[sheet.pk, sheet.items.get(name="縄").pk]))
    page = history(ayumi, sheet)
    assert "アイテム +縄 (道具 0)" in page
    assert "アイテム −縄 (道具 0)" in page


def test_the_database_refuses_a_duplicate_revision_number(sheet):
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(character=sheet, number=1, why="edited", sheet={})


def test_text_of_players_in_the_history_is_escaped(ayumi, sheet):
    edit(ayumi, sheet, name="<b>x</b>", skill_0="<script>x</script>")
    for page in (history(ayumi, sheet), edit(ayumi, sheet).content.decode()):
        assert "<b>x</b>" not in page
        assert "<script>x" not in page
