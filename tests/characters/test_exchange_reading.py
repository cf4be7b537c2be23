"""Pieces and files from elsewhere, understood, kept as text, or refused with a reason."""

from __future__ import annotations

import gzip
import html
import io
import json
import subprocess
import sys
import time
import zipfile
from base64 import b64encode
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.exchange.parsing import UnreadableSheet
from characters.refusals import UNREADABLE, why_unreadable
from tests.characters.elsewhere import param, piece, read, zipped
from tests.companion.test_pictures import painted, saved


def test_a_piece_with_only_a_name_is_imported():
    found = read('{ "kind": "character", "data": { "name": "Chicken" } }')
    assert (found.sheet.name, found.sheet.hp, found.sheet.hp_max, found.hp_missing) == ("Chicken", 1, 1, True)
    assert found.left_over == ()


@pytest.mark.parametrize(
    ("status", "hp"),
    [
        ({"label": "HP", "value": 3, "max": 5}, (3, 5)),
        ({"label": "HP", "value": "3", "max": "5"}, (3, 5)),
        ({"label": "ＨＰ", "value": "３", "max": "５"}, (3, 5)),
        ({"label": "hp", "value": -2, "max": 5}, (-2, 5)),
        ({"label": "HP", "value": "−2", "max": 5}, (-2, 5)),
        ({"label": "HP", "value": 3.0, "max": 5.0}, (3, 5)),
        ({"label": "HP", "max": 5}, (5, 5)),
        ({"label": "HP", "value": 3}, (3, 3)),
        ({"label": "HP", "value": "", "max": "5"}, (5, 5)),
    ],
)
def test_hp_of_a_piece_is_read_from_numbers_and_full_width_text(status, hp):
    found = read(piece(status=[status]))
    assert ((found.sheet.hp, found.sheet.hp_max), found.hp_missing) == (hp, False)


@pytest.mark.parametrize(
    ("value", "suits"),
    [
        ("♥", "h"),
        ("♥️", "h"),
        ("♡♤", "sh"),
        ("ハート", "h"),
        ("ダイヤ、スペード", "sd"),
        ("Hearts, clubs", "hc"),
        ("なし", ""),
        ("none", ""),
    ],
)
@pytest.mark.parametrize("label", ["得意スート", "Favoured suits", "favoured　suits"])
def test_favoured_suits_are_read_in_both_languages(label, value, suits):
    found = read(piece(params=[{"label": label, "value": value}]))
    assert (found.sheet.suits, found.left_over) == (suits, ())


def test_skills_and_items_of_a_piece_are_read_in_both_languages():
    japanese = param(特技１="剣術", 特技2="料理", 武器="3", 防具="１", 盾=2)
    english = param(**{"Skill 1": "剣術", "skill2": "料理", "Weapon": 3, "Armour": "1", "SHIELD": "2"})
    for params in (japanese, english):
        sheet = read(piece(params=params)).sheet
        assert sheet.skills == ("剣術", "料理")
        assert [(i.kind, i.value) for i in sheet.items] == [("weapon", 3), ("armour", 1), ("shield", 2)]


def test_an_item_of_a_piece_may_have_a_name_and_a_high_value():
    sheet = read(piece(params=param(武器="名刀 7", 武器2="弓(2)"))).sheet
    assert [(i.name, i.value) for i in sheet.items] == [("名刀", 7), ("弓", 2)]


def test_a_list_of_skills_in_one_line_is_split():
    assert read(piece(params=param(特技="剣術、料理, 水泳"))).sheet.skills == ("剣術", "料理", "水泳")
    assert read(piece(memo="特技: 剣術、料理\r\n得意スート: ♣\r\n\r\n昔話")).sheet.skills == ("剣術", "料理")


