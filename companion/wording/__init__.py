"""Fallback languages for translated content. This module does not import Django, as rules and books use it.

Messages of the interface fall back to their English source instead; see ``companion/apps.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

#: English, which most readers of other languages can read, then Japanese, in which content is written first.
FALLBACKS = ("en", "ja")

T = TypeVar("T")


def languages_to_try(language: str | None) -> Iterator[str]:
    """Yield a language and its fallbacks, best first: "pt-br", "pt", "en", "ja"."""
    own = language or FALLBACKS[-1]
    yield from dict.fromkeys((own, own.partition("-")[0], *FALLBACKS))


def pick_translation(words: Mapping[str, T], language: str | None) -> T:
    """Return the best value for this language, or raise LookupError."""
    for one in languages_to_try(language):
        if words.get(one):
            return words[one]
    raise LookupError(f"no words for {language}")
