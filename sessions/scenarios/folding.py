"""Fold text for comparison (NFKC), so that width and invisible characters make no difference.

Stored text stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

#: Invisible characters: Default_Ignorable_Code_Point of Unicode.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
#: Characters that macOS decomposes: accents, sonant marks of kana, and the letters of a Korean syllable.
_APART = re.compile("[\u1100-\u11ff]{2,30}|[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,8}")
#: A text with more characters is folded one character at a time: the time to normalise it as a whole grows
#: with the square of the number of accents.
_AT_ONCE = 300


class FoldedText:
    """A text in its original and its folded form."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.flat, self._at = fold(raw)

    def since(self, place: int) -> str:
        """Return the original text from a place of the folded text on."""
        return self.raw[self._at[place] :]

    def part(self, start: int, end: int) -> str:
        """Return the original text between two places of the folded text."""
        return self.raw[self._at[start] : self._at[end]]


@lru_cache(maxsize=16)  # a line is folded several times in a row
def fold(raw: str) -> tuple[str, Sequence[int]]:
    """Return a text in NFKC without invisible characters.

    The second value holds the original place of each character of that text, and of its end.
    """
    is_folded = len(raw) <= _AT_ONCE and unicodedata.is_normalized("NFKC", raw)
    if raw.isascii() or (is_folded and not _UNSEEN.search(raw)):
        return raw, range(len(raw) + 1)
    flat: list[str] = []
    at: list[int] = []
    for place, char in enumerate(raw):
        if _UNSEEN.match(char):
            continue
        if flat and (char in "ﾞﾟ" or unicodedata.combining(char)):
            joined = unicodedata.normalize("NFKC", flat[-1] + char)
            if len(joined) == 1:
                flat[-1] = joined
                continue
        for each in unicodedata.normalize("NFKC", char):
            flat.append(each)
            at.append(place)
    return "".join(flat), [*at, len(raw)]


def compose_accents(text: str) -> str:
    """Return a text with letters and accents composed (NFC); no other character is replaced."""
    return _APART.sub(lambda apart: unicodedata.normalize("NFC", apart[0]), text)
