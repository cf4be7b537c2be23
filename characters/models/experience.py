"""The experience and the history of a finished character. [UC-11.1, UC-11.2]

A checklist holds the nine questions at the end of a session, and the ledger the points that were earned and
spent. Rows of the ledger and revisions are added and never changed; each revision can be restored.
"""

from __future__ import annotations

from dataclasses import asdict

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models.reference import ReferenceText
from characters.models.sheets import Character
from companion.models import Person
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
            models.CheckConstraint(condition=~Q(title=""), name="checklist_has_a_title"),
            models.UniqueConstraint(
                fields=["character", "session_key"],
                condition=~Q(session_key=""),
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
        return rules.experience_points(len(self.lines.all()), self.experience_rates)


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
        return self.kind in (self.EntryKind.HP_MAX, self.EntryKind.SKILL, self.EntryKind.SUIT)

    @property
    def was_taken_back(self) -> bool:
        """True if a later row undoes this purchase."""
        return hasattr(self, "taken_back")


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
                condition=Q(why="restored", restored_from__isnull=False)
                | (~Q(why="restored") & Q(restored_from=None)),
                name="revision_restored_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.character} {self.number}"
