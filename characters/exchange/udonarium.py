"""Export to Udonarium ユドナリウム: a zip that users drop onto its table."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable

from characters.exchange import ccfolia, disc, palette
from characters.exchange.plain import PlainSheet
from characters.exchange.wording import Wording, one_line, without_controls

TYPE_IMAGE, TYPE_NOTE = ' type="image"', ' type="note"'
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\n": "&#10;", "\t": "&#9;"}
#: A fixed time, the earliest in zips, so that the same sheet always gives the same file.
NO_TIME = (1980, 1, 1, 0, 0, 0)


def archive(sheet: PlainSheet, *, player: str, url: str, words: Wording) -> bytes:
    """Return the zip: ``data.xml`` and the pictures, named by their hashes, portrait or disc first."""
    first = (sheet.portrait, "webp") if sheet.portrait else (disc.disc_png(ccfolia.colour(sheet.suits)), "png")
    pictures = [first, *((face.picture, "webp") for face in sheet.faces)]
    images = {hashlib.sha256(content).hexdigest(): (content, ending) for content, ending in pictures}
    document = xml(sheet, images=images, player=player, url=url, words=words)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as entries:
        entries.writestr(zipfile.ZipInfo("data.xml", NO_TIME), document, zipfile.ZIP_DEFLATED)
        for identifier, (content, ending) in images.items():
            entries.writestr(zipfile.ZipInfo(f"{identifier}.{ending}", NO_TIME), content)
    return packed.getvalue()


def xml(sheet: PlainSheet, *, images: Iterable[str], player: str, url: str, words: Wording) -> str:
    """Return the character's XML.

    :param images: identifiers of the pictures. A board with one picture per character uses the first.
    """
    abilities = "".join(_data(label, value) for label, value in palette.abilities(sheet, words))
    resources = _resource("HP", sheet.hp, sheet.hp_max) + _resource(
        words.hand, sheet.hand_limit, sheet.hand_limit
    )
    concept = [f"{words.concept}: {one_line(sheet.concept)}"] if one_line(sheet.concept) else []
    note = "\n".join([*ccfolia.item_lines(sheet, words), *concept, sheet.background]).strip()
    information = (
        _data("PL", player) + _data(words.note, note, TYPE_NOTE) + (_data("URL", url) if url else "")
    )
    shown = "".join(_data("imageIdentifier", image, TYPE_IMAGE) for image in images)
    lines = "\n".join([*palette.palette_lines(sheet, words), *palette.define_variables(palette.usual_variables(words))])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<character location.name="table" location.x="0" location.y="0" posZ="0" rotate="0" roll="0">'
        '<data name="character">'
        f'<data name="image">{shown}</data>'
        f'<data name="common">{_data("name", sheet.name)}{_data("size", "1")}</data>'
        '<data name="detail">'
        f'<data name="{escape_xml(words.resources)}">{resources}</data>'
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
