"""キャラクター保管所 (charasheet.vampire-blood.net): the JSON of a sheet of any of its games."""

from __future__ import annotations

from typing import Any

from characters.exchange import labels_elsewhere
from characters.exchange.parsing import line_of, number, text_of_value, visible
from characters.exchange.pieces import Piece
from characters.exchange.wording import one_line

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
HOKANJO_READ = {"pc_name", "pc_making_memo", "data_id", "game", "data_title", "message", "phrase", *HOKANJO_PROFILE}


def is_hokanjo(document: dict[str, Any]) -> bool:
    """True for a document of キャラクター保管所."""
    return "pc_name" in document and ("data_id" in document or "game" in document)


def from_hokanjo(document: dict[str, Any]) -> Piece:
    """Return the piece of a sheet of キャラクター保管所."""
    piece = Piece(document["pc_name"], memo=_hokanjo_text(document.get("pc_making_memo")))
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
    piece.params += [(label, _hokanjo_text(document[key])) for key, label in HOKANJO_PROFILE.items() if key in document]
    for key, value in document.items():
        if kind := labels_elsewhere.kind_of_field(key):
            piece.named += [(kind, name) for name in labels_elsewhere.fitting_names(_hokanjo_names(value))]
            read.add(key)
    if number(document.get("data_id")):
        piece.url = f"https://{HOKANJO_HOST}/{number(document['data_id'])}"
    piece.left_out = [
        line_of(key, value) for key, value in document.items() if key not in read and _says(value)
    ]
    return piece


def _hokanjo_text(value: object) -> str:
    return value if isinstance(value, str) else text_of_value(value)


def _hokanjo_names(value: object) -> list[str]:
    names = value if isinstance(value, list) else [value]
    return [one_line(name) for name in names if isinstance(name, str) and one_line(name)]


def _says(value: object) -> bool:
    """True if a field was filled in. Lists have an empty entry for each line of the form."""
    if isinstance(value, list):
        return any(map(_says, value))
    return value not in (None, "", "0", 0, {})
