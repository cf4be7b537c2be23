"""Formats that other tools read, checked with parsers that are not ours."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
import zlib
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from characters import rules
from characters.exchange import ccfolia, reader, sheet_json, udonarium
from characters.exchange.plain import KINDS, PlainItem, PlainNpc, PlainSheet
from characters.exchange.wording import ENGLISH, JAPANESE
from companion import names

SUIT_SETS = ["", "s", "h", "d", "c", "sh", "hd", "dc", "shd", "hdc"]
NASTY = st.text(
    st.sampled_from("&<>\"'`{}:=/／、,()（）3・♥ אب\u202eé𝔘🐉\u200d朔剣")
    | st.characters(exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=40,
)
NAMES = NASTY.map(names.clean).filter(bool)
STORIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300)


@st.composite
def items(draw: st.DrawFn) -> PlainItem:
    kind = draw(st.sampled_from(KINDS))
    special, table_value = draw(st.booleans()), draw(st.integers(0, 4))
    most = 0 if kind == "tool" else min(4, rules.VALUE_AT_MOST - table_value - special)
    return PlainItem(kind, draw(NAMES), table_value, draw(st.integers(0, most)), special)


@st.composite
def sheets(draw: st.DrawFn) -> PlainSheet:
    hp_max = draw(st.sampled_from(list(rules.HP_MAX)))
    return PlainSheet(
        name=draw(NAMES),
        hp=draw(st.integers(rules.HP_LOWEST, hp_max)),
        hp_max=hp_max,
        suits=draw(st.sampled_from(SUIT_SETS)),
        skills=tuple(draw(st.lists(NAMES, max_size=4))),
        items=tuple(draw(st.lists(items(), max_size=4))),
        concept=draw(STORIES.map(lambda text: names.clean(text[:120]))),
        background=draw(STORIES),
    )


SAKU = PlainSheet(
    "朔 & <b>\"'",
    hp=3,
    hp_max=4,
    suits="hd",
    skills=("剣術", "料理、もろもろ"),
    items=(
        PlainItem("weapon", "脇差", 2, 0, special=True),
        PlainItem("weapon", "弓（武器 3）", 3),
        PlainItem("armour", "革", 1),
        PlainItem("shield", "木の盾", 1),
        PlainItem("tool", "鍋", 1, 0, special=True),
    ),
    concept="流れの料理人",
    background="海の町の生まれ。" * 50,
)


def piece_of(sheet: PlainSheet, words=JAPANESE, **more):
    return json.loads(
        ccfolia.piece_text(
            ccfolia.character_piece(sheet, player="あゆみ", url="http://h/c/1", words=words, **more)
        )
    )


# CCFOLIA


def test_a_ccfolia_piece_has_exactly_the_fields_that_ccfolia_accepts():
    piece = piece_of(SAKU)
    assert piece["kind"] == "character"
    data = piece["data"]
    assert set(data) == {
        *("name", "memo", "initiative", "externalUrl", "status", "params", "width", "height", "angle"),
        *("active", "secret", "invisible", "hideStatus", "color", "commands"),
    }
    assert data["status"] == [
        {"label": "HP", "value": 3, "max": 4},
        {"label": "手札", "value": 3, "max": 3},
    ]
    assert {type(status[field]) for status in data["status"] for field in ("value", "max")} == {int}
    params = {param["label"]: param["value"] for param in data["params"]}
    assert params == {
        "CA": "10",
        "得意スート": "♥♦",
        "特技1": "剣術",
        "特技2": "料理、もろもろ",
        "武器": "3",
        "武器2": "3",
        "防具": "1",
        "盾": "1",
        "難易度": "2",
    }
    assert data["color"] == "#b82c1b"
    assert data["externalUrl"] == "http://h/c/1"
    assert (data["secret"], data["active"], data["width"]) == (False, True, 4)


def test_the_memo_of_a_piece_has_200_characters_of_the_background():
    data = piece_of(SAKU)["data"]
    memo = data["memo"]
    assert memo.startswith(
        "PL: あゆみ\nコンセプト: 流れの料理人\n得意スート: ♥♦\n特技: 剣術、料理、もろもろ\n"
    )
    assert memo.endswith("\n\n" + SAKU.background[:200] + "…")
    assert SAKU.background[:201] not in memo
    assert data["commands"].endswith("\n◆背景\n" + SAKU.background)


def test_every_value_named_in_a_chat_palette_is_in_the_piece():
    for words in (JAPANESE, ENGLISH):
        data = piece_of(SAKU, words)["data"]
        labels = {entry["label"] for entry in data["status"] + data["params"]}
        named = {part.partition("}")[0] for part in data["commands"].split("{")[1:]}
        assert named <= labels
        assert "HP" in named


def test_a_ccfolia_chat_palette_has_commands_that_change_hp():
    lines = piece_of(SAKU)["data"]["commands"].split("\n")
    assert lines[0] == "◆判定"
    assert [line for line in lines if line.startswith(":HP")] == [":HP-1 ダメージ", ":HP+1 回復"]


def test_a_piece_with_hp_below_zero_has_a_hand_of_zero():
    dying = PlainSheet("朔", hp=-3, hp_max=4)
    assert piece_of(dying)["data"]["status"] == [
        {"label": "HP", "value": -3, "max": 4},
        {"label": "手札", "value": 0, "max": 0},
    ]


def test_the_piece_of_a_hidden_npc_is_secret_without_a_memo():
    snake = PlainNpc(
        name="大蛇", hp_max=9, rank=5, suits="s", skills=["締めつけ"], weapon=4, armour=2, secret=True
    )
    piece = ccfolia.npc_piece(snake, JAPANESE)
    assert piece["data"]["secret"] is True
    assert piece["data"]["memo"] == ""
    assert {"label": "ランク", "value": "5"} in piece["data"]["params"]
    assert reader.read_text(ccfolia.piece_text(piece), JAPANESE).sheet.skills == ("締めつけ",)


# Udonarium


def unpacked(sheet: PlainSheet, words=JAPANESE):
    packed = udonarium.character_zip(sheet, player="あゆみ", url="http://h/c/1", words=words)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def named(root, *path):
    """Walk ``data`` elements by their names, as Udonarium does."""
    for name in path:
        root = next(data for data in root.findall("data") if data.get("name") == name)
    return root


def test_the_udonarium_zip_names_its_picture_by_its_hash():
    files = unpacked(SAKU)
    root = ElementTree.fromstring(files["data.xml"])
    identifier = named(root, "character", "image", "imageIdentifier")
    assert identifier.get("type") == "image"
    assert hashlib.sha256(files[f"{identifier.text}.png"]).hexdigest() == identifier.text
    assert len(files) == 2


def test_the_xml_of_a_sheet_is_a_udonarium_character():
    root = ElementTree.fromstring(unpacked(SAKU)["data.xml"])
    assert root.tag == "character"
    assert (root.get("location.name"), root.get("location.x"), root.get("posZ")) == ("table", "0", "0")
    assert named(root, "character", "common", "name").text == SAKU.name
    assert named(root, "character", "common", "size").text == "1"
    hp = named(root, "character", "detail", "リソース", "HP")
    assert (hp.get("type"), hp.get("currentValue"), hp.text) == ("numberResource", "3", "4")
    assert named(root, "character", "detail", "能力", "得意スート").text == "♥♦"
    note = named(root, "character", "detail", "情報", "説明")
    assert note.get("type") == "note"
    assert SAKU.background in note.text
    assert named(root, "character", "detail", "情報", "PL").text == "あゆみ"
    assert named(root, "character", "detail", "情報", "URL").text == "http://h/c/1"
    spoken = root.find("chat-palette")
    assert spoken.get("dicebot") == "DiceBot"
    assert spoken.text.split("\n")[0] == "◆判定"


def test_line_breaks_of_the_palette_are_escaped_as_in_udonarium():
    document = unpacked(SAKU)["data.xml"].decode()
    assert "◆判定&#10;" in document
    assert "朔 &amp; &lt;b&gt;&quot;&apos;" in document


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets(), st.sampled_from([JAPANESE, ENGLISH]))
@example(PlainSheet("\x08a\ufffe", background="a\x1b\r\nb\x00"), JAPANESE)
def test_any_sheet_is_well_formed_xml(sheet, words):
    ElementTree.fromstring(udonarium.character_xml(sheet, images=["0"], player="<&>", url="", words=words))


def test_the_disc_picture_for_udonarium_is_a_png():
    image = udonarium.disc_png("#b82c1b")
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colours = struct.unpack(">IIBB", image[16:26])
    assert (depth, colours) == (8, 6)
    at, chunks = 8, {}
    while at < len(image):
        (length,) = struct.unpack(">I", image[at : at + 4])
        name, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        assert struct.unpack(">I", image[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + data)
        chunks[name] = data
        at += 12 + length
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (1 + 4 * width)
    middle = height // 2 * (1 + 4 * width) + 1 + 4 * (width // 2)
    assert pixels[middle : middle + 4] == bytes.fromhex("b82c1bff")


# The chat palette


@pytest.mark.parametrize("words", [JAPANESE, ENGLISH], ids=["ja", "en"])
def test_a_chat_palette_defines_the_variables_that_it_uses(words):
    lines = ccfolia.palette_text(SAKU, words).splitlines()
    defined = {line[2:].partition("=")[0] for line in lines if line.startswith("//")}
    used = {part.partition("}")[0] for line in lines for part in line.split("{")[1:]}
    assert used - defined == {"HP"}, "HP is the tool's own resource"
    assert any(line.startswith("◆") for line in lines)
    assert not any(" " in name for name in defined)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets())
def test_a_palette_has_one_line_for_each_entry(sheet):
    text = ccfolia.palette_text(sheet, JAPANESE)
    assert all(line.startswith(("◆", "//", ":")) or "\r" not in line for line in text.split("\n"))
    assert text.count("\n") == len(ccfolia.palette_lines(sheet, JAPANESE)) + 1 + len(
        ccfolia.abilities(sheet, JAPANESE)
    )


# Our own JSON


def test_exported_json_has_its_format_and_version():
    document = json.loads(sheet_json.document_text(sheet_json.write_document(SAKU)))
    assert (document["format"], document["version"]) == ("takujo.character", 1)
    assert document["character"]["suits"] == ["h", "d"]
    assert document["character"]["items"][0] == {
        "kind": "weapon",
        "name": "脇差",
        "table_value": 2,
        "quality": 0,
        "special": True,
        "value": 3,
    }


# Out and in again


def by_piece(sheet, words):
    text = ccfolia.piece_text(ccfolia.character_piece(sheet, player="あゆみ", url="", words=words))
    return reader.read_text(text, words).sheet


def by_zip(sheet, words):
    return reader.read_file(udonarium.character_zip(sheet, player="P", url="", words=words), words).sheet


def by_json(sheet, words):
    text = sheet_json.document_text(sheet_json.write_document(sheet, player="あゆみ", url="http://h/c/1"))
    found = reader.read_text(text, words)
    assert (found.left_over, found.cut, found.player) == ((), 0, "あゆみ")
    assert found.sheet == sheet
    return found.sheet


@pytest.mark.parametrize("carry", [by_piece, by_zip, by_json])
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets(), st.sampled_from([JAPANESE, ENGLISH]))
@example(SAKU, JAPANESE)
@example(SAKU, ENGLISH)
@example(PlainSheet("NaN", skills=("undefined",)), JAPANESE)
def test_a_sheet_comes_back_the_same_for_play(carry, sheet, words):
    back = carry(sheet, words)
    for field in ("name", "hp", "hp_max", "suits", "skills"):
        assert getattr(back, field) == getattr(sheet, field)
    assert [(i.kind, i.name, i.value) for i in back.items] == [(i.kind, i.name, i.value) for i in sheet.items]
    if carry is not by_zip:
        assert [item.special for item in back.items] == [item.special for item in sheet.items]
        assert back.ca == sheet.ca
