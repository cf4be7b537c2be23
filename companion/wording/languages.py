"""Which language stands in where the reader's own has no words. No Django here: rules and books ask, too.

Sentences of the interface fall back to their English source; see ``companion/apps.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

#: What most readers of a language that we have not can read, and what everything is written in first.
FALLBACKS = ("en", "ja")

T = TypeVar("T")


def preferred(language: str | None) -> Iterator[str]:
    """Yield the languages to look in, best first: "pt-br", "pt", "en", "ja"."""
    own = language or FALLBACKS[-1]
    yield from dict.fromkeys((own, own.partition("-")[0], *FALLBACKS))


def worded(words: Mapping[str, T], language: str | None) -> T:
    """Return what a reader of this language gets.

    :raises LookupError: there are no words in it or in a language that stands in for it.
    """
    for one in preferred(language):
        if words.get(one):
            return words[one]
    raise LookupError(f"no words for {language}")
