"""The nine questions at the end of a session. [UC-11.1]"""

from __future__ import annotations

from dataclasses import asdict

from django.db import models
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models.sheets import Character
from characters.models.texts import ReferenceText
from companion.names.fields import LineField


class ExperienceLine(ReferenceText):
    """One line of the checklist in the rulebook."""

    key = models.SlugField(unique=True)
    order = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("experience line")
        verbose_name_plural = _("experience lines")
        ordering = ["order"]

    def __str__(self) -> str:
        return self.text


def default_rates() -> dict[str, int]:
    """Return the rules' own rates, as a checklist stores them. [UC-11.2]"""
    return asdict(rules.DEFAULT_RATES)


class ExperienceChecklist(models.Model):
    """One player's ticks for one character and session, closed once the GM has confirmed it."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="checklists")
    title = LineField(max_length=60)
    campaign = LineField(max_length=60, blank=True, help_text="Whose rates count; empty: the rules'.")
    session_key = models.CharField(
        max_length=40,
        blank=True,
        editable=False,
        help_text="Names the session it belongs to; empty: begun on the sheet, for a night without Takujō.",
    )
    rates = models.JSONField(
        default=default_rates, editable=False, help_text="What counted when it was opened."
    )
    lines = models.ManyToManyField(ExperienceLine, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("experience checklist")
        verbose_name_plural = _("experience checklists")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(title=""), name="checklist_has_a_title"),
            models.UniqueConstraint(
                fields=["character", "session_key"],
                condition=~models.Q(session_key=""),
                name="checklist_one_a_session",
            ),
        ]
        indexes = [models.Index(fields=["session_key"], name="checklist_by_session")]

    def __str__(self) -> str:
        return self.title

    @property
    def experience_rates(self) -> rules.ExperienceRates:
        """The rates at the time when the checklist was opened. Later house rules do not change them."""
        return rules.ExperienceRates(**self.rates)

    @property
    def points(self) -> int:
        """The points that the ticks are worth."""
        return rules.experience_points(len(self.lines.all()), self.experience_rates)
