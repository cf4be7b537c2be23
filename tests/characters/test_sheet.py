"""The page of a sheet, and the changes its owner may make."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from characters.models import Character, Item
from characters.rules import SheetRefused
from characters.services import exchange, sheets
from tests.rules import rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_sheet(ayumi, sheet):
    def post(name, data=None, *args, **headers):
        address = reverse(f"characters:{name}", args=[sheet.pk, *args])
        return ayumi.client.post(address, data or {}, headers=headers)

    return post


REVISED = {
    "name": "朔",
    "concept": "元料理人",
    "background": "",
    "hp_max": "5",
    "suits": ["d", "h"],
    "skill_0": "剣術",
    "skill_1": "",
    "skill_2": "水泳",
}


@rule("UC-7.2")
def test_the_sheet_shows_what_is_needed_in_play(ayumi, sheet, django_assert_max_num_queries):
    with django_assert_max_num_queries(20):
        page = ayumi.client.get(sheet.get_absolute_url()).content.decode()
    order = [
        "手札は4枚まで",
        "HP上限 4 + 特技 2 + 得意スート 1 + 特別なアイテム 1",
        ">剣術<",
        ">料理<",
        "脇差",
    ]
    order += ["性能表 2 + 特別 1", "海の町の生まれ。"]
    places = [page.index(words) for words in order]
    assert places == sorted(places)


def test_the_sheet_is_translated_into_english(ayumi, sheet):
    page = ayumi.client.get(sheet.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "Hand limit 4" in page
    assert "0</b> points to spend" in page


def test_a_tap_on_hp_sets_it_and_returns_only_its_section(open_sheet, sheet):
    answer = open_sheet("set-hp", {"hp": "3"}, **{"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<section id="hp"')
    assert answer["Vary"].count("HX-Request") == 1
    sheet.refresh_from_db()
    assert sheet.hp == 3


def test_setting_hp_without_htmx_redirects_to_the_sheet(open_sheet, sheet):
    assert open_sheet("set-hp", {"hp": "3"}).url == sheet.get_absolute_url()


@pytest.mark.parametrize("hp", ["5", "-100", "x", "", "9" * 30])
def test_hp_out_of_range_is_refused_with_a_reason(open_sheet, sheet, hp):
    answer = open_sheet("set-hp", {"hp": hp}, **{"HX-Request": "true"})
    assert "HPは−99からHP上限までの数です。" in answer.content.decode()
    sheet.refresh_from_db()
    assert sheet.hp == 4


@rule("UC-10.3")
def test_the_sheet_warns_of_death(open_sheet, ayumi, sheet):
    sheets.set_hp(character=sheet, hp=-3)
    assert "UC-10.3" not in ayumi.client.get(sheet.get_absolute_url()).content.decode()
    sheets.set_hp(character=sheet, hp=-4)
    assert "UC-10.3" in ayumi.client.get(sheet.get_absolute_url()).content.decode()


def test_the_owner_edits_the_sheet(open_sheet, sheet):
    assert open_sheet("edit", REVISED).url == sheet.get_absolute_url()
    revised = Character.objects.get(pk=sheet.pk)
    assert (revised.concept, revised.hp_max, revised.hp, revised.suits) == ("元料理人", 5, 4, "hd")
    assert [skill.name for skill in revised.skills.all()] == ["剣術", "水泳"]


def test_hp_sinks_with_the_maximum_of_hp(open_sheet, sheet):
    open_sheet("edit", {**REVISED, "hp_max": "2"})
    assert Character.objects.get(pk=sheet.pk).hp == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"hp_max": "0"},
        {"hp_max": "21"},
        {"hp_max": "x"},
        {"name": " "},
        {"name": "あ" * 41},
        {"suits": ["s", "h", "d", "c"]},
        {"suits": ["x"]},
        {"skill_0": "あ" * 41},
    ],
)
def test_an_invalid_edit_of_a_sheet_shows_the_form_again(open_sheet, sheet, wrong):
    assert open_sheet("edit", {**REVISED, **wrong}).status_code == 422
    kept = Character.objects.get(pk=sheet.pk)
    assert (kept.name, kept.concept, kept.hp_max, kept.suits) == ("朔", "流れの料理人", 4, "h")
    assert kept.skills.count() == 2


@rule("UC-7.3", "UC-7.4")
def test_armour_and_shield_defend_together(ayumi, open_sheet, sheet):
    open_sheet("add-item", {"kind": "armour", "name": "鎖帷子", "armour_value": "2", "quality": "1"})
    open_sheet("add-item", {"kind": "shield", "name": "小盾", "armour_value": "1"})
    worn = Character.objects.get(pk=sheet.pk)
    assert (worn.armour.value, worn.shield.value, worn.defence) == (3, 1, 4)
    assert "UC-7.3" in ayumi.client.get(sheet.get_absolute_url()).content.decode()


def test_a_sheet_has_at_most_twenty_items(open_sheet, sheet):
    rope = {"kind": "tool", "name": "縄", "tool_value": "0"}
    answers = [open_sheet("add-item", rope).status_code for _ in range(20)]
    assert answers == [302] * 19 + [422]
    assert sheet.items.count() == 20


def test_an_item_is_removed_once(ayumi, open_sheet, sheet):
    sword = sheet.items.get()
    open_sheet("remove-item", {}, sword.pk)
    answer = ayumi.client.post(reverse("characters:remove-item", args=[sheet.pk, sword.pk]), follow=True)
    assert "このアイテムはもうシートにありません。" in answer.content.decode()
    assert not sheet.items.exists()


def test_deleting_a_character_asks_first(ayumi, sheet):
    address = reverse("characters:delete", args=[sheet.pk])
    assert "「朔」を削除しますか" in ayumi.client.get(address).content.decode()
    assert Character.objects.filter(pk=sheet.pk).exists()
    assert ayumi.client.post(address).url == reverse("characters:shelf")
    assert not Character.objects.filter(pk=sheet.pk).exists()


def test_text_of_players_on_a_sheet_is_escaped(ayumi, open_sheet, sheet):
    open_sheet("edit", {**REVISED, "name": "<b>x</b>", "background": "<script>x</script>"})
    page = ayumi.client.get(sheet.get_absolute_url()).content.decode()
    assert "<b>x</b>" not in page
    assert "<script>x" not in page


def test_a_table_gets_the_sheet_as_plain_data(open_sheet, sheet):
    open_sheet("add-item", {"kind": "shield", "name": "小盾", "armour_value": "0"})
    open_sheet("add-item", {"kind": "tool", "name": "縄", "tool_value": "0"})
    sheets.set_hp(character=sheet, hp=-2)
    assert exchange.table_options(Character.objects.get(pk=sheet.pk)) == {
        "name": "朔",
        "ca": 8,
        "hp_max": 4,
        "hp": -2,
        "suits": ["h"],
        "skills": ["剣術", "料理"],
        "weapons": [{"name": "脇差", "value": 3}],
        "armour": None,
        "shield": 0,
        "tools": [{"name": "縄", "value": 0}],
    }


def test_a_draft_cannot_be_played_or_edited_as_a_sheet(phone):
    phone.start(name="灯")
    with pytest.raises(SheetRefused, match="not_done"):
        exchange.table_options(phone.character)
    with pytest.raises(SheetRefused, match="not_done"):
        sheets.revise(character=phone.character, name="灯", hp_max=9, suits="", skills=[])
    assert phone.get("edit").status_code == 302


@pytest.mark.parametrize(
    "wrong", [{"hp": 5}, {"hp": -100}, {"hp_max": 0}, {"hp_max": 21}, {"suits": "hs"}, {"name": ""}]
)
def test_the_database_refuses_figures_of_a_sheet_out_of_range(sheet, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        Character.objects.filter(pk=sheet.pk).update(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"table_value": 5},
        {"quality": 5},
        {"kind": "crown"},
        {"name": ""},
        {"table_value": 4, "quality": 4},
        {"kind": "tool", "quality": 1},
    ],
)
def test_the_database_refuses_items_off_their_tables(sheet, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        Item.objects.filter(character=sheet).update(**wrong)


def test_a_character_made_elsewhere_has_no_record_of_cards_on_its_sheet(ayumi):
    made = Character.objects.create(owner=ayumi.person, name="旅の人", status="done")
    page = ayumi.client.get(made.get_absolute_url())
    assert page.status_code == 200
    assert "カードの記録" not in page.content.decode()
