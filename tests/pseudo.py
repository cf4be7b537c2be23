"""A language for tests alone: every message in brackets, accented, and longer by 40 %.

What a page shows outside the brackets was left behind by translation; what breaks here breaks in German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from math import ceil
from typing import Any

import pytest
from django.conf import settings as configured
from django.utils.translation import trans_real
from django.utils.translation.trans_real import CONTEXT_SEPARATOR, DjangoTranslation

from tests.words import SEEN_ATTRIBUTES, has_words

CODE = "en-xa"
LONGER = 1.4

_ACCENTS = str.maketrans("aceinorsuyACEINORSUY", "àçéîñöřšûýÀÇÉÎÑÖŘŠÛÝ")
#: Variables, tags and entities stay as they are.
_KEPT = re.compile(r"%\(\w+\)\w|%%|\{\w*\}|__\w+__|<[^>]+>|&\w+;")
_VOWEL = re.compile(r"[aeiouAEIOU]")


def pseudo(message: str) -> str:
    """Return a message as the pseudo-locale says it."""
    short = ceil(len(_KEPT.sub("", message)) * (LONGER - 1))
    pieces, end = [], 0
    for kept in [*_KEPT.finditer(message), None]:
        text = message[end : kept.start() if kept else None]
        longer = _VOWEL.sub(lambda vowel: vowel[0] * 2, text, count=max(short, 0)) if short > 0 else text
        short -= len(longer) - len(text)
        pieces += [longer.translate(_ACCENTS), kept[0] if kept else ""]
        end = kept.end() if kept else end
    return f"⟦{''.join(pieces)}{'~' * max(short, 0)}⟧"


class PseudoTranslation(DjangoTranslation):
    """Translates everything, from the words themselves."""

    def gettext(self, message: str) -> str:
        words = message.rpartition(CONTEXT_SEPARATOR)[2]
        return pseudo(words) if words.strip() else words

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def speak(settings: Any) -> None:
    """Let pages be had in the pseudo-locale, by Accept-Language."""
    settings.LANGUAGES = [*configured.LANGUAGES, (CODE, "⟦Pšéûdö⟧")]
    trans_real._translations[CODE] = PseudoTranslation(CODE)


#: What a text field holds is somebody's own, or made for another program; a key has the same name everywhere.
_UNSEEN = {"script", "style", "textarea", "kbd"}


class _Left(HTMLParser):
    """Collects what a page shows outside brackets, which may span elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.left: list[str] = []
        self._depth = self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        for name, value in attrs:
            if name in SEEN_ATTRIBUTES:
                self.left += bare(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        for part in re.split(r"([⟦⟧])", data):
            self._depth += (part == "⟦") - (part == "⟧")
            if not self._depth and not self._unseen and has_words(part):
                self.left.append(" ".join(part.split()))


def bare(text: str) -> Iterator[str]:
    """Yield the parts of a text outside brackets that hold words."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = inner
    if has_words(text):
        yield " ".join(text.split())


def left_behind(html: str) -> list[str]:
    """Return the words of a page that are in no bracket."""
    reader = _Left()
    reader.feed(html)
    reader.close()
    return reader.left


@pytest.fixture
def pseudo_locale(settings: Any) -> str:
    """Return the code of the pseudo-locale, which pages speak during the test."""
    speak(settings)
    return CODE
