"""Translated sentences for compiled templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from django.utils import translation

_PLACE = re.compile(r"%(?:\((\w+)\)s|(%))")

#: The parts of a sentence: text and names of variables, alternating.
Parts = list[str]


def translated_parts(language: str | None, sentence: str, context: str = "") -> Parts:
    """Return a translated sentence in parts.

    :param context: the gettext context, "" without one.
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
def plural_function(language: str | None, one: str, many: str, context: str = "") -> Callable[[int], str]:
    """Return a function from a number to its plural form, with the placeholders of its variables."""

    @lru_cache(maxsize=1024)
    def for_number(number: int) -> str:
        with translation.override(language):
            if context:
                return translation.npgettext(context, one, many, number)
            return translation.ngettext(one, many, number)

    return for_number
