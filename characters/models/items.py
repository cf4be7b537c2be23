"""The three power tables: the meaning of values for tools, weapons and armour. [UC-7.1]"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models.texts import ReferenceText


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
                condition=models.Q(value__range=(0, rules.TABLE_VALUES[-1])), name="item_power_value"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_table_display()} {self.value}: {self.text}"

    @property
    def key(self) -> str:
        """The key of the row in a campaign's house rules: ``weapon-2``."""
        return f"{self.table}-{self.value}"
