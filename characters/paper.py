"""The layout of a character's sheet on one A4 page.

It chooses the font size of the background, and cuts text that does not fit. Heights are millimetres, rounded
up: unused space can take notes, but overflowing lines would be lost. ``paper.css`` uses the same measures.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

#: The height of a page of 297 mm between its margins, and of its fixed parts: titles, HP, a line of values.
HEIGHT, FIXED = 266.0, 56.0
#: Inner width of one of the two columns, in millimetres.
COLUMN = 88.0
#: Width of an item's name beside its kind and value, in millimetres.
ITEM_NAME = 66.0
POINT = 0.3528
LEADING = 1.4
#: Font sizes of the background in points, from comfortable down to small print.
SIZES = (10.0, 9.0, 8.0, 7.0, 6.5, 6.0)
#: Font size of skills and items in points, by the greatest number of rows.
ROW_SIZES = {6: 10.5, 12: 8.5, 20: 6.5}
#: The usable share of a line: words of Latin letters wrap before the end of the line.
FILLED_BY_WORDS, FILLED_BY_SIGNS = 0.88, 0.97


class Paper(NamedTuple):
    """The layout of a sheet: font sizes in points, and the part of the background that fits."""

    rows: float
    size: float
    background: str
    cut: bool


def fit_on_paper(
    *, name: str, concept: str, skills: Iterable[str], items: Iterable[str], background: str
) -> Paper:
    """Return the layout with which a sheet fits on one page."""
    skills, items = list(skills), list(items)
    count = max(len(skills), len(items))
    row_size = next((size for most, size in ROW_SIZES.items() if count <= most), min(ROW_SIZES.values()))
    rows = max(
        sum(_row_height(skill, COLUMN, row_size) for skill in skills),
        sum(_row_height(item, ITEM_NAME, row_size) for item in items),
    )
    head = _height(name, 130, 16) + _height(concept, 130, 9)
    room = HEIGHT - FIXED - head - rows
    for size in SIZES:
        lines = 2 * max(math.floor(room / (size * POINT * LEADING)) - 1, 0)
        if _lines(background, COLUMN, size) <= lines:
            return Paper(row_size, size, background, cut=False)
    return Paper(row_size, size, _cut_text(background, lines - 2, size), cut=True)


def _row_height(text: str, width: float, size: float) -> float:
    return _height(text, width, size) + 1.2


def _height(text: str, width: float, size: float) -> float:
    return _lines(text, width, size) * size * POINT * LEADING


def _lines(text: str, width: float, size: float) -> int:
    per_line = _per_line(text, width, size)
    return sum(max(1, math.ceil(_width(line) / per_line)) for line in text.splitlines())


def _per_line(text: str, width: float, size: float) -> int:
    """Return the number of half-width letters that fit in a line of this text."""
    filled = FILLED_BY_SIGNS if _width(text) > 1.6 * len(text) else FILLED_BY_WORDS
    return math.floor(width / (size * POINT) * 2 * filled)


def _width(text: str) -> int:
    """Return the width of a line in half-width letters."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    # Wide Latin letters count as full width, since a row of them alone is wider than half-width letters.
    wide = unicodedata.east_asian_width(letter) in "WFA" or letter in "MW@%mw"
    return 2 if wide else 1


def _cut_text(text: str, lines: int, size: float) -> str:
    """Return the beginning of a text that fills ``lines`` lines, with an ellipsis."""
    per_line, kept = _per_line(text, COLUMN, size), []
    for paragraph in text.splitlines():
        needed = max(1, math.ceil(_width(paragraph) / per_line))
        if needed > lines:
            widths = accumulate(map(_letter_width, paragraph))
            kept.append(paragraph[: sum(width <= lines * per_line for width in widths)])
            break
        kept.append(paragraph)
        lines -= needed
    return "\n".join(kept).rstrip() + "…"
