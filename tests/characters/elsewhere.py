"""Data in the shape in which other programs write it, put together as their own code does."""

from __future__ import annotations

import io
import json
import zipfile

from characters.exchange import reader
from characters.exchange.wording import JAPANESE

#: ゆとシートⅡ, ``?mode=json``: flat, everything a string, line breaks as escaped tags.
YTSHEET = {
    "aka": "赤錆",
    "age": "17",
    "birthTime": "1609459200",
    "characterName": "リュート & ルル",
    "chatPalette": "2d6+{器用度B} 命中&lt;br&gt;k20+3@10",
    "freeNote": "港町の生まれ。&lt;br&gt;歌がうまい。",
    "gender": "男",
    "hpTotal": "45",
    "id": "Ab3dEf",
    "lvFig": "5",
    "playerName": "ボー",
    "race": "人間",
    "result": "OK",
    "sheetDescriptionM": "種族:人間　性別:男　年齢:17\nランク:－　信仰:－　穢れ:0\n技能:ファイター5",
    "sheetDescriptionS": "種族:人間　性別:男　年齢:17\n技能:ファイター5",
    "unitStatus": [{"HP": "38/45"}, {"MP": "13/13"}, {"|": "|"}, {"防護": "4"}],
    "ver": "1.27.002",
    "weapon1Name": "ロングソード",
}

#: キャラクター保管所, ``<id>.json`` of クトゥルフ神話TRPG: lists with an empty entry for each empty line.
HOKANJO = {
    "data_id": 4330377,
    "data_title": "探偵",
    "game": "coc",
    "pc_name": "霧島 <鷹>",
    "shuzoku": "私立探偵",
    "age": "34",
    "sex": "男",
    "pc_height": "",
    "pc_kigen": "横浜",
    "pc_making_memo": "元刑事。\r\n猫を飼っている。",
    "NA1": "12",
    **{f"NP{place}": str(10 + place) for place in range(1, 9)},
    "NP9": "14",
    "NP10": "11",
    "SAN_Left": "55",
    "SAN_Max": "99",
    "SAN_Danger": "44",
    "TBAP": ["64", "25"],
    "TBAName": ["", ""],
    "arms_name": ["拳銃", ""],
    "item_name": ["手帳", "煙草", ""],
    "money": "3000",
}


def piece(**data):
    """A character as CCFOLIA copies it."""
    return {"kind": "character", "data": {"name": "Chicken", **data}}


def param(**said):
    return [{"label": label, "value": value} for label, value in said.items()]


def read(value, ours=""):
    """Read a file's bytes, a text, or data that is written as JSON first."""
    if isinstance(value, bytes):
        return reader.read_file(value, JAPANESE, ours)
    text = value if isinstance(value, str) else json.dumps(value)
    return reader.read_text(text, JAPANESE, ours)


def udonarium_character(name: str, hp: object = 8, most: object = 12, palette: str = "2d6+1 行為判定") -> str:
    """A character as ytsheet2 puts it together: texts as they are, without escaping."""
    return (
        '<character location.name="table" location.x="0" location.y="0" posZ="0" rotate="0" roll="0">'
        '<data name="character"><data name="image"><data type="image" name="imageIdentifier"></data></data>'
        f'<data name="common"><data name="name">{name}</data><data name="size">1</data></data>'
        '<data name="detail"><data name="リソース">'
        f'<data type="numberResource" currentValue="{hp}" name="HP">{most}</data></data>'
        '<data name="情報"><data name="PL">ボー</data><data name="身長">undefined</data>'
        '<data name="URL">https://yutorize.2-d.jp/ytsheet/sw2.5/?id=Ab3dEf&mode=sheet</data></data>'
        f'</data></data><chat-palette dicebot="SwordWorld2.5">{palette}</chat-palette></character>'
    )


def udonarium_room(*characters: str) -> bytes:
    """A room as Udonarium saves it: table and people in ``data.xml``, the log and pictures beside it."""
    terrain = '<terrain name="壁"><data name="terrain"/></terrain>'
    table = f'<game-table name="森" width="20" height="15">{terrain}</game-table>'
    named = '<data name="common"><data name="name">♠A</data></data>'
    card = f'<card location.name="table"><data name="card">{named}</data></card>'
    return zipped(
        {
            "chat.xml": "<chat-tab-list>" + "<chat>やあ</chat>" * 40_000 + "</chat-tab-list>",
            "data.xml": f"<room>{table}{''.join(characters)}{card}</room>",
            "summary.xml": '<summary-setting sortTag="name"></summary-setting>',
            "0f3a.png": bytes(range(256)) * 2_000,
        }
    )


def ccfolia_room(*names: str) -> bytes:
    """A room as CCFOLIA saves it: everybody in ``__data.json``, by an id."""
    people = {
        f"id{place}": {"name": name, "status": [{"label": "HP", "value": 5, "max": 9}], "roomId": "r"}
        for place, name in enumerate(names)
    }
    data = {"meta": {"version": "1.1.0"}, "entities": {"room": {"name": "夜"}, "characters": people}}
    return zipped({"__data.json": json.dumps(data, ensure_ascii=False), ".token": "0.x"})


def zipped(members: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
