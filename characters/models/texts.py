"""Base class for rows of reference tables, with a text in each language."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion.wording.translated import TranslatedField, localize


class ReferenceText(models.Model):
    """A row of a reference table. A campaign may replace its text."""

    texts = TranslatedField(_("words"))

    class Meta:
        abstract = True

    @property
    def text(self) -> str:
        """The text in the reader's language."""
        return localize(self.texts)

    def with_text(self, own: str | None) -> Self:
        """Return this row, unsaved, with ``own`` as its text in every language if ``own`` is not empty."""
        if own:
            self.texts = dict.fromkeys(self.texts, own)
        return self
