"""Rows of reference tables, with their words in each language."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion.wording.translated import TranslatedField, said


class ReferenceText(models.Model):
    """A row of a reference table, which a campaign may word anew."""

    texts = TranslatedField(_("words"))

    class Meta:
        abstract = True

    @property
    def text(self) -> str:
        """The words in the reader's language."""
        return said(self.texts)

    def worded(self, own: str | None) -> Self:
        """Return the row with these words in every language, if there are any; it is not stored."""
        if own:
            self.texts = dict.fromkeys(self.texts, own)
        return self
