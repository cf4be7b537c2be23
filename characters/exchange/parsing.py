"""The result of reading a sheet, the exception for refused data, and the readers of single values.

A value is a number, a name, HP, suits, or the label of a face, with which a chat line selects the face:
``もう知らない！@怒り``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from characters import rules
from characters.exchange.plain import PlainSheet
from characters.exchange.wording import WORDINGS, one_line

SHOWN = 60
#: Longest text that is compared with known labels or read as a number. Longer text is kept as it is, since
#: normalizing thousands of combining accents takes quadratic time.
MEANT_AT_MOST = 200
#: The characters that introduce a label, as boards and IMEs write them.
MARKS = "@＠"


class UnreadableSheet(Exception):
    """The data is no character that we can read."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = {name: _shorten(str(value)) for name, value in details.items()}


def _shorten(text: str) -> str:
    """Return the printable beginning of a value, short enough for a sentence."""
    shown = "".join(char if char.isprintable() else "�" for char in text[:SHOWN])
    return shown + "…" if len(text) > SHOWN else shown


@dataclass(frozen=True)
class Trim:
    """A value that was reduced to fit on a sheet: a code of ``TRIMMED``, with the old and the new value."""

    code: str
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """A sheet as read from imported data, and a record of what was changed or left out."""

    sheet: PlainSheet
    player: str = ""
    left_over: tuple[str, ...] = ()  #: lines that were not understood; they are part of the background
    cut: int = 0  #: how many characters at the background's end did not fit
    hp_missing: bool = False
    trims: tuple[Trim, ...] = ()
    left_out: tuple[str, ...] = ()  #: lines of another game that are not imported
    faces: tuple[tuple[str, str], ...] = ()  #: labels and addresses of pictures
    faceless: tuple[str, ...] = ()  #: labels whose pictures are not imported
    #: True for a character of another game. Its HP and suits are not imported; its skills and items are
    #: offered for choice during creation.
    person: bool = False
    hp_there: str = ""  #: HP in that game


def fold_label(text: str) -> str:
    """Normalise a label for comparison: NFKC, case-folded, without whitespace."""
    if len(text) > MEANT_AT_MOST:
        return text
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


def number(value: object) -> int | None:
    """Return a whole number, written as a number or as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return int(value) if value == int(value) else None
    if isinstance(value, str) and len(value) <= MEANT_AT_MOST:
        digits = unicodedata.normalize("NFKC", value).strip().replace("−", "-")
        return int(digits) if re.fullmatch(r"[+-]?[0-9]{1,9}", digits, re.ASCII) else None
    return None


def text_of_value(value: object) -> str:
    """Return a JSON value as text: strings unquoted, null as ""."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def line_of(label: str, value: object) -> str:
    return one_line(f"{label}: {text_of_value(value)}")


def name(value: object, *, what: str = "name") -> str:
    """Return the name of a character, a skill or an item. Refusals: ``no_name``, ``too_long``."""
    text = visible(value)
    if not text:
        raise UnreadableSheet("no_name", what=what)
    if len(text) > rules.NAME_LENGTH:
        raise UnreadableSheet("too_long", what=what, text=text, most=rules.NAME_LENGTH)
    return text


def visible(value: object) -> str:
    """Return a text as one line; "" if it has no visible characters or is no string."""
    return one_line(value) if isinstance(value, str) else ""


def points_that_fit(now: int | None, highest: int | None) -> tuple[int, int] | None:
    """Return present and maximum HP, clamped to the range of a sheet; None if both are missing."""
    highest = now if highest is None else highest
    now = highest if now is None else now
    if now is None or highest is None:
        return None
    hp_max = min(max(highest, rules.HP_MAX[0]), rules.HP_MAX[-1])
    return min(max(now, rules.HP_LOWEST), hp_max), hp_max


def points(value: object, most: object) -> tuple[int, int]:
    """Return present and maximum HP. A missing one is taken to equal the other.

    Refusals: ``hp_no_number``, ``hp_max_out_of_range``, ``hp_out_of_range``.
    """
    now, highest = map(number, (value, most))
    for given, as_number in ((value, now), (most, highest)):
        if as_number is None and given not in (None, ""):
            raise UnreadableSheet("hp_no_number", value=given)
    if highest is None:
        highest = 1 if now is None else now
    now = highest if now is None else now
    if highest not in rules.HP_MAX:
        raise UnreadableSheet("hp_max_out_of_range", value=highest)
    if not rules.HP_LOWEST <= now <= highest:
        raise UnreadableSheet("hp_out_of_range", value=now, most=highest)
    return now, highest


SUIT_NAMES = {
    "s": "♠ ♤ スペード spades spade",
    "h": "♥ ♡ ハート hearts heart",
    "d": "♦ ♢ ダイヤ ダイア diamonds diamond",
    "c": "♣ ♧ クラブ クローバー clubs club",
}
SUIT_WORDS = {name: suit for suit, names in SUIT_NAMES.items() for name in names.split()}
NO_SUIT = {"", "-", *(words.none for words in WORDINGS.values())}
_SUIT = re.compile("|".join(sorted(map(re.escape, SUIT_WORDS), key=len, reverse=True)) + r"|[\s,、・/と]+")


def suits(text: str) -> str | None:
    """Return the suits that a text lists, in its order; None for a text that is no list of suits."""
    text = fold_label(text.replace("\ufe0f", "").replace("\ufe0e", ""))
    if text in NO_SUIT:
        return ""
    if _SUIT.sub("", text):
        return None
    return "".join(dict.fromkeys(SUIT_WORDS[part] for part in _SUIT.findall(text) if part in SUIT_WORDS))


def fitting(background: str) -> tuple[str, int]:
    """Return the part of a background that fits on a sheet, and the number of characters cut."""
    return background[: rules.BACKGROUND_LENGTH], max(len(background) - rules.BACKGROUND_LENGTH, 0)


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
    """Return a line without the label at its end, and the label; without one, the line and None."""
    place = max(map(text.rfind, MARKS))
    label = find_label(text[place + 1 :], labels) if place >= 0 else None
    return (text, None) if label is None else (text[:place].rstrip(), label)
