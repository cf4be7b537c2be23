"""Reads pasted or uploaded data: sheets, pieces and rooms of Takujō and four other programs.

Each character of a room can be imported by itself.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element, tostring

from characters.exchange import ccfolia, interpreter, pieces, safe_parsers, sheet_json, sheet_sites
from characters.exchange.parsing import Reading, UnreadableSheet, visible
from characters.exchange.pieces import Piece
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
JSON_BEGINS = ("{", "[", '"')
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


@dataclass(frozen=True)
class Elsewhere:
    """The address of a sheet's data, which the user is asked to open."""

    address: str


Found = Reading | ImportedRoom | Elsewhere


def read_file(content: bytes, words: Wording, ours: str = "") -> Found:
    """Read an uploaded file. Its type is detected by its content, not by its name.

    Refusals: ``too_large``, ``too_large_file``, ``not_text``, those of ``NO_TEXTS``, and those of zips
    (``safe_parsers``) and of ``read_text``.

    :param words: the labels of lines that were not understood and go into the background.
    :param ours: our own origin. A piece's link to it is dropped.
    """
    if content.startswith(b"PK"):
        if len(content) > ZIP_BYTES_AT_MOST:
            raise UnreadableSheet("too_large")
        return _read_zip(content, words, ours)
    if len(content) > FILE_BYTES_AT_MOST:
        raise UnreadableSheet("too_large_file")
    for code, begins in NO_TEXTS.items():
        if begins.match(content):
            raise UnreadableSheet(code)
    if content.lstrip().startswith(b"<") and not A_WEB_PAGE.match(content.decode("utf-8", "replace")):
        return _interpret(_read_xml(safe_parsers.parse_xml(content)), words, ours)
    try:
        text = safe_parsers.decode_text(content)
    except UnicodeDecodeError as error:
        raise UnreadableSheet("not_text") from error
    return _interpret(_read_text(text, FILE_BYTES_AT_MOST), words, ours)


def read_text(text: str, words: Wording, ours: str = "") -> Found:
    """Read pasted text; the parameters are those of ``read_file``.

    Refusals: ``empty``, ``too_large``, ``a_web_page``, ``no_data``, ``not_a_character``, and
    those of the formats.
    """
    return _interpret(_read_text(text, BYTES_AT_MOST), words, ours)


def _interpret(found: Found | Piece, words: Wording, ours: str) -> Found:
    return interpreter.interpret_piece(found, words, ours) if isinstance(found, Piece) else found


def _read_text(text: str, most: int) -> Found | Piece:
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
        return _read_list(_find_in_web_page(text))
    if text.startswith("<"):
        return _read_xml(safe_parsers.parse_xml(text))
    if match := IN_A_CALL.fullmatch(text):
        text = match[1]
    value = _find_json(text)
    if isinstance(value, list):
        return _read_list(value)
    if not isinstance(value, dict):
        raise UnreadableSheet("not_a_character")
    return _read_document(value)


def _find_json(text: str) -> Any:
    """Return the value of a JSON text, or the known documents within another text."""
    try:
        value = safe_parsers.parse_json(text)
        for _ in range(ENCODED_AT_MOST):
            if not isinstance(value, str) or not value.startswith(JSON_BEGINS):
                break
            value = safe_parsers.parse_json(value)
        return value
    except UnreadableSheet as error:
        if error.code != "not_json":
            raise
        if found := safe_parsers.find_objects(text, _is_known):
            return found
        if ccfolia.is_palette(text):
            raise UnreadableSheet("a_palette") from error
        if not text.startswith(JSON_BEGINS):
            raise UnreadableSheet("no_data") from error
        raise


def _find_in_web_page(text: str) -> list[dict[str, Any]]:
    """Return the characters whose data is embedded in a saved web page."""
    found = []
    with suppress(UnreadableSheet):  # from a script in the page
        found = safe_parsers.find_objects(html.unescape(text), _is_known)
    if not found:
        raise UnreadableSheet("a_web_page")
    return found


