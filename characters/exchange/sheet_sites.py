"""Sheets of ゆとシートⅡ and キャラクター保管所, and the addresses of sheets.

ゆとシートⅡ (ytsheet2) writes the JSON of a sheet of any of its games with ``?mode=json``. キャラクター保管所
(charasheet.vampire-blood.net) has one for each sheet.

Addresses are not fetched: users open them and paste the content. Fetching addresses that strangers enter
would give them access to the server's own network (SSRF), and a server at home may have no access to the
internet.
"""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from characters.exchange import pieces
from characters.exchange.parsing import UnreadableSheet, line_of, number, text_of_value, visible
from characters.exchange.pieces import Piece
from characters.exchange.wording import one_line

YTSHEET_NAMES = ("characterName", "namePlate", "monsterName", "aka")
#: Fields with a summary of the sheet, which ytsheet2 writes for every game; the first includes the second.
YTSHEET_SUMMARIES = ("sheetDescriptionM", "sheetDescriptionS")
YTSHEET_STORIES = ("freeNote", "freeHistory", "items")
#: Fields (prefixes) about the look of the sheet's page.
YTSHEET_PRESENTATION = (
    *("image", "color", "name", "palette", "chatPalette", "header", "lasttime", "forbidden", "hide"),
)
#: Fields that are no data of the character, or that are read elsewhere.
YTSHEET_KEPT = {
    *("ver", "result", "type", "id", "group", "tags", "protect", "birthTime", "updateTime"),
    *("gameVersion", "unitStatus", "hpTotal", "playerName", "author", "backup", "log"),
}
HOKANJO_HOST = "charasheet.vampire-blood.net"
HOKANJO_PROFILE = {
    "shuzoku": "職業・種族",
    "age": "年齢",
    "sex": "性別",
    "pc_height": "身長",
    "pc_weight": "体重",
    "pc_kigen": "出身",
    "color_hair": "髪の色",
    "color_eye": "瞳の色",
    "color_skin": "肌の色",
}
#: The stats of クトゥルフ神話TRPG by their numbers. Other games use the same numbers for other stats.
ABILITIES = ("STR", "CON", "POW", "DEX", "APP", "SIZ", "INT", "EDU")
HOKANJO_HIT_POINTS = "NP9"
HIT_POINTS_OF_OTHERS = ("HP", "hp", "max_hp")
HOKANJO_READ = {
    *("pc_name", "pc_making_memo", "data_id", "game", "data_title", "message", "phrase"),
    *HOKANJO_PROFILE,
}
ADDRESS = re.compile(r"https?://[^\s<>\"']{4,1000}", re.IGNORECASE | re.ASCII)
HOKANJO_PATH = re.compile(r"/(m?[0-9a-f]{1,64})(?:\.\w+)?/?", re.ASCII)
OURS = re.compile(r"(/c/(?:[0-9]{1,18}|shared/[\w-]{1,100}))(?:\.json)?/?", re.ASCII)


def is_ytsheet(document: dict[str, Any]) -> bool:
    """True for a document of ytsheet2, including its response for a missing sheet."""
    named = any(key in document for key in YTSHEET_NAMES)
    return (named and ("unitStatus" in document or "ver" in document)) or set(document) == {"result"}


def from_ytsheet(document: dict[str, Any]) -> Piece:
    """Return the piece of a sheet. Refusals: ``no_such_sheet``, with the message of ytsheet2."""
    if set(document) == {"result"}:
        raise UnreadableSheet("no_such_sheet", said=text_of_value(document["result"]))
    name = next((document[key] for key in YTSHEET_NAMES if visible(document.get(key))), None)
    piece = Piece(
        _ytsheet_text(name),
        status=_ytsheet_status(document.get("unitStatus")),
        palette=_ytsheet_text(document.get("chatPalette")),
    )
    if not any(label.casefold() == "hp" for label, *_ in piece.status) and "hpTotal" in document:
        piece.status.append(("HP", document["hpTotal"], None))
    for key, value in document.items():
        if kind := pieces.kind_of_field(key):
            piece.named += [(kind, name) for name in pieces.fitting_names([_ytsheet_text(value)])]
    player = one_line(_ytsheet_text(document.get("playerName")))
    summary = next((_ytsheet_text(document[key]) for key in YTSHEET_SUMMARIES if document.get(key)), "")
    stories = [_ytsheet_text(document.get(key)).strip() for key in YTSHEET_STORIES]
    piece.memo = "\n\n".join(filter(None, [f"PL: {player}" if player else "", summary.strip(), *stories]))
    piece.left_out = [
        line_of(key, _ytsheet_text(value)) for key, value in document.items() if _is_left_out(key, value)
    ]
    return piece


