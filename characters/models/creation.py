"""The record of a character's creation: its method, every draw, and every choice."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models.sheets import Character

ADDRESS_LENGTH = 500


class Creation(models.Model):
    """The state of a character's creation, kept afterwards as its record."""

    class Method(models.TextChoices):
        STANDARD = "standard", _("Six cards (standard)")
        TWELVE = "twelve", _("Twelve cards")
        HAND = "hand", _("By hand, within what six cards give")

    #: The methods to start with. An imported character may switch to HAND.
    DRAWN = [Method.STANDARD, Method.TWELVE]

    character = models.OneToOneField(
        Character, primary_key=True, on_delete=models.CASCADE, related_name="creation"
    )
    method = models.CharField(max_length=8, choices=Method.choices)
    secret = models.CharField(
        max_length=64,
        editable=False,
        help_text="All draws follow from it; its owner sees it once the character is done.",
    )
    step = models.CharField(max_length=8, default="cards", help_text="Where to go on.")
    return_to = models.CharField(
        max_length=ADDRESS_LENGTH, blank=True, help_text="Local address to go to when done."
    )
    red_jokers = models.PositiveSmallIntegerField(default=0)
    offers = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="Of somebody brought from another game: names of skills, and kinds and names of items.",
    )
    spent_hp = models.PositiveSmallIntegerField(default=0)
    spent_skills = models.PositiveSmallIntegerField(default=0)
    spent_suits = models.PositiveSmallIntegerField(default=0)
    spent_specials = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("character creation")
        verbose_name_plural = _("character creations")
        constraints = [
            models.CheckConstraint(
                condition=Q(method__in=["standard", "twelve", "hand"]), name="creation_method"
            ),
            models.CheckConstraint(condition=Q(red_jokers__lte=2), name="creation_red_jokers"),
        ]

    def __str__(self) -> str:
        return f"{self.character}: {self.get_method_display()}"

    @property
    def cards(self) -> list[str]:
        """The cards of the last draw."""
        draws = list(self.draws.all())
        return draws[-1].cards if draws else []

    @property
    def offered_skills(self) -> list[str]:
        return list(self.offers.get("skills", []))

    @property
    def offered_items(self) -> list[dict[str, str]]:
        """The kinds and names of the imported items that are not on the sheet yet."""
        packed = {item.name for item in self.character.items.all()}
        return [item for item in self.offers.get("items", []) if item["name"] not in packed]

    @property
    def redraws(self) -> int:
        return max(len(self.draws.all()) - 1, 0)

    @property
    def spending(self) -> rules.Spending:
        return rules.Spending(self.spent_hp, self.spent_skills, self.spent_suits, self.spent_specials)

    @spending.setter
    def spending(self, spending: rules.Spending) -> None:
        self.spent_hp, self.spent_skills = spending.hp, spending.skills
        self.spent_suits, self.spent_specials = spending.suits, spending.specials


class Draw(models.Model):
    """One draw of six or twelve cards. Number 0 is the first draw; the last one is valid."""

    creation = models.ForeignKey(Creation, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()
    cards = models.JSONField(help_text="Card ids in the order drawn.")
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["creation", "number"], name="draw_number_once")]

    def __str__(self) -> str:
        return f"{self.number}: {' '.join(self.cards)}"
