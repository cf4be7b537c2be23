"""Lines and veils: the things that a campaign's stories leave out, or only hint at."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from companion.names.fields import LineField
from sessions.models.evening import Campaign


class Limit(models.Model):
    """A limit (リミット) of a campaign: agreed on, or proposed.

    Its author is never stored, and its time (``shown_from``) only until the GM is shown it: at a small table,
    the time would reveal the author. Its id is
    random for the same reason.
    """

    class LimitKind(models.TextChoices):
        LINE = "line", pgettext_lazy("limit", "Line")
        VEIL = "veil", pgettext_lazy("limit", "Veil")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="limits")
    kind = models.CharField(_("how far"), max_length=4, choices=LimitKind, default=LimitKind.LINE)
    words = LineField(_("what"), max_length=60)
    agreed = models.BooleanField(default=False, editable=False)
    shown_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="The GM is shown a proposal from then on; emptied when it is past.",
    )

    class Meta:
        # By words: the order in which limits were proposed could reveal their authors.
        ordering = ["kind", "words", "pk"]
        verbose_name = _("line or veil")
        verbose_name_plural = _("lines and veils")

    def __str__(self) -> str:
        return self.words