def _is_left_out(key: str, value: object) -> bool:
    known = (
        pieces.kind_of_field(key)
        or key in (*YTSHEET_NAMES, *YTSHEET_SUMMARIES, *YTSHEET_STORIES)
        or key in YTSHEET_KEPT
        or key.startswith(YTSHEET_PRESENTATION)
    )
    return not known and value not in (None, "", [], {})


def _ytsheet_text(value: object) -> str:
    """Return a text as its author typed it. ytsheet2 stores line breaks as escaped ``<br>`` tags."""
    return html.unescape(text_of_value(value).replace("&lt;br&gt;", "\n").replace("<br>", "\n"))


def _ytsheet_status(units: object) -> list[tuple[str, object, object]]:
    """Return label, value and maximum of ``[{"HP": "12/12"}, {"防護": "3"}]``."""
    found: list[tuple[str, object, object]] = []
    for unit in units if isinstance(units, list) else []:
        for label, value in unit.items() if isinstance(unit, dict) else []:
            now, _, most = text_of_value(value).partition("/")
            if one_line(label) != "|":
                found.append((label, now, most))
    return found


def is_hokanjo(document: dict[str, Any]) -> bool:
    return "pc_name" in document and ("data_id" in document or "game" in document)


def from_hokanjo(document: dict[str, Any]) -> Piece:
    piece = Piece(document["pc_name"], memo=text_of_value(document.get("pc_making_memo")))
    if not visible(piece.name):
        piece.name = document.get("data_title")
    read = set(HOKANJO_READ)
    if "SAN_Left" in document:  # クトゥルフ神話TRPG
        stats = {f"NP{place}": label for place, label in enumerate(ABILITIES, 1)}
        piece.status.append(("HP", document.get(HOKANJO_HIT_POINTS), document.get(HOKANJO_HIT_POINTS)))
        piece.params += [
            (label, text_of_value(document[key])) for key, label in stats.items() if key in document
        ]
        read |= {HOKANJO_HIT_POINTS, *stats}
    elif hp := next((key for key in HIT_POINTS_OF_OTHERS if number(document.get(key)) is not None), None):
        piece.status.append(("HP", document[hp], document[hp]))
        read.add(hp)
    piece.params += [
        (label, text_of_value(document[key])) for key, label in HOKANJO_PROFILE.items() if key in document
    ]
    for key, value in document.items():
        if kind := pieces.kind_of_field(key):
            names = filter(None, map(visible, value if isinstance(value, list) else [value]))
            piece.named += [(kind, name) for name in pieces.fitting_names(names)]
            read.add(key)
    if number(document.get("data_id")):
        piece.url = f"https://{HOKANJO_HOST}/{number(document['data_id'])}"
    piece.left_out = [
        line_of(key, value) for key, value in document.items() if key not in read and _is_filled_in(value)
    ]
    return piece


def _is_filled_in(value: object) -> bool:
    """True if a field was filled in. Lists have an empty entry for each line of the form."""
    if isinstance(value, list):
        return any(map(_is_filled_in, value))
    return value not in (None, "", "0", 0, {})


def data_address(text: str) -> str | None:
    """Return the address of a sheet's data, None for a text that is no address.

    Refusals: ``address_unknown`` for any other address.
    """
    if not ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or "@" in parts.netloc:
        raise UnreadableSheet("address_unknown")
    if host == HOKANJO_HOST and (match := HOKANJO_PATH.fullmatch(parts.path)):
        return f"https://{HOKANJO_HOST}/{match[1]}.json"
    if match := OURS.fullmatch(parts.path):
        return parts._replace(path=f"{match[1]}.json", query="", fragment="").geturl()
    asked = parse_qs(parts.query)
    if "id" in asked:  # ゆとシートⅡ is self-hosted, so any host may have it
        query = {key: asked[key][0] for key in ("id", "backup", "log") if key in asked} | {"mode": "json"}
        return parts._replace(query=urlencode(query), fragment="").geturl()
    raise UnreadableSheet("address_unknown")
