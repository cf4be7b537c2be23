"""Parsers for JSON, XML and zips from users, with limits.

JSON may have no duplicate keys, and its depth and the length of its numbers are limited. Zips and XML have
limits of bytes, members, elements and compression ratio.
"""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers.expat.errors import XML_ERROR_NO_ELEMENTS, codes

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from characters.exchange.parsing import UnreadableSheet

JSON_DEPTH = 20
DIGITS = 15
#: The number of braces in a text that are tried as the start of an object.
TRIES = 200
#: The methods that all tools use. Others are refused, as they unpack whole blocks for even a short read.
PACKED_BY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Greatest compression ratio beyond the first ``FREE`` bytes: real text never packs to under a hundredth.
RATIO, FREE = 100, 1_000_000


def parse_json(text: str) -> Any:
    """Return the value of a JSON text.

    Refusals: ``not_json``, ``duplicate_key``, ``not_a_number``, ``number_too_long``, ``too_deep``,
    ``bad_characters``.
    """
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableSheet("not_json", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise UnreadableSheet("too_deep") from error
    _check_value(value)
    return value


def find_objects(text: str, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Return the JSON objects in any text that satisfy ``wanted``, in its order.

    Refusals: those of ``parse_json``, but for ``not_json``.
    """
    found, at = [], 0
    for _ in range(TRIES):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, end = DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            at = max(at + 1, error.pos)  # never parse the same text twice
            continue
        except RecursionError as error:
            raise UnreadableSheet("too_deep") from error
        at = end
        if wanted(value):
            _check_value(value)
            found.append(value)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UnreadableSheet("duplicate_key", key=key)
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise UnreadableSheet("number_too_long", number=digits)
    return int(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _constant(digits)


def _constant(name: str) -> NoReturn:
    raise UnreadableSheet("not_a_number", number=name)


def _check_value(value: Any) -> None:
    """Refuse values that are nested too deep, and strings with invalid characters."""
    left = [(value, 1)]
    while left:
        found, depth = left.pop()
        if depth > JSON_DEPTH:
            raise UnreadableSheet("too_deep")
        if isinstance(found, str):
            check_text(found)
        elif isinstance(found, list):
            left += [(inner, depth + 1) for inner in found]
        elif isinstance(found, dict):
            left += [(inner, depth + 1) for pair in found.items() for inner in pair]


DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)


def check_text(text: str) -> None:
    """Refuse NUL and lone surrogates. Refusals: ``bad_characters``."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UnreadableSheet("bad_characters")


@dataclass(frozen=True)
class Bounds:
    """The limits of a zip: number of members, and total unpacked bytes."""

    members: int
    bytes: int


#: A room has a member for each picture, and a few kilobytes of XML for each character.
ROOM_BOUNDS = Bounds(members=2_000, bytes=2_000_000)


def unzip_xml(packed: bytes) -> Iterator[bytes]:
    """Yield the XML files of a zip, Udonarium's ``data.xml`` first.

    They are unpacked lazily: a room's log is not unpacked once its characters are found.
    """
    with _open_zip(packed, ROOM_BOUNDS) as archive:
        entries = [entry for entry in archive.infolist() if entry.filename.lower().endswith(".xml")]
        entries.sort(key=lambda entry: entry.filename.rpartition("/")[2] != "data.xml")
        left = _unpacked_at_most(packed, ROOM_BOUNDS)
        for entry in entries:
            for document in _unpack(archive, [entry], left).values():
                left -= len(document)
                yield document


def unzip_members(packed: bytes, endings: str | tuple[str, ...], bounds: Bounds) -> dict[str, bytes]:
    """Return the files of a zip with one of these endings, by name.

    Refusals: ``zip_broken``, ``zip_too_large``, ``zip_packed_otherwise``.
    """
    with _open_zip(packed, bounds) as archive:
        wanted = [entry for entry in archive.infolist() if entry.filename.lower().endswith(endings)]
        return _unpack(archive, wanted, _unpacked_at_most(packed, bounds))


def _unpacked_at_most(packed: bytes, bounds: Bounds) -> int:
    return min(bounds.bytes, FREE + RATIO * len(packed))


@contextmanager
def _open_zip(packed: bytes, bounds: Bounds) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            if len(archive.infolist()) > bounds.members:
                raise UnreadableSheet("zip_too_large")
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError) as error:
        raise UnreadableSheet("zip_broken") from error


def _unpack(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], left: int) -> dict[str, bytes]:
    if any(entry.compress_type not in PACKED_BY for entry in entries):
        raise UnreadableSheet("zip_packed_otherwise")
    found = {}
    for entry in entries:
        # The size that an entry declares may be wrong.
        with archive.open(entry) as file:
            document = file.read(left + 1)
        left -= len(document)
        if left < 0:
            raise UnreadableSheet("zip_too_large")
        found[entry.filename] = document
    return found


