"""Reads what people paste or upload: our own JSON, a piece of CCFOLIA, a character of Udonarium."""

from __future__ import annotations

from characters.exchange import interpreter, own, packed, pieces, strict_json
from characters.exchange.parsing import Reading
from characters.exchange.unreadable import Unreadable
from characters.exchange.wording import Wording

BYTES_AT_MOST = 256_000


def read_file(content: bytes, words: Wording, ours: str = "") -> Reading:
    """Read an uploaded file, whatever it is called.

    :raises Unreadable: ``too_large``, ``not_text``, those of ``packed.documents`` and of ``read_text``.
    """
    if len(content) > BYTES_AT_MOST:
        raise Unreadable("too_large")
    if content.startswith(b"PK"):
        for document in packed.documents(content):
            root = packed.root(document)
            if root.tag == "character":
                return interpreter.sheet_of(pieces.from_udonarium(root), words, ours)
        raise Unreadable("no_character_in_zip")
    if content.lstrip().startswith(b"<"):
        return _xml(content, words, ours)
    try:
        return read_text(content.decode("utf-8-sig"), words, ours)
    except UnicodeDecodeError as error:
        raise Unreadable("not_text") from error


def read_text(text: str, words: Wording, ours: str = "") -> Reading:
    """Read pasted text.

    :param words: the labels of lines that were not understood and go into the background.
    :param ours: our own origin. A link of a piece back to us is dropped.
    :raises Unreadable: ``empty``, ``too_large``, ``not_a_character``, and those of the formats.
    """
    text = text.strip().removeprefix("\ufeff")
    strict_json.check_text(text)
    if not text:
        raise Unreadable("empty")
    if len(text.encode()) > BYTES_AT_MOST:
        raise Unreadable("too_large")
    if text.startswith("<"):
        return _xml(text, words, ours)
    value = strict_json.loads(text)
    if isinstance(value, dict) and "format" in value:
        return own.understood(value)
    if isinstance(value, dict) and value.get("kind") == "character" and isinstance(value.get("data"), dict):
        return interpreter.sheet_of(pieces.from_ccfolia(value["data"]), words, ours)
    raise Unreadable("not_a_character")


def _xml(document: bytes | str, words: Wording, ours: str = "") -> Reading:
    root = packed.root(document)
    if root.tag != "character":
        raise Unreadable("not_a_character")
    return interpreter.sheet_of(pieces.from_udonarium(root), words, ours)
