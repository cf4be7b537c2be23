"""Reads pasted or uploaded data: sheets, pieces and rooms of Takujō and five other programs."""

from __future__ import annotations

import html
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element

from characters.exchange import (
    addresses,
    dndbeyond,
    hokanjo,
    interpreter,
    own,
    packed,
    palette,
    pieces,
    rooms,
    strict_json,
    ytsheet,
)
from characters.exchange.parsing import Reading
from characters.exchange.rooms import ImportedRoom
from characters.exchange.unreadable import UnreadableSheet
from characters.exchange.wording import Wording
from companion.files import pictures

#: The limit of pasted text.
BYTES_AT_MOST = 256_000
#: A file of ours can hold a portrait and twelve faces; one of D&D Beyond has all rules of its classes.
FILE_BYTES_AT_MOST = 1_500_000
#: A zip is mostly pictures, which are hardly read.
ZIP_BYTES_AT_MOST = 7_500_000
UDONARIUM = ("character", "room")
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
ROOM_OF_CCFOLIA = "__data.json"
A_WEB_PAGE = re.compile(
    r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body|title|meta|link|script|style|div|span|p"
    r"|pre|table|ul|ol|dl|h[1-6]|section|article|main|br|img)\b",
    re.IGNORECASE | re.DOTALL,
)
#: The first bytes of files that are no text, by the code of their refusal.
NO_TEXTS = {
    "a_pdf": re.compile(rb"%PDF-"),
    "a_picture": re.compile(
        rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|.{4}ftyp(?:hei|mif|avif)|BM.{12}\0\0", re.DOTALL
    ),
    "packed_otherwise": re.compile(rb"\x1f\x8b|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ"),
}
#: How many times JSON may be encoded as a string within JSON.
ENCODED_AT_MOST = 4
#: JSONP: ``callback({…})``.
IN_A_CALL = re.compile(r"[A-Za-z_$][\w$.]{0,80}\(\s*(\{.*\})\s*\)\s*;?", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Elsewhere:
    """The address of a sheet's data, which the user is asked to open."""

    address: str


Found = Reading | ImportedRoom | Elsewhere


def read_file(content: bytes, words: Wording, ours: str = "") -> Found:
    """Read an uploaded file. Its type is detected by its content, not by its name.

    :raises UnreadableSheet: ``too_large``, ``too_large_file``, ``not_text``, those of ``NO_TEXTS``, and those
        of zips (``packed``) and of ``read_text``.
    """
    if content.startswith(b"PK"):
        if len(content) > ZIP_BYTES_AT_MOST:
            raise UnreadableSheet("too_large")
        return _zip(content, words, ours)
    if len(content) > FILE_BYTES_AT_MOST:
        raise UnreadableSheet("too_large_file")
    for code, begins in NO_TEXTS.items():
        if begins.match(content):
            raise UnreadableSheet(code)
    if content.lstrip().startswith(b"<") and not A_WEB_PAGE.match(content.decode("utf-8", "replace")):
        return _xml(content, words, ours)
    try:
        return read_text(packed.decode_text(content), words, ours, FILE_BYTES_AT_MOST)
    except UnicodeDecodeError as error:
        raise UnreadableSheet("not_text") from error


def read_text(text: str, words: Wording, ours: str = "", most: int = BYTES_AT_MOST) -> Found:
    """Read pasted text.

    :param words: the labels of lines that were not understood and go into the background.
    :param ours: our own origin. A piece's link to it is dropped.
    :param most: the limit in bytes.
    :raises UnreadableSheet: ``empty``, ``too_large``, ``a_web_page``, ``no_data``, ``not_a_character``, and
        those of the formats.
    """
    text = text.strip().removeprefix("\ufeff")
    strict_json.check_text(text)
    if not text:
        raise UnreadableSheet("empty")
    if len(text.encode()) > most:
        raise UnreadableSheet("too_large" if most == BYTES_AT_MOST else "too_large_file")
    if len(text) > BYTES_AT_MOST and text.count("{") + text.count("[") > packed.PARTS:
        raise UnreadableSheet("too_many_parts")
    if address := addresses.data_address(text):
        return Elsewhere(address)
    if A_WEB_PAGE.match(text):
        return _list(_in_a_web_page(text), words, ours)
    if text.startswith("<"):
        return _xml(text, words, ours)
    if match := IN_A_CALL.fullmatch(text):
        text = match[1]
    try:
        value = _value(text)
    except UnreadableSheet as error:
        if error.code != "not_json":
            raise
        value = strict_json.find_objects(text, _is_known)
        if not value and palette.is_palette(text):
            raise UnreadableSheet("a_palette") from error
        if not value and not text.startswith(("{", "[", '"')):
            raise UnreadableSheet("no_data") from error
        if not value:
            raise
    if isinstance(value, list):
        return _list(value, words, ours)
    if not isinstance(value, dict):
        raise UnreadableSheet("not_a_character")
    return _json(value, words, ours)


def _value(text: str) -> Any:
    """Return the value of a JSON text, decoding JSON strings that hold JSON again.

    :raises UnreadableSheet: those of ``strict_json.loads``.
    """
    value = strict_json.loads(text)
    for _ in range(ENCODED_AT_MOST):
        if not isinstance(value, str) or not value.startswith(("{", "[", '"')):
            break
        value = strict_json.loads(value)
    return value


def _in_a_web_page(text: str) -> list[dict[str, Any]]:
    """Return the characters whose data is embedded in a saved web page.

    :raises UnreadableSheet: ``a_web_page``.
    """
    found = []
    with suppress(UnreadableSheet):  # from a script in the page
        found = strict_json.find_objects(html.unescape(text), _is_known)
    if not found:
        raise UnreadableSheet("a_web_page")
    return found


def _list(values: list[Any], words: Wording, ours: str) -> Found:
    """Read the only character of a list, or return a room of several to choose from."""
    found = [each for each in values if isinstance(each, dict) and _is_known(each)]
    if len(found) == 1:
        return _json(found[0], words, ours)
    if not found:
        raise UnreadableSheet("not_a_character" if values else "empty_list")
    return rooms.of_documents(found)


def _is_known(document: dict[str, Any]) -> bool:
    """True for a document of a single character in a known format, not of a room."""
    return (
        "format" in document
        or _is_piece(document)
        or hokanjo.is_hokanjo(document)
        or ytsheet.is_ytsheet(document)
        or dndbeyond.character_of(document) is not None
    )


def _is_piece(document: dict[str, Any]) -> bool:
    return document.get("kind") == "character" and isinstance(document.get("data"), dict)


def _json(document: dict[str, Any], words: Wording, ours: str) -> Found:
    if "format" in document:
        return own.read_document(document)
    if _is_piece(document):
        return interpreter.sheet_of(pieces.from_ccfolia(document["data"]), words, ours)
    if hokanjo.is_hokanjo(document):
        return interpreter.sheet_of(hokanjo.from_hokanjo(document), words, ours)
    if ytsheet.is_ytsheet(document):
        return interpreter.sheet_of(ytsheet.from_ytsheet(document), words, ours)
    if character := dndbeyond.character_of(document):
        return interpreter.sheet_of(dndbeyond.from_dndbeyond(character), words, ours)
    if "entities" not in document:
        raise UnreadableSheet("not_a_character")
    characters = rooms.in_ccfolia(document)
    if len(characters) == 1:
        return interpreter.sheet_of(pieces.from_ccfolia(characters[0]), words, ours)
    return _not_empty(rooms.of_ccfolia(characters))


def _xml(document: bytes | str, words: Wording, ours: str) -> Found:
    return _tree(packed.root(document), words, ours)


def _tree(root: Element, words: Wording, ours: str) -> Found:
    if root.tag not in UDONARIUM:
        raise UnreadableSheet("not_a_character")
    if not len(root) and not (root.text or "").strip():
        raise UnreadableSheet("empty_room" if root.tag == "room" else "xml_empty")
    characters = rooms.in_udonarium(root)
    if len(characters) == 1:
        return interpreter.sheet_of(pieces.from_udonarium(characters[0]), words, ours)
    return _not_empty(rooms.of_udonarium(characters))


def _not_empty(room: ImportedRoom) -> ImportedRoom:
    """Return the room unchanged if it has characters.

    :raises UnreadableSheet: ``empty_room``.
    """
    if not room.characters:
        raise UnreadableSheet("empty_room")
    return room


def _zip(content: bytes, words: Wording, ours: str) -> Found:
    """Read the first file with characters. A room of Udonarium also has files for log and settings."""
    for document in packed.documents(content):
        root = packed.root(document)
        if root.tag in UDONARIUM and rooms.in_udonarium(root):
            return _with_picture(_tree(root, words, ours), root, content)
    if room := room_of_ccfolia(content):
        return _json(room, words, ours)
    raise UnreadableSheet("no_character_in_zip")


def _with_picture(found: Found, root: Element, content: bytes) -> Found:
    """Add the picture from the zip to a character of another game, if it can be read.

    Our own pieces keep their portrait, since without one their zip holds only the default disc.
    """
    if not isinstance(found, Reading) or not found.person:
        return found
    said = (data.text for data in root.iter("data") if data.get("name") == "imageIdentifier")
    endings = tuple(f"{name}{ending}".lower() for name in said if name for ending in PICTURES)
    with suppress(UnreadableSheet, pictures.PictureRefused):
        for picture in packed.members(content, endings, packed.ROOM).values():
            portrait = pictures.rewritten(picture, pictures.PORTRAIT).content
            return replace(found, sheet=replace(found.sheet, portrait=portrait))
    return found


def room_of_ccfolia(content: bytes) -> dict[str, Any] | None:
    """Return the JSON of a room of CCFOLIA in a zip; None for other zips.

    :raises UnreadableSheet: those of ``packed.members`` and of JSON; ``too_many_parts``, ``not_a_character``.
    """
    for name, document in packed.members(content, ".json", packed.ROOM).items():
        if name.rpartition("/")[2] == ROOM_OF_CCFOLIA:
            if document.count(b"{") + document.count(b"[") > packed.PARTS:
                raise UnreadableSheet("too_many_parts")
            value = strict_json.loads(document.decode("utf-8-sig", "replace"))
            if not isinstance(value, dict):
                raise UnreadableSheet("not_a_character")
            return value
    return None
