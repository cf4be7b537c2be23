"""The nine questions at the end of a session. [UC-11.1]"""

from __future__ import annotations

from django.db import models

from characters.models.bilingual import in_active_language
from characters.models.sheets import Character


class ExperienceLine(models.Model):
    """One line of the source's checklist."""

    key = models.SlugField(unique=True)
    order = models.PositiveSmallIntegerField()
    text_ja = models.CharField(max_length=200)
    text_en = models.CharField(max_length=200)

    class Meta:
        ordering = ["order"]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The line in the reader's language."""
        return in_active_language(self, "text")


class ExperienceChecklist(models.Model):
    """What one character's player ticked for one session; closed once the GM has confirmed it."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="checklists")
    title = models.CharField(max_length=60)
    lines = models.ManyToManyField(ExperienceLine, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=~models.Q(title=""), name="checklist_has_a_title")]

    def __str__(self) -> str:
        return self.title
