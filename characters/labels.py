"""The labels of faces, and how a chat line selects one: ``もう知らない！@怒り``."""

from __future__ import annotations

from collections.abc import Iterable

from characters import rules
from characters.exchange.parsing import fold_label, visible

#: The characters that introduce a label, as boards and IMEs write them.
MARKS = "@＠"


def clean_label(written: str) -> str:
    """Return a label as it is stored, without the leading mark of other boards.

    :raises rules.SheetRefused: ``bad_label``.
    """
    label = visible(written).lstrip(MARKS).strip()
    if not 0 < len(label) <= rules.LABEL_LENGTH or any(mark in label for mark in MARKS):
        raise rules.SheetRefused("bad_label")
    return label


def find_label(written: str, labels: Iterable[str]) -> str | None:
    """Return the label that equals ``written`` but for width and case; None if there is none."""
    return next((label for label in labels if fold_label(label) == fold_label(written)), None)


def split_label(text: str, labels: Iterable[str]) -> tuple[str, str | None]:
    """Split the label off the end of a line: return the text and the label, or the line and None."""
    place = max(map(text.rfind, MARKS))
    label = find_label(text[place + 1 :], labels) if place >= 0 else None
    return (text, None) if label is None else (text[:place].rstrip(), label)
