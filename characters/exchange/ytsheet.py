"""ゆとシートⅡ ytsheet2: the JSON of a sheet of any of its games, as ``?mode=json`` writes it."""

from __future__ import annotations

import html
from typing import Any

from characters.exchange import labels_elsewhere
from characters.exchange.parsing import line_of, text_of_value, visible
from characters.exchange.pieces import Piece
from characters.exchange.unreadable import UnreadableSheet
from characters.exchange.wording import one_line

NAMES = ("characterName", "namePlate", "monsterName", "aka")
#: Fields with a summary of the sheet, which ytsheet2 writes for every game; the first includes the second.
SUMMARIES = ("sheetDescriptionM", "sheetDescriptionS")
STORIES = ("freeNote", "freeHistory", "items")
#: Fields (prefixes) about the look of the sheet's page.
PRESENTATION = ("image", "color", "name", "palette", "chatPalette", "header", "lasttime", "forbidden", "hide")
KEPT = {
    *("ver", "result", "type", "id", "group", "tags", "protect", "birthTime", "updateTime"),
    *("gameVersion", "unitStatus", "hpTotal", "playerName", "author", "backup", "log"),
}


def is_ytsheet(document: dict[str, Any]) -> bool:
    """True for a document of ytsheet2, including its response for a missing sheet."""
    named = any(key in document for key in NAMES)
    return (named and ("unitStatus" in document or "ver" in document)) or set(document) == {"result"}


def from_ytsheet(document: dict[str, Any]) -> Piece:
    """Return the piece of a sheet.

    :raises UnreadableSheet: ``no_such_sheet``, with the message of ytsheet2.
    """
    if set(document) == {"result"}:
        raise UnreadableSheet("no_such_sheet", said=text_of_value(document["result"]))
    name = next((document[key] for key in NAMES if visible(document.get(key))), None)
    piece = Piece(
        _plain(name), status=_status(document.get("unitStatus")), palette=_plain(document.get("chatPalette"))
    )
    if not any(label.casefold() == "hp" for label, *_ in piece.status) and "hpTotal" in document:
        piece.status.append(("HP", document["hpTotal"], None))
    for key, value in document.items():
        if kind := labels_elsewhere.kind_of_field(key):
            piece.named += [(kind, name) for name in labels_elsewhere.names([_plain(value)])]
    player = one_line(_plain(document.get("playerName")))
    summary = next((_plain(document[key]) for key in SUMMARIES if document.get(key)), "")
    stories = [_plain(document.get(key)).strip() for key in STORIES]
    piece.memo = "\n\n".join(filter(None, [f"PL: {player}" if player else "", summary.strip(), *stories]))
    piece.left_out = [
        line_of(key, _plain(value)) for key, value in document.items() if _is_left_out(key, value)
    ]
    return piece


def _is_left_out(key: str, value: object) -> bool:
    known = (
        labels_elsewhere.kind_of_field(key)
        or key in (*NAMES, *SUMMARIES, *STORIES)
        or key in KEPT
        or key.startswith(PRESENTATION)
    )
    return not known and value not in (None, "", [], {})


def _plain(value: object) -> str:
    """Return a text as its author typed it. ytsheet2 stores line breaks as escaped ``<br>`` tags."""
    return html.unescape(text_of_value(value).replace("&lt;br&gt;", "\n").replace("<br>", "\n"))


def _status(units: object) -> list[tuple[str, object, object]]:
    """Return label, value and maximum of ``[{"HP": "12/12"}, {"防護": "3"}]``."""
    found: list[tuple[str, object, object]] = []
    for unit in units if isinstance(units, list) else []:
        for label, value in unit.items() if isinstance(unit, dict) else []:
            now, _, most = text_of_value(value).partition("/")
            if one_line(label) != "|":
                found.append((label, now, most))
    return found
