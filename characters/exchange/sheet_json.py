"""Our own format: the complete sheet with a version number. An import restores it exactly."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from characters.exchange.plain import PlainSheet

FORMAT = "takujo.character"
VERSION = 1


def write_document(sheet: PlainSheet, *, player: str = "", url: str = "") -> dict[str, Any]:
    """Return the sheet as the document that ``docs/formats.md`` describes."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "url": url,
        "player": player,
        "character": {
            "name": sheet.name,
            "concept": sheet.concept,
            "background": sheet.background,
            "emblem": sheet.emblem,
            "portrait": b64encode(sheet.portrait).decode(),
            "faces": [
                {"label": face.label, "picture": b64encode(face.picture).decode()} for face in sheet.faces
            ],
            "hp": sheet.hp,
            "hp_max": sheet.hp_max,
            "hand_limit": sheet.hand_limit,
            "ca": sheet.ca,
            "suits": list(sheet.suits),
            "skills": list(sheet.skills),
            "items": [
                {
                    "kind": item.kind,
                    "name": item.name,
                    "table_value": item.table_value,
                    "quality": item.quality,
                    "special": item.special,
                    "value": item.value,
                }
                for item in sheet.items
            ],
        },
    }


def text(document: dict[str, Any]) -> str:
    """Return the document as indented, human-readable JSON."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