def _read_list(values: list[Any]) -> Found | Piece:
    """Read the only character of a list, or return a room of several to choose from."""
    found = [each for each in values if isinstance(each, dict) and _is_known(each)]
    if len(found) == 1:
        return _read_document(found[0])
    if not found:
        raise UnreadableSheet("not_a_character" if values else "empty_list")
    return _room(RoomCharacter(_document_name(each), _json_text(each)) for each in found)


def _document_name(document: dict[str, Any]) -> str:
    inner = (document.get(key) for key in ("data", "character"))
    places = [document, *(each for each in inner if isinstance(each, dict))]
    names = (place.get(key) for place in places for key in ("name", "characterName", "pc_name", "aka"))
    return next(filter(None, map(visible, names)), "")


def _json_text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)


def _room(characters: Iterable[RoomCharacter]) -> ImportedRoom:
    room = ImportedRoom(tuple(characters))
    if not room.characters:
        raise UnreadableSheet("empty_room")
    return room


def _is_piece(document: dict[str, Any]) -> bool:
    return document.get("kind") == "character" and isinstance(document.get("data"), dict)


#: The formats of a document of one character: a test, and the reader.
FORMATS: list[tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any]], Reading | Piece]]] = [
    (lambda document: "format" in document, sheet_json.read_document),
    (_is_piece, lambda document: pieces.from_ccfolia(document["data"])),
    (sheet_sites.is_hokanjo, sheet_sites.from_hokanjo),
    (sheet_sites.is_ytsheet, sheet_sites.from_ytsheet),
]


def _is_known(document: dict[str, Any]) -> bool:
    """True for a document of a single character in a known format, not of a room."""
    return any(matches(document) for matches, _ in FORMATS)


def _read_document(document: dict[str, Any]) -> Found | Piece:
    """Read a document of one character, or a room of CCFOLIA."""
    for matches, read in FORMATS:
        if matches(document):
            return read(document)
    if "entities" not in document:
        raise UnreadableSheet("not_a_character")
    entities = document["entities"]
    found = entities.get("characters") if isinstance(entities, dict) else None
    by_id = found if isinstance(found, dict) else {}
    characters = [each for each in by_id.values() if isinstance(each, dict)]
    if len(characters) == 1:
        return pieces.from_ccfolia(characters[0])
    return _room(
        RoomCharacter(visible(each.get("name")), _json_text({"kind": "character", "data": each}))
        for each in characters
    )


def _read_xml(root: Element) -> Found | Piece:
    if root.tag not in UDONARIUM:
        raise UnreadableSheet("not_a_character")
    if not len(root) and not (root.text or "").strip():
        raise UnreadableSheet("empty_room" if root.tag == "room" else "xml_empty")
    characters = list(root.iter("character"))
    if len(characters) == 1 or root.tag == "character":
        return pieces.from_udonarium(characters[0])
    return _room(
        RoomCharacter(visible(each.findtext(".//data[@name='name']")), tostring(each, "unicode"))
        for each in characters
    )


def _read_zip(content: bytes, words: Wording, ours: str) -> Found:
    """Read the first file with characters. A room of Udonarium also has files for log and settings."""
    for document in safe_parsers.unzip_xml(content):
        root = safe_parsers.parse_xml(document)
        if root.tag in UDONARIUM and next(root.iter("character"), None) is not None:
            return _with_picture(_interpret(_read_xml(root), words, ours), root, content)
    if room := room_of_ccfolia(content):
        return _interpret(_read_document(room), words, ours)
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

    Refusals: those of ``safe_parsers.unzip_members`` and of JSON; ``too_many_parts``, ``not_a_character``.
    """
    for name, document in safe_parsers.unzip_members(content, ".json", safe_parsers.ROOM_BOUNDS).items():
        if name.rpartition("/")[2] == ROOM_OF_CCFOLIA:
            if document.count(b"{") + document.count(b"[") > safe_parsers.PARTS:
                raise UnreadableSheet("too_many_parts")
            value = safe_parsers.parse_json(document.decode("utf-8-sig", "replace"))
            if not isinstance(value, dict):
                raise UnreadableSheet("not_a_character")
            return value
    return None
