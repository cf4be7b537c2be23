"""Reads pasted or uploaded data: sheets, pieces and rooms of Takujō and four other programs.

Each character of a room can be imported by itself.
"""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element, tostring

from characters.exchange import ccfolia, interpreter, pieces, safe_parsers, sheet_json, sheet_sites
from characters.exchange.parsing import Reading, UnreadableSheet, visible
from characters.exchange.wording import Wording
from companion.files import pictures

#: The limit of pasted text.
BYTES_AT_MOST = 256_000
#: A file of ours can hold a portrait and twelve faces.
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
class RoomCharacter:
    """A character of a room: its name for the choice, and its own data as text."""

    name: str
    text: str


@dataclass(frozen=True)
class ImportedRoom:
    """The characters of a room, in its order."""

    characters: tuple[RoomCharacter, ...]


def udonarium_characters(root: Element) -> list[Element]:
    """Return the characters in an XML document, at any depth."""
    return [root] if root.tag == "character" else list(root.iter("character"))


def ccfolia_characters(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the characters of the ``__data.json`` of a room of CCFOLIA."""
    entities = document.get("entities")
    found = entities.get("characters") if isinstance(entities, dict) else None
    characters = found.values() if isinstance(found, dict) else []
    return [character for character in characters if isinstance(character, dict)]


def udonarium_room(characters: list[Element]) -> ImportedRoom:
    """Return the room of these elements."""
    return ImportedRoom(
        tuple(RoomCharacter(_udonarium_name(each), tostring(each, "unicode")) for each in characters)
    )


def ccfolia_room(characters: list[dict[str, Any]]) -> ImportedRoom:
    """Return the room of these ``data`` objects."""
    return ImportedRoom(
        tuple(RoomCharacter(visible(each.get("name")), _clipboard_piece(each)) for each in characters)
    )


def _udonarium_name(character: Element) -> str:
    names = (data.text or "" for data in character.iter("data") if data.get("name") == "name")
    return visible(next(names, ""))


def _clipboard_piece(character: dict[str, Any]) -> str:
    return json.dumps({"kind": "character", "data": character}, ensure_ascii=False)


def room_of_documents(documents: list[dict[str, Any]]) -> ImportedRoom:
    """Return a room of a list of documents, which may come from different programs."""
    return ImportedRoom(
        tuple(RoomCharacter(_document_name(each), json.dumps(each, ensure_ascii=False)) for each in documents)
    )


def _document_name(document: dict[str, Any]) -> str:
    inner = (document.get(key) for key in ("data", "character"))
    places = [document, *(each for each in inner if isinstance(each, dict))]
    names = (place.get(key) for place in places for key in ("name", "characterName", "pc_name", "aka"))
    return next(filter(None, map(visible, names)), "")


@dataclass(frozen=True)
class Elsewhere:
    """The address of a sheet's data, which the user is asked to open."""

    address: str


Found = Reading | ImportedRoom | Elsewhere


def read_file(content: bytes, words: Wording, ours: str = "") -> Found:
    """Read an uploaded file. Its type is detected by its content, not by its name.

    :raises UnreadableSheet: ``too_large``, ``too_large_file``, ``not_text``, those of ``NO_TEXTS``, and those
        of zips (``safe_parsers``) and of ``read_text``.
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
        return read_text(safe_parsers.decode_text(content), words, ours, FILE_BYTES_AT_MOST)
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
    safe_parsers.check_text(text)
    if not text:
        raise UnreadableSheet("empty")
    if len(text.encode()) > most:
        raise UnreadableSheet("too_large" if most == BYTES_AT_MOST else "too_large_file")
    if len(text) > BYTES_AT_MOST and text.count("{") + text.count("[") > safe_parsers.PARTS:
        raise UnreadableSheet("too_many_parts")
    if address := sheet_sites.data_address(text):
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
        value = safe_parsers.find_objects(text, _is_known)
        if not value and ccfolia.is_palette(text):
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

    :raises UnreadableSheet: those of ``safe_parsers.parse_json``.
    """
    value = safe_parsers.parse_json(text)
    for _ in range(ENCODED_AT_MOST):
        if not isinstance(value, str) or not value.startswith(("{", "[", '"')):
            break
        value = safe_parsers.parse_json(value)
    return value


def _in_a_web_page(text: str) -> list[dict[str, Any]]:
    """Return the characters whose data is embedded in a saved web page.

    :raises UnreadableSheet: ``a_web_page``.
    """
    found = []
    with suppress(UnreadableSheet):  # from a script in the page
        found = safe_parsers.find_objects(html.unescape(text), _is_known)
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
    return room_of_documents(found)


def _is_known(document: dict[str, Any]) -> bool:
    """True for a document of a single character in a known format, not of a room."""
    return (
        "format" in document
        or _is_piece(document)
        or sheet_sites.is_hokanjo(document)
        or sheet_sites.is_ytsheet(document)
    )


def _is_piece(document: dict[str, Any]) -> bool:
    return document.get("kind") == "character" and isinstance(document.get("data"), dict)


def _json(document: dict[str, Any], words: Wording, ours: str) -> Found:
    if "format" in document:
        return sheet_json.read_document(document)
    if _is_piece(document):
        return interpreter.sheet_of(pieces.from_ccfolia(document["data"]), words, ours)
    if sheet_sites.is_hokanjo(document):
        return interpreter.sheet_of(sheet_sites.from_hokanjo(document), words, ours)
    if sheet_sites.is_ytsheet(document):
        return interpreter.sheet_of(sheet_sites.from_ytsheet(document), words, ours)
    if "entities" not in document:
        raise UnreadableSheet("not_a_character")
    characters = ccfolia_characters(document)
    if len(characters) == 1:
        return interpreter.sheet_of(pieces.from_ccfolia(characters[0]), words, ours)
    return _not_empty(ccfolia_room(characters))


def _xml(document: bytes | str, words: Wording, ours: str) -> Found:
    return _tree(safe_parsers.parse_xml(document), words, ours)


def _tree(root: Element, words: Wording, ours: str) -> Found:
    if root.tag not in UDONARIUM:
        raise UnreadableSheet("not_a_character")
    if not len(root) and not (root.text or "").strip():
        raise UnreadableSheet("empty_room" if root.tag == "room" else "xml_empty")
    characters = udonarium_characters(root)
    if len(characters) == 1:
        return interpreter.sheet_of(pieces.from_udonarium(characters[0]), words, ours)
    return _not_empty(udonarium_room(characters))


def _not_empty(room: ImportedRoom) -> ImportedRoom:
    """Return the room unchanged if it has characters.

    :raises UnreadableSheet: ``empty_room``.
    """
    if not room.characters:
        raise UnreadableSheet("empty_room")
    return room


def _zip(content: bytes, words: Wording, ours: str) -> Found:
    """Read the first file with characters. A room of Udonarium also has files for log and settings."""
    for document in safe_parsers.unzip_xml(content):
        root = safe_parsers.parse_xml(document)
        if root.tag in UDONARIUM and udonarium_characters(root):
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
        for picture in safe_parsers.unzip_members(content, endings, safe_parsers.ROOM_BOUNDS).values():
            portrait = pictures.rewritten(picture, pictures.PORTRAIT).content
            return replace(found, sheet=replace(found.sheet, portrait=portrait))
    return found


def room_of_ccfolia(content: bytes) -> dict[str, Any] | None:
    """Return the JSON of a room of CCFOLIA in a zip; None for other zips.

    :raises UnreadableSheet: those of ``safe_parsers.unzip_members`` and of JSON; ``too_many_parts``,
        ``not_a_character``."""
    for name, document in safe_parsers.unzip_members(content, ".json", safe_parsers.ROOM_BOUNDS).items():
        if name.rpartition("/")[2] == ROOM_OF_CCFOLIA:
            if document.count(b"{") + document.count(b"[") > safe_parsers.PARTS:
                raise UnreadableSheet("too_many_parts")
            value = safe_parsers.parse_json(document.decode("utf-8-sig", "replace"))
            if not isinstance(value, dict):
                raise UnreadableSheet("not_a_character")
            return value
    return None
