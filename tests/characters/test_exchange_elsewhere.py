"""What other programs write is read as far as it goes, and says what was made smaller or left out."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from characters.exchange import ccfolia, interpreter, pieces, safe_parsers
from characters.exchange.plain import PlainSheet
from characters.exchange.reader import Elsewhere, ImportedRoom
from characters.exchange.wording import ENGLISH, JAPANESE
from characters.models import Character
from characters.refusals import TRIMMED, trim_sentence
from tests.characters.elsewhere import (
    HOKANJO,
    YTSHEET,
    ccfolia_room,
    param,
    piece,
    read,
    udonarium_character,
    udonarium_room,
    zipped,
)

BRING = reverse("characters:bring")


def codes(found):
    return [trim.code for trim in found.trims]


@pytest.mark.parametrize(
    ("status", "hp"),
    [
        ({"label": "HP", "value": 45, "max": 45}, (20, 20)),
        ({"label": "HP", "value": 12, "max": 45}, (12, 20)),
        ({"label": "HP", "value": 5, "max": 4}, (4, 4)),
        ({"label": "HP", "value": -100, "max": 4}, (-99, 4)),
        ({"label": "HP", "value": "0", "max": "0"}, (0, 1)),
    ],
)
def test_imported_hp_out_of_range_are_clamped_and_their_values_kept(status, hp):
    found = read(piece(status=[status]))
    assert ((found.sheet.hp, found.sheet.hp_max), codes(found)) == (hp, ["hp"])
    assert f"HP: {status['value']}/{status['max']}" in found.sheet.background
    assert str(status["max"]) in trim_sentence(found.trims[0])


@pytest.mark.parametrize("value", ["many", 1.5, True, [1]])
def test_imported_hp_that_are_no_number_are_kept_as_text(value):
    found = read(piece(status=[{"label": "HP", "value": value, "max": 4}]))
    assert (found.sheet.hp, found.sheet.hp_max, codes(found)) == (4, 4, [])
    assert found.left_over[0].startswith("HP: ")


def test_an_import_too_large_for_a_sheet_is_trimmed():
    skills = param(**{f"特技{n}": f"技{n}" for n in range(1, 24)})
    found = read(
        piece(
            name="あ" * 50,
            params=[*skills, *param(CA="9"), *param(得意スート="♦♥♠♣"), *param(武器="剣 2") * 22],
        )
    )
    assert (len(found.sheet.name), len(found.sheet.skills), len(found.sheet.items)) == (40, 20, 20)
    assert found.sheet.suits == "shd"
    assert sorted(codes(found)) == ["items", "name", "skills", "suits"]
    for kept in ("あ" * 50, "技23", "♦♥♠♣", "武器: 剣 2"):
        assert kept in found.left_over
    assert all(map(trim_sentence, found.trims))


def test_a_piece_without_a_name_gets_a_placeholder_name():
    found = read(piece(name="", memo="海の町"))
    assert (found.sheet.name, codes(found)) == ("名前のないキャラクター", ["no_name"])


def test_every_trimmed_field_has_a_sentence():
    assert set(TRIMMED) == {"hp", "items", "name", "no_name", "skills", "suits"}


def test_a_sheet_of_ytsheet2_is_read():
    found = read(YTSHEET)
    assert (found.sheet.name, found.player) == ("リュート & ルル", "ボー")
    assert (found.sheet.hp, found.sheet.hp_max, codes(found)) == (20, 20, ["hp"])
    for kept in (
        "技能:ファイター5",
        "港町の生まれ。\n歌がうまい。",
        "MP: 13/13",
        "防護: 4",
        "2d6+{器用度B} 命中\nk20+3@10",
        "武器: ロングソード",
    ):
        assert kept in found.sheet.background
    assert set(found.left_out) == {
        "age: 17",
        "gender: 男",
        "race: 人間",
        "lvFig: 5",
    }


def test_a_sheet_wrapped_in_a_script_callback_is_read():
    assert read(f"callback({json.dumps(YTSHEET)});").sheet.name == "リュート & ルル"


def test_a_sheet_of_hokanjo_is_read():
    found = read(HOKANJO)
    assert (found.sheet.name, found.sheet.hp, found.sheet.hp_max, codes(found)) == ("霧島 <鷹>", 14, 14, [])
    for kept in (
        "元刑事。\n猫を飼っている。",
        "STR: 11",
        "EDU: 18",
        "職業・種族: 私立探偵",
        "道具: 手帳、煙草",
        "武器: 拳銃",
    ):
        assert kept in found.sheet.background
    assert "URL: https://charasheet.vampire-blood.net/4330377" in found.left_over
    assert 'TBAP: ["64", "25"]' in found.left_out
    assert not any(line.startswith("TBAName") for line in found.left_out)


def test_unescaped_signs_in_the_xml_of_ytsheet2_are_read():
    document = udonarium_character("リュート & ルル", 38, 45, "CC<={STR}*5 幸運\n2d6>=7 &amp; &lt;b&gt;")
    for content in (document.encode(), zipped({"data.xml": document})):
        found = read(content)
        assert (found.sheet.name, found.sheet.hp_max, codes(found)) == ("リュート & ルル", 20, ["hp"])
        assert "CC<={STR}*5 幸運\n2d6>=7 & <b>" in found.sheet.background
        assert "?id=Ab3dEf&mode=sheet" in found.sheet.background
        assert "undefined" not in found.sheet.background


def test_the_only_character_of_an_imported_room_is_read_at_once():
    for room in (udonarium_room(udonarium_character("朔")), ccfolia_room("朔")):
        assert read(room).sheet.name == "朔"


@pytest.mark.parametrize(
    "content",
    [
        udonarium_room(udonarium_character("朔"), udonarium_character("凪 & 波")),
        ccfolia_room("朔", "凪 & 波"),
        [piece(name="朔"), piece(name="凪 & 波")],
        "\n\nと\n\n".join(json.dumps(piece(name=name)) for name in ("朔", "凪 & 波")),
    ],
    ids=["udonarium", "ccfolia", "a list of pieces", "pieces among words"],
)
def test_an_imported_room_with_several_characters_lists_them(content):
    room = read(content)
    assert isinstance(room, ImportedRoom)
    assert [character.name for character in room.characters] == ["朔", "凪 & 波"]
    assert read(room.characters[1].text).sheet.name == "凪 & 波"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://charasheet.vampire-blood.net/4330377", "https://charasheet.vampire-blood.net/4330377.json"),
        (
            "http://charasheet.vampire-blood.net/mebb31fcc04f70c0e.html",
            "https://charasheet.vampire-blood.net/mebb31fcc04f70c0e.json",
        ),
        (
            "https://yutorize.2-d.jp/ytsheet/sw2.5/?id=Ab3dEf&mode=sheet#top",
            "https://yutorize.2-d.jp/ytsheet/sw2.5/?id=Ab3dEf&mode=json",
        ),
        ("https://takujo.example/c/5", "https://takujo.example/c/5.json"),
    ],
)
def test_the_address_of_a_sheet_elsewhere_becomes_that_of_its_data(typed, address):
    assert read(f" {typed}\n") == Elsewhere(address)


def test_an_exported_piece_is_imported_with_its_whole_background():
    for words in (JAPANESE, ENGLISH):
        for background in ("海の町の生まれ。", "海の町の\n\n生まれ。" * 300):
            sheet = PlainSheet(
                name="朔", concept="流れの料理人", hp=3, hp_max=4, suits="h", background=background
            )
            copied = ccfolia.piece_text(ccfolia.character_piece(sheet, player="あゆみ", url="", words=words))
            found = interpreter.interpret_piece(
                pieces.from_ccfolia(safe_parsers.parse_json(copied)["data"]), JAPANESE
            )
            assert (found.sheet.concept, found.sheet.background) == ("流れの料理人", background)
            assert found.left_over == ()


# Through the pages


@pytest.mark.django_db
def test_an_import_is_saved_only_after_its_owner_confirms(ayumi):
    room = udonarium_room(udonarium_character("朔", 45, 45), udonarium_character("凪"))
    chosen = ayumi.client.post(BRING, {"file": SimpleUploadedFile("room.zip", room)})
    page = chosen.content.decode()
    assert "だれを連れてきますか" in page
    text = chosen.context["characters"][0].text
    draft = ayumi.client.post(BRING, {"text": text})
    assert "別のゲームでは45/45" in draft.content.decode()
    assert not Character.objects.exists()
    taken = ayumi.client.post(BRING, {"text": draft.context["text"], "yes": "draw"})
    assert taken.status_code == 302
    assert (Character.objects.get().name, Character.objects.get().hp_max) == ("朔", 1)
    assert "HP: 45/45" in Character.objects.get().background


@pytest.mark.django_db
def test_the_server_does_not_fetch_the_address_of_an_imported_sheet(ayumi, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("another host was asked"))
    page = ayumi.client.post(BRING, {"text": "https://charasheet.vampire-blood.net/4330377"}).content.decode()
    assert 'href="https://charasheet.vampire-blood.net/4330377.json"' in page
    assert 'rel="noopener noreferrer nofollow"' in page
    assert not Character.objects.exists()


@pytest.mark.django_db
def test_an_import_preview_lists_entries_of_another_game(ayumi):
    page = ayumi.client.post(BRING, {"text": json.dumps(YTSHEET)}).content.decode()
    assert "別のゲームの項目を4件、取り込みません" in page
    assert "lvFig: 5" in page
