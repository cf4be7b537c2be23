"""The sentences of one language, as they stand in a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from django.utils import translation

_PLACE = re.compile(r"%(?:\((\w+)\)s|(%))")

#: A sentence in parts: every second one is the name of a variable.
Parts = list[str]


def said(language: str | None, sentence: str, context: str = "") -> Parts:
    """Return a sentence in parts.

    :param context: where it stands, if it means something else in other places.
    """
    with translation.override(language):
        text = translation.pgettext(context, sentence) if context else translation.gettext(sentence)
    parts = [""]
    for number, part in enumerate(_PLACE.split(text)):
        match number % 3, part:
            case 0, _:
                parts[-1] += part
            case 1, str():
                parts += [part, ""]
            case 2, str():
                parts[-1] += "%"
    return parts


@cache
def counted(language: str | None, one: str, many: str, context: str = "") -> Callable[[int], str]:
    """Return a function that returns the sentence for a number, with places for its variables."""

    @lru_cache(maxsize=1024)
    def for_number(number: int) -> str:
        with translation.override(language):
            if context:
                return translation.npgettext(context, one, many, number)
            return translation.ngettext(one, many, number)

    return for_number