def test_unknown_fields_of_a_piece_are_listed_and_kept_in_the_background():
    found = read(
        piece(
            memo="海の町の\r\n生まれ。",
            initiative=12,
            externalUrl="https://example.org/sheet/1",
            playerName="あゆみ",
            x=3,
            iconUrl="https://example.org/x.png",
            status=[{"label": "HP", "value": 3, "max": 5}, {"label": "MP", "value": "8", "max": 9}],
            params=param(STR="12", CA="99", 武器="9"),
            commands="2D6>=9 攻撃\n:HP-1 ダメージ\n\n◆判定",
        )
    )
    assert list(found.left_over) == [
        "CA: 99",
        "MP: 8/9",
        "STR: 12",
        "武器: 9",
        "initiative: 12",
        "playerName: あゆみ",
        "URL: https://example.org/sheet/1",
        "チャットパレット:",
        "2D6>=9 攻撃",
    ]
    assert found.sheet.background == "海の町の\n生まれ。\n\nHP: 3/5\n\n" + "\n".join(found.left_over)


def test_a_link_of_a_piece_to_this_server_is_not_kept():
    found = read(piece(externalUrl="http://takujo.test/c/1"), ours="http://takujo.test")
    assert found.left_over == ()
    assert read(piece(externalUrl="http://takujo.testing/c/1"), ours="http://takujo.test").left_over


def test_cut_characters_of_a_long_background_are_counted():
    found = read(piece(memo="あ" * 4010))
    assert (len(found.sheet.background), found.cut) == (4000, 10)


PICTURE = b64encode(saved(painted(3, 4), "PNG")).decode()


def own(**changed):
    character = {"name": "朔", "hp": 3, "hp_max": 4, **changed}
    return {"format": "takujo.character", "version": 1, "character": character}


def test_unknown_keys_of_our_json_are_kept_in_the_background():
    found = read({**own(background="昔話", mood="良い"), "campaign": {"name": "蛇"}})
    assert found.sheet.background == '昔話\n\ncampaign: {"name": "蛇"}\nmood: 良い'
    assert len(found.left_over) == 2


def item(**changed):
    return own(items=[{"kind": "weapon", "name": "剣", "table_value": 2, "quality": 0, **changed}])


