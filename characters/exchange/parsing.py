"""The result of reading a sheet, and the readers of single values."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field

from characters import rules
from characters.exchange.plain import BACKGROUND_LENGTH, PlainSheet
from characters.exchange.unreadable import UnreadableSheet
from characters.exchange.wording import WORDINGS, one_line

SUIT_NAMES = {
    "s": "♠ ♤ スペード spades spade",
    "h": "♥ ♡ ハート hearts heart",
    "d": "♦ ♢ ダイヤ ダイア diamonds diamond",
    "c": "♣ ♧ クラブ クローバー clubs club",
}
SUIT_WORDS = {name: suit for suit, names in SUIT_NAMES.items() for name in names.split()}
NO_SUIT = {"", "-", *(words.none for words in WORDINGS.values())}
_SUIT = re.compile("|".join(sorted(map(re.escape, SUIT_WORDS), key=len, reverse=True)) + r"|[\s,、・/と]+")


#: Longest text that is compared with known labels or read as a number. Longer text is kept as it is, since
#: normalizing thousands of combining accents takes quadratic time.
MEANT_AT_MOST = 200


@dataclass(frozen=True)
class Trim:
    """A value that was reduced to fit on a sheet: a code of ``TRIMMED``, with the old and the new value."""

    code: str
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """A sheet as read from imported data.

    ``left_over`` are lines that were not understood. They are part of the background, of which the last
    ``cut`` characters did not fit. ``left_out`` are lines of another game that are not imported.
    ``faces`` are labels and addresses of pictures, ``faceless`` the labels of those that are not imported.
    ``person`` is true for a character of another game: its HP and suits are not imported, and its skills and
    items are offered for choice during creation. ``hp_there`` is its HP in that game.
    """

    sheet: PlainSheet
    player: str = ""
    left_over: tuple[str, ...] = ()
    cut: int = 0
    hp_missing: bool = False
    trims: tuple[Trim, ...] = ()
    left_out: tuple[str, ...] = ()
    faces: tuple[tuple[str, str], ...] = ()
    faceless: tuple[str, ...] = ()
    person: bool = False
    hp_there: str = ""


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
    """Return the name of a character, a skill or an item.

    :raises UnreadableSheet: ``no_name``, ``too_long``.
    """
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

    :raises UnreadableSheet: ``hp_no_number``, ``hp_max_out_of_range``, ``hp_out_of_range``.
    """
    given = [None if found is None or found == "" else found for found in (value, most)]
    read = [number(found) for found in given]
    for found, as_number in zip(given, read, strict=True):
        if found is not None and as_number is None:
            raise UnreadableSheet("hp_no_number", value=found)
    now, highest = read
    if highest is None:
        highest = now if now is not None else 1
    if now is None:
        now = highest
    if highest not in rules.HP_MAX:
        raise UnreadableSheet("hp_max_out_of_range", value=highest)
    if not rules.HP_LOWEST <= now <= highest:
        raise UnreadableSheet("hp_out_of_range", value=now, most=highest)
    return now, highest


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
    return background[:BACKGROUND_LENGTH], max(len(background) - BACKGROUND_LENGTH, 0)
