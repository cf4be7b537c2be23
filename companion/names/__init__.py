"""Clean the names that users type, and detect names that look alike.

Invisible characters and direction marks are removed from names; fillers become a space. Such characters
stay where they change the rendering: in joined emoji, between joining letters (ContextJ of RFC 5892) and
after ideographs with variants. Names are compared by the skeletons of UTS 39.

``confusables.txt`` beside this file has a line for each prototype of Unicode's ``security/confusables.txt``,
in hexadecimal: the prototype, a semicolon, and the characters that look like it. ``__main__.py`` writes it.
The libraries for this on PyPI do not compute skeletons.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Literal

import regex

TABLE = Path(__file__).with_name("confusables.txt")
#: No name is longer. The time to normalize many accents grows with the square of their number.
NORMALIZED_AT_MOST = 1000
KEY_LENGTH = 48
_EMOJI = (
    r"(?:\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F"
    r"|\p{Extended_Pictographic}[\uFE0E\uFE0F\p{Emoji_Modifier}]?)"
)
_MONGOLIAN = r"[\u1807\u180A\u1820-\u18AA]"
#: Invisible characters that change the rendering, each with the neighbours for which it does.
_SHAPING = "|".join(
    [
        rf"{_EMOJI}(?:\u200D{_EMOJI})*",
        r"[0-9#*]\uFE0F?\u20E3",
        r"\p{Ideographic}[\uFE00-\uFE02\U000E0100-\U000E01EF]",
        rf"(?<={_MONGOLIAN})(?:[\u180B-\u180D\u180F]|\u180E(?={_MONGOLIAN}))",
        r"(?<=\p{ccc=9})[\u200C\u200D]",
        # The look-behind follows the joiner: before it, each transparent character would look back over all
        # others, in quadratic time.
        r"\u200C(?<=[\p{jt=L}\p{jt=D}]\p{jt=T}*\u200C)(?=\p{jt=T}*[\p{jt=R}\p{jt=D}])",
        r"(?<=[\p{jt=L}\p{jt=D}])\u200D|\u200D(?=[\p{jt=R}\p{jt=D}])",
        r"(?<=[\p{L}--\p{Default_Ignorable_Code_Point}])\u200D(?=\p{ccc=9})",
    ]
)
#: Characters that are rendered as a gap only.
_FILLERS = r"\u115F\u1160\u2800\u3164\uFFA0\U0001D159\U00013441\U00013442"
_UNSEEN = r"[[\p{Default_Ignorable_Code_Point}\p{C}\uFFFC]--[\p{Prepended_Concatenation_Mark}\t\n]]"
_SIGNS = regex.compile(
    rf"(?V1)(?P<shaping>{_SHAPING})|(?P<gap>[{_FILLERS}\p{{Cc}}--\t\n])|(?P<unseen>{_UNSEEN})"
)
_SEEN = regex.compile(r"(?V1)[^\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]")
_IGNORED = regex.compile(r"[\p{Default_Ignorable_Code_Point}\s]")
_BLANKS = regex.compile(r"\s+")
_BEYOND_ASCII = regex.compile(r"[^\x00-\x7F]")
_HALF_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)}


def clean(typed: str) -> str:
    """Return one line in its stored form, in NFC; "" if it has no visible character."""
    seen = _normalize("NFC", _without_unseen(_normalize("NFC", typed)))
    if not _SEEN.search(seen):
        return ""
    line: str = _BLANKS.sub(lambda blanks: "\u3000" if "\u3000" in blanks[0] else " ", seen.strip())
    return line


def clean_text(typed: str) -> str:
    """Return several lines in their stored form; "" without a visible character."""
    text = "\n".join(_without_unseen(line).rstrip() for line in typed.splitlines()).strip()
    return text if _SEEN.search(text) else ""


def name_key(name: str) -> str:
    """Return a key that most names that look alike share, ignoring width and case; see ``look_alike``."""
    wide = _normalize("NFKC", clean(name))
    # ASCII letters are lowercased first, or "Ian" would equal "Lan": a capital I looks like an l.
    small = _skeleton(_BEYOND_ASCII.sub(lambda sign: _prototypes().get(sign[0], sign[0]), wide).casefold())
    key = small.casefold()
    return key if len(key) <= KEY_LENGTH else blake2b(key.encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def look_alike(one: str, other: str) -> bool:
    """True if a reader may confuse the two names."""
    return name_key(one) == name_key(other) or _skeleton(clean(one)) == _skeleton(clean(other))


def free_name(name: str, others: Collection[str], longest: int = 12) -> str:
    """Return the first of ``name2``, ``name3`` … that does not look like any of the others."""
    half_width = name.translate(_HALF_WIDTH)
    numbered = (f"{clean(half_width[: longest - len(str(n))])}{n}" for n in count(2))
    return next(tried for tried in numbered if not any(look_alike(tried, other) for other in others))


def label_key(label: str) -> str:
    """Return a key that is the same for all spellings of a label in width, case and spaces."""
    return unicodedata.normalize("NFKC", label).casefold().replace(" ", "")


def _normalize(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    return unicodedata.normalize(form, text) if len(text) <= NORMALIZED_AT_MOST else text


def _without_unseen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    seen: str = _SIGNS.sub(lambda sign: sign[0] if sign["shaping"] else " " if sign["gap"] else "", text)
    return seen


def _skeleton(name: str) -> str:
    """Return the skeleton of UTS 39, without white space."""
    bare = _IGNORED.sub("", _normalize("NFD", name))
    table = _prototypes()
    return _normalize("NFD", "".join(table.get(sign, sign) for sign in bare))


@cache
def _prototypes() -> dict[str, str]:
    """Load ``confusables.txt``: the prototype of each character that has one."""
    found: dict[str, str] = {}
    for line in TABLE.read_text("ascii").splitlines():
        if not line.startswith("#"):
            fields = [[chr(int(code, 16)) for code in codes.split()] for codes in line.split(";")]
            prototype, sources = map("".join, fields)
            found |= dict.fromkeys(sources, prototype)
    return found
