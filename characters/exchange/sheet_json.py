"""Our own format: the complete sheet with a version number, written and read.

An import restores the sheet exactly. It refuses invalid data, naming the field.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from characters import rules
from characters.exchange import parsing, plain
from characters.exchange.parsing import Reading, UnreadableSheet
from characters.exchange.plain import PlainFace, PlainItem, PlainSheet
from companion.files import pictures

FORMAT = "takujo.character"
VERSION = 1
EMBLEM_LENGTH = 8
#: An upper bound of the base64 length of the largest portrait.
PORTRAIT_LENGTH = pictures.PORTRAIT.bytes * 3 // 2
FACE_LENGTH = pictures.FACE.bytes * 3 // 2


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
            "items": [{**asdict(item), "value": item.value} for item in sheet.items],
        },
    }


def document_text(document: dict[str, Any]) -> str:
    """Return the document as indented, human-readable JSON."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def read_document(document: dict[str, Any]) -> Reading:
    """Read a document of ``sheet_json``. Strings of digits count as numbers, missing entries as empty.

    Refusals: ``not_a_character``, ``other_version``, ``wrong_type`` and those of ``parsing``.
    """
    if document["format"] != FORMAT or not isinstance(document.get("character"), dict):
        raise UnreadableSheet("not_a_character")
    if parsing.number(document.get("version")) != VERSION:
        raise UnreadableSheet("other_version", version=document.get("version", "–"), known=VERSION)
    said = document["character"]
    hp, hp_max = parsing.points(said.get("hp"), said.get("hp_max"))
    sheet = PlainSheet(
        name=parsing.name(said.get("name")),
        concept=_read_text(said, "concept", rules.CONCEPT_LENGTH),
        background=_read_text(said, "background", rules.BACKGROUND_LENGTH),
        hp=hp,
        hp_max=hp_max,
        suits=_read_suits(said),
        skills=tuple(parsing.name(skill, what="skills") for skill in _read_list(said, "skills")),
        items=tuple(_read_item(item) for item in _read_list(said, "items")),
        emblem=_read_text(said, "emblem", EMBLEM_LENGTH),
        portrait=_read_portrait(said),
        faces=tuple(_read_faces(said)),
    )
    written = write_document(sheet)
    further = _unknown_lines(document, written) + _unknown_lines(said, written["character"])
    background, cut = parsing.fitting("\n\n".join(filter(None, [sheet.background, "\n".join(further)])))
    return Reading(
        replace(sheet, background=background),
        player=_read_text(document, "player", rules.NAME_LENGTH),
        left_over=tuple(further),
        cut=cut,
        hp_missing="hp" not in said and "hp_max" not in said,
    )


def _unknown_lines(said: dict[str, Any], known: dict[str, Any]) -> list[str]:
    return [parsing.line_of(key, value) for key, value in said.items() if key not in known]


def _read_text(said: dict[str, Any], key: str, most: int) -> str:
    text = said.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise UnreadableSheet("wrong_type", what=key)
    if len(text) > most:
        raise UnreadableSheet("too_long", what=key, text=text, most=most)
    return text


@contextmanager
def _refusals_as(code: str, **details: object) -> Iterator[None]:
    """Raise ``UnreadableSheet`` if the rules refuse a value, or if a picture cannot be read."""
    try:
        yield
    except (rules.SheetRefused, pictures.PictureRefused, ValueError) as error:
        raise UnreadableSheet(code, **details) from error


def _read_portrait(said: dict[str, Any]) -> bytes:
    text = _read_text(said, "portrait", PORTRAIT_LENGTH)
    with _refusals_as("bad_portrait"):
        return _decode_picture(text, pictures.PORTRAIT) if text else b""


def _read_faces(said: dict[str, Any]) -> list[PlainFace]:
    faces: list[PlainFace] = []
    for written in _read_list(said, "faces", rules.FACES_AT_MOST):
        if not isinstance(written, dict):
            raise UnreadableSheet("wrong_type", what="faces")
        with _refusals_as("bad_label"):
            label = parsing.clean_label(_read_text(written, "label", rules.LABEL_LENGTH))
        if parsing.find_label(label, (face.label for face in faces)) is not None:
            raise UnreadableSheet("label_twice", label=label)
        with _refusals_as("bad_face", label=label):
            picture = _decode_picture(_read_text(written, "picture", FACE_LENGTH), pictures.FACE)
        faces.append(PlainFace(label, picture))
    return faces


def _decode_picture(text: str, shape: pictures.Shape) -> bytes:
    """Decode and re-encode a picture, as the imported bytes may be anything."""
    return pictures.rewritten(b64decode(text, validate=True), shape).content


def _read_list(said: dict[str, Any], key: str, most: int = rules.ROWS_AT_MOST) -> list[Any]:
    found = said.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise UnreadableSheet("wrong_type", what=key)
    if len(found) > most:
        raise UnreadableSheet("too_many_rows", what=key, most=most)
    return found


def _read_suits(said: dict[str, Any]) -> str:
    suits = _read_list(said, "suits")
    if not all(isinstance(suit, str) and len(suit) == 1 for suit in suits):
        raise UnreadableSheet("wrong_type", what="suits")
    with _refusals_as("too_many_suits" if len(suits) > rules.SUITS_AT_MOST else "no_such_suit"):
        return rules.check_suits("".join(suits))


def _read_item(said: Any) -> PlainItem:
    if not isinstance(said, dict) or said.get("kind") not in plain.KINDS:
        raise UnreadableSheet("wrong_type", what="items")
    special = said.get("special", False)
    table_value, quality = (parsing.number(said.get(key, 0)) for key in ("table_value", "quality"))
    if not isinstance(special, bool) or table_value is None or quality is None:
        raise UnreadableSheet("wrong_type", what="items")
    name = parsing.name(said.get("name"), what="items")
    with _refusals_as("bad_item", name=name):
        rules.item_value(said["kind"], table_value, quality, special)
    return PlainItem(said["kind"], name, table_value, quality, special)