REFUSED = {
    "": "empty",
    " \n": "empty",
    "こんにちは": "no_data",
    "キャラクター名：試しの人\n■能力値■\nHP：12": "no_data",
    "名前,HP\n試しの人,12": "no_data",
    '{"kind": "character", "data": {"name": "a",}}': "not_json",
    '{"kind": "character", "data": {"name": "a"}': "not_json",
    '{"kind": "character", "data": {"name": "リュ': "not_json",
    "[1, 2]": "not_a_character",
    '[{"a": 1}]': "not_a_character",
    "https://example.org/news/1": "address_unknown",
    "https://user@charasheet.vampire-blood.net/1": "address_unknown",
    '{"result": "リクエストされたシートは見つかりませんでした。(id: x)"}': "no_such_sheet",
    '{"kind": "character", "data": {}}': "no_name",
    "null": "not_a_character",
    '"character"': "not_a_character",
    '{"kind": "item", "data": {"name": "a"}}': "not_a_character",
    '{"kind": "character", "data": []}': "not_a_character",
    '{"format": "other", "character": {}}': "not_a_character",
    '{"kind": "character", "data": {"name": "a", "name": "b"}}': "duplicate_key",
    '{"kind": "character", "data": {"name": "a", "x": NaN}}': "not_a_number",
    '{"kind": "character", "data": {"name": "a", "x": -Infinity}}': "not_a_number",
    '{"kind": "character", "data": {"name": "a", "x": 1e999}}': "not_a_number",
    '{"kind": "character", "data": {"name": "a", "x": ' + "9" * 5000 + "}}": "number_too_long",
    '{"kind": "character", "data": {"name": "a\\u0000"}}': "bad_characters",
    '{"kind": "character", "data": {"name": "a\\ud800"}}': "bad_characters",
    '{"kind": "character", "data": {"name": "a", "\\u0000": 1}}': "bad_characters",
    '{"kind": "character"}\0': "bad_characters",
    "[" * 100_000: "too_deep",
    '{"a":' * 30 + "1" + "}" * 30: "too_deep",
    "あ" * 90_000: "too_large",
    "<character>": "xml_broken",
    "<character/>": "xml_empty",
    "<character> </character>": "xml_empty",
    '<?xml version="1.0"?>\n<!-- nobody -->': "xml_empty",
    "<room/>": "empty_room",
    "[]": "empty_list",
    "2d6+{器用度B} 命中\nk20+3@10\n//器用度B=3": "a_palette",
    "◆判定\nCC<=50 【目星】\n:HP-1": "a_palette",
    "<html/>": "a_web_page",
    "<!DOCTYPE html><html lang='ja'><head><title>シート</title></head><h1>試しの人</h1></html>": "a_web_page",
    '<script>f({"x": 1, "x": 2}, {"kind": "character"})</script>': "a_web_page",
    '<!DOCTYPE x [<!ENTITY a "b">]><character>&a;</character>': "xml_forbidden",
    json.dumps(piece(name=5)): "no_name",
    json.dumps(piece(name=" \u200b\n")): "no_name",
    json.dumps(piece(memo=["a"])): "wrong_type",
    json.dumps(piece(status={"HP": 3})): "wrong_type",
    json.dumps(piece(params=["HP"])): "wrong_type",
    json.dumps(own(name="")): "no_name",
    json.dumps(own(hp="x")): "hp_no_number",
    json.dumps(own(hp=45, hp_max=45)): "hp_max_out_of_range",
    json.dumps(own(hp=5, hp_max=4)): "hp_out_of_range",
    json.dumps(own(concept="あ" * 121)): "too_long",
    json.dumps(own(background=3)): "wrong_type",
    json.dumps(own(skills="剣術")): "wrong_type",
    json.dumps(own(skills=["あ" * 41])): "too_long",
    json.dumps(own(skills=["a"] * 21)): "too_many_rows",
    json.dumps(own(suits=["s", "h", "d", "c"])): "too_many_suits",
    json.dumps(own(suits=["s", "s"])): "no_such_suit",
    json.dumps(own(suits=["x"])): "no_such_suit",
    json.dumps(own(suits=[1])): "wrong_type",
    json.dumps(own(portrait="PHN2Zz4=")): "bad_portrait",
    json.dumps(own(faces=[{"label": "笑顔", "picture": "PHN2Zz4="}])): "bad_face",
    json.dumps(own(faces=[{"label": "@", "picture": PICTURE}])): "bad_label",
    json.dumps(own(faces=[{"label": "笑顔", "picture": PICTURE}] * 2)): "label_twice",
    json.dumps(own(items=[5])): "wrong_type",
    json.dumps(item(kind="spell")): "wrong_type",
    json.dumps(item(kind=["weapon"])): "wrong_type",
    json.dumps(item(special=1)): "wrong_type",
    json.dumps(item(table_value=5)): "bad_item",
    json.dumps(item(table_value=4, quality=4, special=True)): "bad_item",
    json.dumps(item(table_value="x")): "wrong_type",
    json.dumps(item(name="")): "no_name",
    json.dumps({**own(), "version": 2}): "other_version",
    json.dumps({**own(), "version": None}): "other_version",
    json.dumps({**own(), "player": 5}): "wrong_type",
}


def test_a_reason_quotes_only_the_beginning_of_the_import():
    with pytest.raises(UnreadableSheet) as refusal:
        read(own(name="あ" * 10_000))
    assert len(why_unreadable(refusal.value)) < 200


# Files


UDONARIUM = """<?xml version="1.0" encoding="UTF-8"?>
<character location.name="table"><data name="character">
<data name="common"><data name="name">サンプル</data><data name="size">1</data></data>
<data name="detail"><data name="リソース">
<data type="numberResource" currentValue="8" name="HP">12</data>
<data type="numberResource" currentValue="3" name="MP">9</data></data>
<data name="情報"><data type="note" name="説明">あれこれ</data><data name="PL">ボー</data></data>
</data></data><chat-palette dicebot="DiceBot">2d6+1 行為判定</chat-palette></character>"""