UTF16_WITHOUT_MARK = re.compile(rb"[\t-~]\0[^\0]|\0[\t-~]\0?[^\0]")
ISO_2022_JP = re.compile(rb"\x1b\$[@B]")
KANA = re.compile("[ぁ-んァ-ヶ]")
#: Control characters, and the characters for bytes that cp932 does not define.
NO_SHIFT_JIS = re.compile("[\x00-\x08\x0e-\x1f\x80-\x9f\ue000-\uf8ff]")


def decode_text(content: bytes) -> str:
    """Decode a file in UTF-8, UTF-16, ISO-2022-JP, EUC-JP or Windows' Shift_JIS (cp932).

    :raises UnicodeDecodeError: the encoding is none of these, or ambiguous.
    """
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return content.decode("utf-16")
    if UTF16_WITHOUT_MARK.match(content):
        return content.decode("utf-16-be" if content.startswith(b"\0") else "utf-16-le")
    if ISO_2022_JP.search(content):
        return content.decode("iso2022_jp")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Japanese in EUC-JP would decode as Shift_JIS, too, into half-width kana and rare characters.
        if (text := _in_euc_jp(content)) is not None:
            if KANA.search(text):
                return text
            raise
        text = content.decode("cp932")
        if NO_SHIFT_JIS.search(text):
            raise
        return text


def _in_euc_jp(content: bytes) -> str | None:
    try:
        return content.decode("euc_jp")
    except UnicodeDecodeError:
        return None


#: The greatest number of elements of a document, and the greatest nesting depth.
PARTS, XML_DEPTH = 50_000, 100
ELEMENT = re.compile(r"<\w")
#: Programs that build XML by joining strings leave these characters unescaped.
BARE_AMPERSAND = re.compile(r"&(?!(?:#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);)")
BARE_LESS = re.compile(r"<(?![A-Za-z/!?])")
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def parse_xml(document: bytes | str) -> Element:
    """Parse an XML document without doctype and entities.

    A broken one is parsed again without control characters and with bare ``&`` and ``<`` escaped.
    Refusals: ``xml_broken``, ``xml_forbidden``, ``xml_empty``, ``too_many_parts``, ``too_deep``.
    """
    try:
        return _parse_xml(document)
    except ParseError as error:
        if error.code == codes[XML_ERROR_NO_ELEMENTS] and not ELEMENT.search(str(document)):
            raise UnreadableSheet("xml_empty") from error
        line, column = error.position
        broken = UnreadableSheet("xml_broken", line=line, column=column + 1)
    except (ValueError, LookupError):  # an encoding that does not exist, or that the parser does not support
        broken = UnreadableSheet("xml_broken", line=1, column=1)
    try:
        text = document if isinstance(document, str) else decode_text(document)
        return _parse_xml(BARE_LESS.sub("&lt;", BARE_AMPERSAND.sub("&amp;", NO_XML.sub("", text))))
    except (ParseError, ValueError, LookupError) as error:
        raise broken from error


def _parse_xml(document: bytes | str) -> Element:
    parser = DefusedXMLParser(target=_BoundedBuilder(), forbid_dtd=True)
    try:
        parser.feed(document)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise UnreadableSheet("xml_forbidden") from error
    return root


class _BoundedBuilder(TreeBuilder):
    """Tree builder that limits the number of elements and their depth."""

    def __init__(self) -> None:
        super().__init__()
        self._parts = self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._parts += 1
        self._depth += 1
        if self._parts > PARTS:
            raise UnreadableSheet("too_many_parts")
        if self._depth > XML_DEPTH:
            raise UnreadableSheet("too_deep")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)
