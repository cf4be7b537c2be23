"""Export to Udonarium ユドナリウム: a zip that users drop onto its table.

A piece without a portrait gets a default picture, free of rights: a disc in its colour within a golden
ring.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from functools import lru_cache
from math import hypot

from characters.exchange import ccfolia
from characters.exchange.plain import PlainSheet
from characters.exchange.wording import Wording, one_line, without_controls

DISC_SIZE = 128
RING = (201, 162, 78)
#: Radii of the disc and of the ring around it, in pixels.
DISC, RING_INSIDE, RING_OUTSIDE = 46.0, 53.0, 60.0
TYPE_IMAGE, TYPE_NOTE = ' type="image"', ' type="note"'
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\n": "&#10;", "\t": "&#9;"}
#: A fixed time, the earliest in zips, so that the same sheet always gives the same file.
NO_TIME = (1980, 1, 1, 0, 0, 0)


@lru_cache(maxsize=8)
def disc_png(colour: str) -> bytes:
    """Return the default picture as a PNG, in a colour such as ``#3b4a6b``."""
    fill = bytes.fromhex(colour.removeprefix("#"))
    offsets = [place - DISC_SIZE / 2 + 0.5 for place in range(DISC_SIZE)]
    rows = b"".join(b"\0" + b"".join(_pixel(hypot(x, y), fill) for x in offsets) for y in offsets)
    header = struct.pack(">IIBBBBB", DISC_SIZE, DISC_SIZE, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _pixel(distance: float, fill: bytes) -> bytes:
    """Return colour and opacity at a distance from the centre, in pixels; edges are antialiased."""
    in_disc = _coverage(DISC - distance)
    in_ring = min(_coverage(RING_OUTSIDE - distance), _coverage(distance - RING_INSIDE))
    return bytes([*fill, round(255 * in_disc)] if in_disc else [*RING, round(255 * in_ring)])


def _coverage(depth: float) -> float:
    return min(max(depth + 0.5, 0.0), 1.0)


def character_zip(sheet: PlainSheet, *, player: str, url: str, words: Wording) -> bytes:
    """Return the zip: ``data.xml`` and the pictures, named by their hashes, portrait or disc first."""
    first = (sheet.portrait, "webp") if sheet.portrait else (disc_png(ccfolia.colour(sheet.suits)), "png")
    pictures = [first, *((face.picture, "webp") for face in sheet.faces)]
    images = {hashlib.sha256(content).hexdigest(): (content, ending) for content, ending in pictures}
    document = character_xml(sheet, images=images, player=player, url=url, words=words)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as entries:
        entries.writestr(zipfile.ZipInfo("data.xml", NO_TIME), document, zipfile.ZIP_DEFLATED)
        for identifier, (content, ending) in images.items():
            entries.writestr(zipfile.ZipInfo(f"{identifier}.{ending}", NO_TIME), content)
    return packed.getvalue()


def character_xml(sheet: PlainSheet, *, images: Iterable[str], player: str, url: str, words: Wording) -> str:
    """Return the character's XML. Boards with one picture per character use the first of ``images``."""
    abilities = "".join(_data(label, value) for label, value in ccfolia.abilities(sheet, words))
    hand = _resource(words.hand, sheet.hand_limit, sheet.hand_limit)
    concept = [f"{words.concept}: {one_line(sheet.concept)}"] if one_line(sheet.concept) else []
    note = "\n".join([*ccfolia.item_lines(sheet, words), *concept, sheet.background]).strip()
    link = _data("URL", url) if url else ""
    information = _data("PL", player) + _data(words.note, note, TYPE_NOTE) + link
    shown = "".join(_data("imageIdentifier", image, TYPE_IMAGE) for image in images)
    variables = ccfolia.define_variables(ccfolia.usual_variables(words))
    lines = "\n".join([*ccfolia.palette_lines(sheet, words), *variables])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<character location.name="table" location.x="0" location.y="0" posZ="0" rotate="0" roll="0">'
        '<data name="character">'
        f'<data name="image">{shown}</data>'
        f'<data name="common">{_data("name", sheet.name)}{_data("size", "1")}</data>'
        '<data name="detail">'
        f'<data name="{escape_xml(words.resources)}">{_resource("HP", sheet.hp, sheet.hp_max)}{hand}</data>'
        f'<data name="{escape_xml(words.abilities)}">{abilities}</data>'
        f'<data name="{escape_xml(words.information)}">{information}</data>'
        "</data></data>"
        f'<chat-palette dicebot="DiceBot">{escape_xml(lines)}</chat-palette>'
        "</character>\n"
    )


def escape_xml(text: str) -> str:
    """Escape text for XML elements and attributes, and remove characters that XML cannot hold."""
    allowed = re.sub("[\ufffe\uffff]", "", without_controls(text))
    return re.sub("[&<>\"'\n\t]", lambda match: ESCAPES[match[0]], allowed)


def _data(name: str, value: str, attributes: str = "") -> str:
    return f'<data{attributes} name="{escape_xml(name)}">{escape_xml(value)}</data>'


def _resource(name: str, value: int, most: int) -> str:
    return _data(name, str(most), f' type="numberResource" currentValue="{value}"')
