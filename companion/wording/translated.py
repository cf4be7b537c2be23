"""Words of a row in every language: one JSON field of {language: words}, an input for each in forms.

A library would have given a column a language (django-modeltranslation: a migration for each new one) or a
table and a join for each model (django-parler); thirty rows that are read whole need neither.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import get_language

from companion.names.fields import LineFormField
from companion.wording.languages import worded

Words = dict[str, str]


def said(words: Words) -> str:
    """Return the words for the reader, in a language that stands in if need be; none where there are none."""
    try:
        return worded(words, get_language())
    except LookupError:
        return ""


def search_fields(field: str) -> list[str]:
    """Return what an admin page searches, to find words in any language."""
    return [f"{field}__{language}" for language, _ in settings.LANGUAGES]


class TranslatedField(models.JSONField):
    """Words by language; some in at least one language."""

    def formfield(self, **_: Any) -> Any:
        return TranslatedFormField(label=capfirst(str(self.verbose_name)))


class TranslatedInput(forms.MultiWidget):
    """An input for each language of the product."""

    def __init__(self) -> None:
        super().__init__(
            {
                language: forms.TextInput({"lang": language, "placeholder": name, "aria-label": name})
                for language, name in settings.LANGUAGES
            }
        )

    def decompress(self, value: Words | None) -> list[str]:
        return [(value or {}).get(language, "") for language, _ in settings.LANGUAGES]


class TranslatedFormField(forms.MultiValueField):
    """Reads the inputs; an empty one is no entry."""

    def __init__(self, **kwargs: Any) -> None:
        one = LineFormField(max_length=200, required=False)
        super().__init__(
            [one for _ in settings.LANGUAGES], widget=TranslatedInput(), require_all_fields=False, **kwargs
        )

    def compress(self, data_list: list[str]) -> Words:
        spoken = zip((language for language, _ in settings.LANGUAGES), data_list, strict=False)
        return {language: words for language, words in spoken if words}