@pytest.mark.parametrize(
    "content",
    [UDONARIUM.encode(), zipped({"data.xml": UDONARIUM}), zipped({"a.xml": "<room/>", "b.XML": UDONARIUM})],
    ids=["xml", "zip", "second in a zip"],
)
def test_a_udonarium_character_is_read(content):
    found = read(content)
    assert (found.sheet.name, found.sheet.hp, found.sheet.hp_max, found.player) == ("サンプル", 8, 12, "ボー")
    assert found.left_over == ("MP: 3/9", "チャットパレット:", "2d6+1 行為判定")
    assert found.sheet.background.startswith("あれこれ\n\n")


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp932", "euc_jp", "iso2022_jp"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_imported_file_is_read_in_every_japanese_encoding(encoding):
    content = json.dumps(piece(name="試しの人"), ensure_ascii=False).encode(encoding)
    assert read(content).sheet.name == "試しの人"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_json_encoded_as_a_json_string_is_read(times):
    text = json.dumps(piece())
    for _ in range(times):
        text = json.dumps(text)
    assert read(text).sheet.name == "Chicken"


def test_json_in_a_saved_web_page_is_read():
    text = json.dumps(piece())
    assert read(f"<html><body><pre>{text}</pre></body></html>").sheet.name == "Chicken"
    assert read(f"<pre>{html.escape(text)}</pre>").sheet.name == "Chicken"


def lying(content: bytes, size: int) -> bytes:
    """Let a zip say that its entry is smaller than it is."""
    at = content.index(b"PK\x01\x02")
    return content[: at + 24] + size.to_bytes(4, "little") + content[at + 28 :]


BOMB = zipped({"data.xml": "<character>" + " " * 5_000_000 + "</character>"})


REFUSED_FILES = {
    b"": "empty",
    "ほげ".encode("cp932"): "no_data",
    "山田".encode("euc_jp"): "not_text",
    "测试".encode("gbk"): "not_text",
    b"\x89PNG\r\n\x1a\n\xff": "a_picture",
    b"\xff\xd8\xff\xe0\0\x10JFIF": "a_picture",
    b"%PDF-1.7\n": "a_pdf",
    gzip.compress(b"{}"): "packed_otherwise",
    b"\xef\xbb\xbf<!doctype html><p>a</p>": "a_web_page",
    "<html><p>あ</p></html>".encode("cp932"): "a_web_page",
    b"\xff\xfe\x00": "not_text",
    b"a" * 1_500_001: "too_large_file",
    b"PK\x03\x04 nothing": "zip_broken",
    zipped({"data.xml": UDONARIUM})[:-30]: "zip_broken",
    BOMB: "zip_too_large",
    zipped({f"{n}.txt": "" for n in range(2_001)}): "zip_too_large",
    zipped({"a.txt": "x"}): "no_character_in_zip",
    zipped({"a.xml": "<room/>"}): "no_character_in_zip",
    zipped({"a.xml": "<room>"}): "xml_broken",
    b'<?xml version="1.0" encoding="nonsense"?><character/>': "xml_empty",
    b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><character/>': "xml_forbidden",
    b"<a>" * 80_000: "too_deep",
    b"<character>" + b"<a/>" * 60_000 + b"</character>": "too_many_parts",
    b"<room></room>": "empty_room",
    b"<character>" + b"<data>" * 15_000 + b"</data>" * 15_000 + b"</character>": "too_deep",
}
#: Beginnings of reasons, by code.
SAID = {
    "a_palette": "これはチャットパレットです。",
    "a_picture": "これは画像で、コマのデータではありません。",
    "a_web_page": "ココフォリア出力",
    "empty": "データが貼り付けられておらず、ファイルも選ばれていません。",
    "empty_list": "このリストには、だれもいません。",
    "no_data": "ココフォリア出力",
    "not_a_character": "キャラクターではありません。",
    "not_json": "1行目の",
    "too_large_file": "1.5 MBを超えています。",
    "xml_empty": "このXMLは空で",
}


