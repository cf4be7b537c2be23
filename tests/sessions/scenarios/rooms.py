"""A room as CCFOLIA saves it, with the names that its rooms have."""

from __future__ import annotations

import io
import json
from typing import Any

from PIL import Image

from tests.characters.elsewhere import zipped

PIER, SHADOW, BROKEN = (f"{letter * 64}.png" for letter in "abc")


def picture(colour: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(written, "PNG")
    return written.getvalue()


ENTITIES: dict[str, Any] = {
    "room": {"name": "灯の消えた港", "foregroundUrl": None, "backgroundUrl": PIER, "sceneId": "s1"},
    "scenes": {
        "s2": {
            "name": "倉庫",
            "order": 2,
            "text": "",
            "foregroundUrl": BROKEN,
            "markers": {"m1": {"text": "合言葉は「かもめ」", "imageUrl": None}, "m2": {"text": ""}},
            "soundRef": "x",
        },
        "s1": {
            "name": "桟橋",
            "order": 1,
            "text": "霧が深い。",
            "backgroundUrl": PIER,
            "foregroundUrl": None,
            "markers": {},
        },
        "s3": {"name": "灯台", "order": 2.5, "text": "階段。", "backgroundUrl": "https://example.com/a.png"},
    },
    "notes": {
        "n2": {"name": "真相", "text": "灯台守は死んでいる。", "order": 2, "iconUrl": None},
        "n1": {"name": "", "text": "今夜の話。", "order": 1},
    },
    "items": {"i1": {"memo": "古い地図", "imageUrl": SHADOW, "order": 1}, "i2": {"memo": "古い地図"}},
    "characters": {
        "c1": {"name": "アユミ", "playerName": "ボー", "memo": ""},
        "c2": {"name": "影", "playerName": "", "memo": "弱点は光", "secret": True, "iconUrl": SHADOW},
        "c3": {"name": "漁師"},
    },
    "effects": {
        "e1": {"name": "@灯が消える", "imageUrl": SHADOW, "soundRef": None, "order": 1},
        "e2": {"name": "波の音", "imageUrl": None, "soundRef": "s", "order": 2},
    },
    "decks": {"d1": {"items": {}}},
    "savedatas": {},
    "snapshots": {},
}


def room(entities: Any = None, **more: bytes | str) -> bytes:
    """Return a zip of a room, with two pictures and one that is none."""
    data = {
        "meta": {"version": "1.1.0"},
        "entities": ENTITIES if entities is None else entities,
        "resources": {},
    }
    files: dict[str, bytes | str] = {
        "__data.json": json.dumps(data, ensure_ascii=False),
        ".token": "0.x",
        PIER: picture("navy"),
        SHADOW: picture("black"),
        BROKEN: b"\x89PNG and nothing",
    }
    return zipped(files | more)
