"""Reader of our own JSON format. It refuses invalid data, naming the field."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from typing import Any

from characters import labels, rules
from characters.exchange import parsing, sheet_json
from characters.exchange.parsing import Reading
from characters.exchange.plain import (
    BACKGROUND_LENGTH,
    CONCEPT_LENGTH,
    KINDS,
    PlainFace,
    PlainItem,
    PlainSheet,
)
from characters.exchange.unreadable import UnreadableSheet
from companion.files import pictures

EMBLEM_LENGTH = 8
#: An upper bound of the base64 length of the largest portrait.
PORTRAIT_LENGTH = pictures.PORTRAIT.bytes * 3 // 2
FACE_LENGTH = pictures.FACE.bytes * 3 // 2


def read_document(document: dict[str, Any]) -> Reading:
    """Read a document of ``sheet_json``. Strings of digits count as numbers, missing entries as empty.

    :raises UnreadableSheet: ``not_a_character``, ``other_version``, ``wrong_type`` and those of ``parsing``.
    """
    if document["format"] != sheet_json.FORMAT or not isinstance(document.get("character"), dict):
        raise UnreadableSheet("not_a_character")
    if parsing.number(document.get("version")) != sheet_json.VERSION:
        raise UnreadableSheet("other_version", version=document.get("version", "–"), known=sheet_json.VERSION)
    said = document["character"]
    hp, hp_max = parsing.points(said.get("hp"), said.get("hp_max"))
    sheet = PlainSheet(
        name=parsing.name(said.get("name")),
        concept=_text(said, "concept", CONCEPT_LENGTH),
        background=_text(said, "background", BACKGROUND_LENGTH),
        hp=hp,
        hp_max=hp_max,
        suits=_suits(said),
        skills=tuple(parsing.name(skill, what="skills") for skill in _list(said, "skills")),
        items=tuple(_item(item) for item in _list(said, "items")),
        emblem=_text(said, "emblem", EMBLEM_LENGTH),
        portrait=_portrait(said),
        faces=tuple(_faces(said)),
    )
    written = sheet_json.document(sheet)
    further = _further(document, written) + _further(said, written["character"])
    background, cut = parsing.fitting("\n\n".join(filter(None, [sheet.background, "\n".join(further)])))
    return Reading(
        replace(sheet, background=background),
        player=_text(document, "player", rules.NAME_LENGTH),
        left_over=tuple(further),
        cut=cut,
        hp_missing="hp" not in said and "hp_max" not in said,
    )


def _further(said: dict[str, Any], known: dict[str, Any]) -> list[str]:
    return [parsing.line_of(key, value) for key, value in said.items() if key not in known]


def _text(said: dict[str, Any], key: str, most: int) -> str:
    text = said.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise UnreadableSheet("wrong_type", what=key)
    if len(text) > most:
        raise UnreadableSheet("too_long", what=key, text=text, most=most)
    return text


def _portrait(said: dict[str, Any]) -> bytes:
    text = _text(said, "portrait", PORTRAIT_LENGTH)
    try:
        return _picture(text, pictures.PORTRAIT) if text else b""
    except (ValueError, pictures.PictureRefused) as error:
        raise UnreadableSheet("bad_portrait") from error


def _faces(said: dict[str, Any]) -> list[PlainFace]:
    written = _list(said, "faces", rules.FACES_AT_MOST)
    faces: list[PlainFace] = []
    for one in written:
        if not isinstance(one, dict):
            raise UnreadableSheet("wrong_type", what="faces")
        label = _label(one, [face.label for face in faces])
        try:
            picture = _picture(_text(one, "picture", FACE_LENGTH), pictures.FACE)
        except (ValueError, pictures.PictureRefused) as error:
            raise UnreadableSheet("bad_face", label=label) from error
        faces.append(PlainFace(label, picture))
    return faces


def _label(said: dict[str, Any], others: list[str]) -> str:
    try:
        label = labels.clean_label(_text(said, "label", rules.LABEL_LENGTH))
    except rules.SheetRefused as refusal:
        raise UnreadableSheet("bad_label") from refusal
    if labels.find_label(label, others) is not None:
        raise UnreadableSheet("label_twice", label=label)
    return label


def _picture(text: str, shape: pictures.Shape) -> bytes:
    """Decode and re-encode a picture, as the imported bytes may be anything."""
    return pictures.rewritten(b64decode(text, validate=True), shape).content


def _list(said: dict[str, Any], key: str, most: int = rules.ROWS_AT_MOST) -> list[Any]:
    found = said.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise UnreadableSheet("wrong_type", what=key)
    if len(found) > most:
        raise UnreadableSheet("too_many_rows", what=key, most=most)
    return found


def _suits(said: dict[str, Any]) -> str:
    suits = _list(said, "suits")
    if not all(isinstance(suit, str) and len(suit) == 1 for suit in suits):
        raise UnreadableSheet("wrong_type", what="suits")
    try:
        return rules.check_suits("".join(suits))
    except rules.SheetRefused as refusal:
        raise UnreadableSheet(
            "too_many_suits" if len(suits) > rules.SUITS_AT_MOST else "no_such_suit"
        ) from refusal


def _item(said: Any) -> PlainItem:
    if not isinstance(said, dict) or said.get("kind") not in KINDS:
        raise UnreadableSheet("wrong_type", what="items")
    special = said.get("special", False)
    table_value, quality = (parsing.number(said.get(key, 0)) for key in ("table_value", "quality"))
    if not isinstance(special, bool) or table_value is None or quality is None:
        raise UnreadableSheet("wrong_type", what="items")
    item = PlainItem(
        said["kind"], parsing.name(said.get("name"), what="items"), table_value, quality, special
    )
    try:
        rules.item_value(item.kind, item.table_value, item.quality, item.special)
    except rules.SheetRefused as refusal:
        raise UnreadableSheet("bad_item", name=item.name) from refusal
    return item
