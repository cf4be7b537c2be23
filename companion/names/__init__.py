"""Names as people write them: how one is kept, and which names look the same.

A reader cannot see default-ignorable signs, fillers and direction marks, so a name is kept without them.
They stay where they shape what is seen: in joined emoji, between letters that join (ContextJ of RFC 5892) and
behind ideographs that have variants. Names are compared by the skeletons of UTS 39.

``confusables.txt`` beside this file has a line for each prototype of Unicode's ``security/confusables.txt``,
in hexadecimal: the prototype, a semicolon, and the characters that look like it. ``__main__.py`` writes it.
The libraries for this on PyPI know no skeletons.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import regex

TABLE = Path(__file__).with_name("confusables.txt")

#: No name is longer. Normalizing many accents takes the square of their number.
NORMALIZED_AT_MOST = 1000
KEY_LENGTH = 48

_EMOJI = (
    r"(?:\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F"
    r"|\p{Extended_Pictographic}[\uFE0E\uFE0F\p{Emoji_Modifier}]?)"
)
_MONGOLIAN = r"[\u1807\u180A\u1820-\u18AA]"
#: Signs that shape what is seen where they stand, each with its neighbours.
_SHAPING = "|".join(
    [
        rf"{_EMOJI}(?:\u200D{_EMOJI})*",
        r"[0-9#*]\uFE0F?\u20E3",
        r"\p{Ideographic}[\uFE00-\uFE02\U000E0100-\U000E01EF]",
        rf"(?<={_MONGOLIAN})(?:[\u180B-\u180D\u180F]|\u180E(?={_MONGOLIAN}))",
        r"(?<=\p{ccc=9})[\u200C\u200D]",
        # It looks back from behind: each of many signs that join nothing would look back over all others.
        r"\u200C(?<=[\p{jt=L}\p{jt=D}]\p{jt=T}*\u200C)(?=\p{jt=T}*[\p{jt=R}\p{jt=D}])",
        r"(?<=[\p{jt=L}\p{jt=D}])\u200D|\u200D(?=[\p{jt=R}\p{jt=D}])",
        r"(?<=[\p{L}--\p{Default_Ignorable_Code_Point}])\u200D(?=\p{ccc=9})",
    ]
)
#: Signs that leave a gap where they stand, and nothing else.
_FILLERS = r"\u115F\u1160\u2800\u3164\uFFA0\U0001D159\U00013441\U00013442"
_UNSEEN = r"[[\p{Default_Ignorable_Code_Point}\p{C}\uFFFC]--[\p{Prepended_Concatenation_Mark}\t\n]]"
_SIGNS = regex.compile(
    rf"(?V1)(?P<shaping>{_SHAPING})|(?P<gap>[{_FILLERS}\p{{Cc}}--\t\n])|(?P<unseen>{_UNSEEN})"
)
_SEEN = regex.compile(r"(?V1)[^\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]")
_IGNORED = regex.compile(r"[\p{Default_Ignorable_Code_Point}\s]")
_BLANKS = regex.compile(r"\s+")
_BEYOND_ASCII = regex.compile(r"[^\x00-\x7F]")


def clean(typed: str) -> str:
    """Return a text of one line as it is kept, in NFC; empty if there is nothing to see in it."""
    seen = _normalized("NFC", _without_unseen(_normalized("NFC", typed)))
    return _BLANKS.sub(_one_blank, seen.strip()) if _SEEN.search(seen) else ""


def clean_text(typed: str) -> str:
    """Return a text of several lines as it is kept; empty if there is nothing to see in it."""
    text = "\n".join(_without_unseen(line).rstrip() for line in typed.splitlines()).strip()
    return text if _SEEN.search(text) else ""


def name_key(name: str) -> str:
    """Return a key that spellings of a name share if they look alike, whatever their width and case."""
    wide = _normalized("NFKC", clean(name))
    # Letters of ASCII are compared when they are small, or Ian would be Lan: a capital I looks like an l.
    small = _skeleton(_BEYOND_ASCII.sub(lambda sign: _prototypes().get(sign[0], sign[0]), wide).casefold())
    key = small.casefold()
    return key if len(key) <= KEY_LENGTH else blake2b(key.encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def look_alike(one: str, other: str) -> bool:
    """Return whether a reader may take one name for the other."""
    return name_key(one) == name_key(other) or _skeleton(clean(one)) == _skeleton(clean(other))


def _normalized(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    return unicodedata.normalize(form, text) if len(text) <= NORMALIZED_AT_MOST else text


def _one_blank(blanks: regex.Match[str]) -> str:
    return "\u3000" if "\u3000" in blanks[0] else " "


def _without_unseen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    seen: str = _SIGNS.sub(lambda sign: sign[0] if sign["shaping"] else " " if sign["gap"] else "", text)
    return seen


def _skeleton(name: str) -> str:
    """Return the skeleton of UTS 39, without blanks."""
    bare = _IGNORED.sub("", _normalized("NFD", name))
    table = _prototypes()
    return _normalized("NFD", "".join(table.get(sign, sign) for sign in bare))


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each character that has one."""
    found: dict[str, str] = {}
    for line in TABLE.read_text("ascii").splitlines():
        if not line.startswith("#"):
            prototype, sources = map(_characters, line.split(";"))
            found |= dict.fromkeys(sources, prototype)
    return found


def _characters(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())
