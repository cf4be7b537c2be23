"""The reference tables: the power tables of items and the ranks of NPCs. [UC-7.1, UC-10.4]

Texts are stored in each language. A campaign may replace the texts of items, and the stats of ranks.
"""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from characters import rules
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


class ItemPower(ReferenceText):
    """One row of a power table: examples for one value."""

    class PowerTable(models.TextChoices):
        TOOL = "tool", _("Tools")
        WEAPON = "weapon", _("Weapons")
        ARMOUR = "armour", _("Armour and shields")

    table = models.CharField(max_length=6, choices=PowerTable.choices)
    value = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("item value")
        verbose_name_plural = _("item values")
        ordering = ["table", "value"]
        constraints = [
            models.UniqueConstraint(fields=["table", "value"], name="item_power_once"),
            models.CheckConstraint(
                condition=Q(value__range=(0, rules.TABLE_VALUES[-1])), name="item_power_value"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_table_display()} {self.value}: {self.text}"

    @property
    def key(self) -> str:
        """The key of the row in a campaign's house rules: ``weapon-2``."""
        return f"{self.table}-{self.value}"


class NpcRank(models.Model):
    """One rank of the rulebook's table, with default stats that a campaign may change."""

    rank = models.PositiveSmallIntegerField(unique=True)
    names = TranslatedField(_("names"))
    descriptions = TranslatedField(_("descriptions"))
    hp = models.PositiveSmallIntegerField()
    skills = models.PositiveSmallIntegerField()
    suits = models.PositiveSmallIntegerField()
    weapon = models.PositiveSmallIntegerField()
    armour = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("NPC rank")
        verbose_name_plural = _("NPC ranks")
        ordering = ["rank"]
        constraints = [
            models.CheckConstraint(condition=Q(rank__range=(1, 6)), name="npc_rank_range"),
            models.CheckConstraint(condition=Q(hp__range=(1, 99)), name="npc_rank_hp"),
            models.CheckConstraint(condition=Q(suits__lte=3), name="npc_rank_suits"),
            models.CheckConstraint(condition=Q(weapon__lte=8, armour__lte=8), name="npc_rank_gear"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.name}"

    @property
    def name(self) -> str:
        return localize(self.names)

    @property
    def text(self) -> str:
        return localize(self.descriptions)