@pytest.mark.parametrize(
    ("content", "code"),
    [*REFUSED.items(), *REFUSED_FILES.items()],
    ids=lambda value: value[:40] if isinstance(value, str) else "file",  # a zip holds the time it was made
)
def test_an_invalid_import_is_refused_with_its_reason(content, code):
    with pytest.raises(UnreadableSheet) as refusal:
        read(content)
    assert refusal.value.code == code
    reason = why_unreadable(refusal.value)
    assert reason
    assert SAID.get(code, "") in reason


def test_every_reason_of_a_refused_import_has_a_sentence():
    assert set(UNREADABLE) == {*REFUSED.values(), *REFUSED_FILES.values(), "zip_packed_otherwise"}


def test_a_zip_with_a_false_size_is_refused():
    with pytest.raises(UnreadableSheet):
        read(lying(BOMB, 100))


#: Reads a file from standard input, and prints why it was refused and by how many bytes the process grew.
WEIGHED = """
import resource, sys
from characters.exchange import reader
from characters.exchange.parsing import UnreadableSheet
from characters.exchange.wording import JAPANESE

content, before = sys.stdin.buffer.read(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    reader.read_file(content, JAPANESE)
except UnreadableSheet as refusal:
    print(refusal.code, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_a_decompression_bomb_in_a_zip_is_refused(method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("data.xml", bytes(50_000_000))
    asked = [sys.executable, "-c", WEIGHED]
    told = subprocess.run(asked, input=packed.getvalue(), capture_output=True, check=True)
    code, grown = told.stdout.split()
    assert code == (b"zip_too_large" if method == zipfile.ZIP_DEFLATED else b"zip_packed_otherwise")
    assert int(grown) < 8_000_000


SLOW = {
    "digits before a letter": param(**{"1" * 200_000 + "a": "1"}),
    "blanks before a letter": param(武器="a" + " " * 200_000 + "x"),
    "accents upon one letter": param(**{"a" + "\u0316\u0301" * 40_000: "1"}),
    "accents in place of points": param(HP="\u0316\u0301" * 40_000),
    "items that nothing claims": [{"label": "武器", "value": "2"}] * 2_000,
}


@pytest.mark.parametrize("params", SLOW.values(), ids=SLOW)
def test_no_piece_takes_longer_than_two_seconds_to_read(params):
    text = json.dumps(piece(params=params, memo="・剣（武器 3）\n" * 3_000), ensure_ascii=False)
    before = time.process_time()
    with suppress(UnreadableSheet):
        read(text)
    with suppress(UnreadableSheet):
        read(text.replace("・剣", "剣"))
    assert time.process_time() - before < 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["label", "value", "max", "kind", "name", "special"]) | st.text(), inner
        )
    ),
    max_leaves=8,
)
KEYS = ["name", "memo", "initiative", "externalUrl", "status", "params", "commands", "hp", "hp_max", "suits"]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*KEYS, "skills", "items", "concept"]), JSON), st.booleans())
def test_nothing_that_json_can_say_breaks_a_reader(data, ours):
    named = {"name": "朔", **data}
    document = own(**named) if ours else {"kind": "character", "data": named}
    with suppress(UnreadableSheet):
        found = read(document)
        sheet = found.sheet
        assert 1 <= len(sheet.name) <= 40
        assert sheet.hp <= sheet.hp_max


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300) | st.binary(max_size=100).map(lambda tail: b"PK\x03\x04" + tail))
def test_no_file_breaks_a_reader(content):
    with pytest.raises(UnreadableSheet):
        read(content)
