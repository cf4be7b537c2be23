"""Experience points: income and purchases. [UC-11.2]"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from characters.models.experience import ExperienceChecklist
from characters.models.sheets import Character
from companion.models import Person
from companion.names.fields import LineField


class LedgerEntry(models.Model):
    """One entry of the ledger. Rows are never changed: a further row takes a purchase back."""

    class EntryKind(models.TextChoices):
        EARNED = "earned", _("Experience")
        GIVEN = "given", _("Given by the GM")
        HP_MAX = "hp", _("Maximum HP")
        SKILL = "skill", _("Skill")
        SUIT = "suit", _("Favoured suit")
        BACK = "back", _("Taken back")

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="ledger")
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Owner or GM."
    )
    kind = models.CharField(max_length=6, choices=EntryKind.choices)
    points = models.IntegerField(help_text="Earned above zero, spent below.")
    title = LineField(max_length=60, blank=True, help_text="What earned them.")
    source = models.CharField(
        max_length=40, blank=True, help_text="Names what gave them; a character gets points from it once."
    )
    campaign = LineField(max_length=60, blank=True, help_text="Whose rates were used.")
    rates = models.JSONField(help_text="What a line gave and what points bought then.")
    checklist = models.OneToOneField(
        ExperienceChecklist,
        null=True,
        blank=True,
        on_delete=models.RESTRICT,
        related_name="entry",
        help_text="A checklist counts once.",
    )
    reached = models.PositiveSmallIntegerField(
        default=0, help_text="The maximum HP, or the number of skills or suits, that was bought."
    )
    bought = LineField(max_length=40, blank=True, help_text="Name of the skill, letter of the suit.")
    takes_back = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.RESTRICT,
        related_name="taken_back",
        help_text="The purchase that this row undoes.",
    )

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="earned", points__gte=0, checklist__isnull=False)
                | Q(kind="given", points__gte=1, source__gt="")
                | Q(kind__in=["hp", "skill", "suit"], points__lte=0, reached__gte=1)
                | Q(kind="back", points__gte=0, takes_back__isnull=False),
                name="ledger_entry_adds_up",
            ),
            models.UniqueConstraint(
                fields=["character", "source"], condition=~Q(source=""), name="ledger_gives_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.points:+}"

    @property
    def is_purchase(self) -> bool:
        """True if this entry spends points."""
        return self.kind in (self.EntryKind.HP_MAX, self.EntryKind.SKILL, self.EntryKind.SUIT)

    @property
    def was_taken_back(self) -> bool:
        """True if a later row undoes this purchase."""
        return hasattr(self, "taken_back")
