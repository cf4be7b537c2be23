"""The revisions of finished sheets. Each one can be restored."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from characters.models.sheets import Character
from companion.models import Person


class Revision(models.Model):
    """The whole sheet after a change, except present HP, which change too often in play.

    Rows are added and never changed.
    """

    class Why(models.TextChoices):
        BEGUN = "begun", _("History begins")
        EDITED = "edited", _("Edited")
        SPENT = "spent", _("Points spent")
        TAKEN_BACK = "back", _("Purchase taken back")
        RESTORED = "restored", _("Restored")

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        Person,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Owner or GM; nobody for what was there before the history began.",
    )
    why = models.CharField(max_length=8, choices=Why.choices)
    restored_from = models.PositiveIntegerField(null=True, blank=True)
    sheet = models.JSONField(help_text="Name, texts, HP maximum, suits, skills and items.")

    class Meta:
        verbose_name = _("version of a sheet")
        verbose_name_plural = _("versions of sheets")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["character", "number"], name="revision_number_once"),
            models.CheckConstraint(
                condition=models.Q(why="restored", restored_from__isnull=False)
                | (~models.Q(why="restored") & models.Q(restored_from=None)),
                name="revision_restored_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.character} {self.number}"
