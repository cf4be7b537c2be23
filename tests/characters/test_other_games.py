"""Characters of other games sit down with what a creation gives, and nothing else of their figures."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from characters import refusals, rules
from characters.models import Character
from characters.reference import PEOPLE
from characters.services import drafts, exchange
from tests.characters.elsewhere import (
    HOKANJO,
    YTSHEET,
    ccfolia_room,
    read,
    udonarium_character,
    udonarium_room,
    zipped,
)
from tests.companion.test_pictures import painted, saved
from tests.rules import rule

#: Three red cards and three black ones.
SIX = ["h01", "d05", "h12", "c03", "c13", "s02"]
BRING = reverse("characters:bring")


def text(value):
    return json.dumps(value, ensure_ascii=False)


def ccfolia(hp="HP", most=25, params=(), memo="", **more):
    status = [{"label": hp, "value": most, "max": most}, {"label": "MP", "value": 13, "max": 13}]
    said = [{"label": label, "value": value} for label, value in params]
    data = {"name": "リュート", "status": status, "params": said, "memo": memo, **more}
    return {"kind": "character", "data": data}


def ytsheet(**fields):
    status = [{"HP": "25/25"}]
    return {"characterName": "リュート", "ver": "1.27", "result": "OK", "unitStatus": status, **fields}


def hokanjo(game, **fields):
    return {"pc_name": "リュート", "data_id": 7, "game": game, **fields}


SWORD_WORLD = ytsheet(
    weapon1Name="ロングソード",
    armour1Name="ハードレザー",
    shield1Name="ラウンドシールド",
    combatFeatsLv1="武器習熟Ａ／ソード",
    sheetDescriptionM="種族:人間　性別:男\n技能:ファイター5／スカウト3",
)
SWORDSMAN = [("武器", "ロングソード"), ("防具", "ハードレザー"), ("特技1", "全力攻撃")]
#: Each as it comes, with a skill and a thing that are to be offered.
OFFERING = {
    "sword world 2.5, ytsheet": (SWORD_WORLD, "ファイター5", "ロングソード"),
    "double cross, ytsheet": (
        ytsheet(effect1Name="コンセントレイト", armor1Name="防弾着"),
        "コンセントレイト",
        "防弾着",
    ),
    "arianrhod, ytsheet": (ytsheet(skill1Name="ボルテクス", armamentHandRName="剣"), "ボルテクス", "剣"),
    "goblin slayer, ytsheet": (
        ytsheet(unitStatus=[{"生命力": "18/18"}], spell1Name="火矢", shield1Name="小盾"),
        "火矢",
        "小盾",
    ),
    "shinobi, ytsheet": (ytsheet(unitStatus=[], ninpou1Name="接近戦攻撃"), "接近戦攻撃", ""),
    "ytsheet in a script": (f"callback({text(SWORD_WORLD)});", "武器習熟Ａ／ソード", "ラウンドシールド"),
    "ytsheet, an old one": (YTSHEET, "ファイター5", "ロングソード"),
    "cthulhu, hokanjo": (HOKANJO, "", "拳銃"),
    "sword world, hokanjo": (
        hokanjo("sword2", HP="25", arms_name=["剣", ""], armor_name="革鎧", shield_name="盾"),
        "",
        "革鎧",
    ),
    "double cross, hokanjo": (
        hokanjo("dx3", effect_name=["リザレクト", ""], armer_name="防弾着"),
        "リザレクト",
        "防弾着",
    ),
    "arianrhod, hokanjo": (hokanjo("ar2e", skill_name=["ボルテクス"], IR_name="剣"), "ボルテクス", "剣"),
    "goblin slayer, hokanjo": (hokanjo("gs", ginou_name=["【応急手当】"]), "応急手当", ""),
    "ccfolia, sword world": (ccfolia(params=SWORDSMAN), "全力攻撃", "ロングソード"),
    "ccfolia, memo": (
        ccfolia(memo="港町の生まれ。\n【技能】：目星、聞き耳\n所持品: 手帳、煙草"),
        "目星",
        "手帳",
    ),
    "ccfolia, null": (ccfolia(params=[("特技1", "null"), ("武器", "null"), ("特技2", "剣")]), "剣", ""),
    "ccfolia, nine skills": (
        ccfolia(most=3, params=[("得意スート", "♥"), *((f"特技{n}", f"技{n}") for n in range(1, 10))]),
        "技9",
        "",
    ),
}
SHIFT_JIS = '<?xml version="1.0" encoding="Shift_JIS"?>\n'
#: Those that have neither, or leave open which.
PLAIN = {
    "kizuna bullet, ytsheet": ytsheet(unitStatus=[{"耐久値": "12/12"}]),
    "ytsheet, hp alone": {"characterName": "リュート", "ver": "1", "hpTotal": "45"},
    "ccfolia, the smallest": {"kind": "character", "data": {"name": "リュート"}},
    "ccfolia, 耐久力": ccfolia("耐久力"),
    "ccfolia, 耐久値": ccfolia("耐久値", 12),
    "ccfolia, 生命力": ccfolia("生命力", 18),
    "ccfolia, hit points": ccfolia("Hit points"),
    "ccfolia, one HP": ccfolia(most=1),
    "ccfolia, HP as text": ccfolia(most="25"),
    "ccfolia, suits and HP 20": ccfolia(most=20, params=[("得意スート", "♥")]),
    "ccfolia, escaped": ccfolia(name="リュート &amp; ルル"),
    "ccfolia, faces elsewhere": ccfolia(faces=[{"label": "@笑", "iconUrl": "https://e.example/1.png"}]),
    "ccfolia, in a list": [ccfolia()],
    "ccfolia, in prose": f"よろしくお願いします！\n```json\n{text(ccfolia())}\n```\nHOは1です {{笑}}",
    "ccfolia, a room": ccfolia_room("リュート"),
    "ccfolia, Shift_JIS": text(ccfolia(memo="①港町の生まれ～")).encode("cp932"),
    "ccfolia, UTF-16": text(ccfolia()).encode("utf-16"),
    "udonarium": udonarium_character("リュート", 38, 45),
    "udonarium, bare signs": udonarium_character("リュート & ルル", 38, 45),
    "udonarium, a zip": zipped({"data.xml": udonarium_character("リュート", 38, 45)}),
    "udonarium, a room": udonarium_room(udonarium_character("リュート")),
    "udonarium, Shift_JIS": (SHIFT_JIS + udonarium_character("リュート")).encode("cp932"),
}
FILES = OFFERING | {name: (content, "", "") for name, content in PLAIN.items()}


def sent(person, content, **more):
    if isinstance(content, bytes):
        return person.client.post(BRING, {"file": SimpleUploadedFile("sheet", content), **more})
    return person.client.post(BRING, {"text": content if isinstance(content, str) else text(content), **more})


@rule("UC-1.3")
@pytest.mark.django_db
@pytest.mark.parametrize(("content", "skill", "thing"), FILES.values(), ids=FILES)
def test_an_imported_character_of_another_game_draws_its_figures(bo, draws, content, skill, thing):
    seen = sent(bo, content)
    assert seen.status_code == 200
    person = seen.context["found"]
    assert person.person
    assert "カードを引く" in seen.content.decode()
    there = person.sheet.background
    for offered in filter(None, (skill, thing)):
        assert offered in there, "whatever is not taken stays in the story"
    draws.append(SIX)
    sent(bo, seen.context["text"], yes="draw")
    made = Character.objects.get()
    assert made.name == person.sheet.name
    creation = made.creation
    assert skill in ["", *creation.offered_skills]
    assert thing in ["", *(item["name"] for item in creation.offered_items)]
    assert "null" not in creation.offered_skills
    finish(made, creation, skill, thing)
    made = Character.objects.get(pk=made.pk)
    assert (made.hp, made.hp_max, made.suits, made.ca) == (3, 3, "h", 8)
    assert made.background == there.strip()
    assert refusals.excess_sentences(made) == []
    assert exchange.table_options(made)["hp_max"] == 3


def finish(made, creation, skill, thing):
    """Draw three red and three black cards, and take what is offered."""
    drafts.draw(character=made)
    drafts.keep(character=made)
    drafts.choose_suits(character=made, suits="h")
    drafts.choose_skills(character=made, names=[skill or "泳ぐ", "走る", "跳ぶ"])
    kind = next((item["kind"] for item in creation.offered_items if item["name"] == thing), "weapon")
    wish = {"kind": kind, "name": thing or "短剣", "table_value": 1, "quality": 0}
    drafts.choose_specials(character=made, wishes=[wish])
    drafts.settle_items(character=made)
    drafts.describe(character=made, name=made.name, concept=made.concept, background=made.background)
    drafts.finish(character=made)


@pytest.mark.django_db
def test_an_import_that_skips_the_preview_draws_its_figures_too(bo):
    answer = sent(bo, ccfolia(), yes="1")
    made = Character.objects.get()
    assert answer.url == reverse("characters:create-cards", args=[made.pk])
    assert (made.status, made.hp_max, made.suits) == ("draft", 1, "")


@rule("UC-1.3")
@pytest.mark.django_db
def test_figures_entered_by_hand_are_limited_to_those_of_six_cards(bo, draws):
    draws.append(SIX)
    sent(bo, ccfolia(), yes="draw")
    made = Character.objects.get()
    by_hand = reverse("characters:by-hand", args=[made.pk])
    for wrong in ("0", "6", "20", "x", ""):
        bo.client.post(by_hand, {"hp_max": wrong})
        made.refresh_from_db()
        assert (made.hp_max, made.creation.method) == (1, "standard")
    answer = bo.client.post(by_hand, {"hp_max": "5"})
    assert answer.url == reverse("characters:create-suit", args=[made.pk])
    made = Character.objects.get()
    assert (made.hp_max, made.creation.method) == (5, "hand")
    drafts.draw(character=made)
    assert Character.objects.get().creation.method == "hand", "cards that are not kept change nothing"
    drafts.keep(character=made)
    made = Character.objects.get()
    assert (made.hp_max, made.creation.method) == (3, "standard")


@pytest.mark.django_db
def test_a_character_that_was_not_imported_takes_no_figures_by_hand(phone):
    phone.start()
    phone.post("by-hand", {"hp_max": "5"})
    assert (phone.character.hp_max, phone.creation.method) == (1, "standard")


@pytest.mark.django_db
def test_an_item_of_the_imported_file_is_taken_with_a_tap(bo):
    sent(bo, SWORD_WORLD, yes="draw")
    made = Character.objects.get()
    drafts.choose_by_hand(character=made, hp_max=3)
    drafts.choose_suits(character=made, suits="h")
    drafts.choose_skills(character=made, names=["一", "二", "三"])
    wish = {"kind": "tool", "name": "鍋", "table_value": 1, "quality": 0}
    drafts.choose_specials(character=made, wishes=[wish])
    take = reverse("characters:take-offered", args=[made.pk])
    for thing in ("ハードレザー", "ハードレザー", "竜"):
        bo.client.post(take, {"thing": thing})
    items = Character.objects.get().further_items
    assert [(item.kind, item.name, item.value) for item in items] == [("armour", "ハードレザー", 0)]


@rule("UC-2.2")
@pytest.mark.parametrize(
    ("figures", "what"),
    [
        ((3, 3, 1, 1), []),
        ((5, 1, 1, 1), []),
        ((6, 1, 0, 1), []),
        ((1, 6, 0, 2), []),
        ((4, 1, 2, 2), []),
        ((3, 0, 1, 1), []),
        ((20, 3, 1, 1), ["hp"]),
        ((7, 7, 3, 7), ["hp", "skills", "suits", "specials"]),
        ((5, 2, 1, 1), ["together"]),
        ((5, 1, 2, 2), ["together"]),
    ],
)
def test_figures_beyond_any_creation_are_listed(figures, what):
    assert [excess.what for excess in rules.find_excesses(rules.Allowance(*figures))] == what


def test_pregenerated_characters_have_figures_that_a_creation_gives():
    for one in PEOPLE.values():
        assert rules.find_excesses(one.sheet.figures) == []


def test_an_escaped_name_in_an_import_is_unescaped():
    assert read(PLAIN["ccfolia, escaped"]).sheet.name == "リュート & ルル"


@pytest.mark.django_db
def test_the_picture_of_a_character_in_a_zip_is_imported(bo):
    xml = udonarium_character("リュート").replace(
        '"imageIdentifier"></data>', '"imageIdentifier">0f3a</data>'
    )
    picture = saved(painted(300, 400), "PNG")
    seen = sent(bo, zipped({"data.xml": xml, "0f3a.png": picture, "ffff.png": b"of somebody else"}))
    sent(bo, seen.context["text"], yes="draw")
    assert seen.context["sheet"].portrait
    assert Character.objects.get().portrait is not None
    broken = sent(bo, zipped({"data.xml": xml, "0f3a.png": b"no picture"}))
    assert (broken.status_code, broken.context["sheet"].portrait) == (200, b"")
