"""A translated text of a row: one JSON field of {language: text}, with one form input per language.

A library would add a column per language (django-modeltranslation: a migration for each new one) or a table
and a join per model (django-parler). Thirty rows that are always read together need neither.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import get_language

from companion.names.fields import LineFormField
from companion.wording import pick_translation

Words = dict[str, str]


def localize(words: Words) -> str:
    """Return the text in the active language or its best fallback; "" if there is none."""
    try:
        return pick_translation(words, get_language())
    except LookupError:
        return ""


def search_fields(field: str) -> list[str]:
    """Return the ``search_fields`` of an admin that searches the text in all languages."""
    return [f"{field}__{language}" for language, _ in settings.LANGUAGES]


class TranslatedField(models.JSONField):
    """Texts by language, in at least one language."""

    def formfield(self, **_: Any) -> Any:
        return TranslatedFormField(label=capfirst(str(self.verbose_name)))


class TranslatedInput(forms.MultiWidget):
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
    """Combine the inputs into {language: text}, without the empty ones."""

    def __init__(self, **kwargs: Any) -> None:
        one = LineFormField(max_length=200, required=False)
        super().__init__(
            [one for _ in settings.LANGUAGES], widget=TranslatedInput(), require_all_fields=False, **kwargs
        )

    def compress(self, data_list: list[str]) -> Words:
        spoken = zip((language for language, _ in settings.LANGUAGES), data_list, strict=False)
        return {language: words for language, words in spoken if words}
