"""Reference texts in Japanese, as the source has them, and in English."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.utils.translation import get_language


def in_active_language(row: Any, field: str) -> str:
    """Return ``field_ja`` or ``field_en`` of a row, as the reader reads."""
    language = "ja" if (get_language() or "ja").startswith("ja") else "en"
    text: str = getattr(row, f"{field}_{language}")
    return text


class ReferenceText(models.Model):
    """A row of a reference table, which a campaign may word anew."""

    text_ja = models.CharField(max_length=200)
    text_en = models.CharField(max_length=200)

    class Meta:
        abstract = True

    @property
    def text(self) -> str:
        """The words in the reader's language."""
        return in_active_language(self, "text")

    def worded(self, own: str | None) -> Self:
        """Return the row with these words in every language, if there are any; it is not stored."""
        if own:
            self.text_ja = self.text_en = own
        return self
