"""The library of NPCs, and its NPCs at tables. [UC-10.4]"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from companion.names.fields import LineField
from sessions.models.evening import Campaign
from sessions.models.tables import Table


class LibraryNpc(models.Model):
    """An NPC in a GM's library; at a table, an empty field gets the value of its rank."""

    owner = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="npcs")
    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="npcs",
    )
    name = LineField(_("name"), max_length=40)
    rank = models.PositiveSmallIntegerField(_("rank"))
    hp_max = models.PositiveSmallIntegerField("HP", null=True, blank=True)
    suits = models.CharField(_("favoured suits"), max_length=3, blank=True)
    skills = models.TextField(_("skills"), blank=True, help_text="One a line.")
    weapon = models.PositiveSmallIntegerField(_("weapon"), null=True, blank=True)
    armour = models.PositiveSmallIntegerField(_("armour"), null=True, blank=True)
    hidden = models.BooleanField(_("Players do not see its HP"), default=False)
    notes = models.TextField(_("special abilities and notes"), blank=True, max_length=2000)

    picture = models.OneToOneField(
        "companion.Picture",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="npc",
        help_text="Its face, for everybody once it is at a table or speaks.",
    )

    class Meta:
        verbose_name = _("NPC in the library")
        verbose_name_plural = _("NPCs in the library")
        ordering = ["rank", "name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(rank__range=(1, 6)), name="library_npc_rank"),
            models.CheckConstraint(
                condition=Q(hp_max=None) | Q(hp_max__range=(1, 99)), name="library_npc_hp"
            ),
            models.CheckConstraint(condition=Q(weapon=None) | Q(weapon__lte=8), name="library_npc_weapon"),
            models.CheckConstraint(condition=Q(armour=None) | Q(armour__lte=8), name="library_npc_armour"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def skill_names(self) -> list[str]:
        return self.skills.splitlines()


class TableNpc(models.Model):
    """An NPC at a table that came out of the library, where its notes stay for the GM alone."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="npcs")
    npc = models.CharField(max_length=8, help_text="n1, n2 …")
    name = LineField(max_length=40, help_text="Its name at the table.")
    library = models.ForeignKey(LibraryNpc, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("NPC at a table")
        verbose_name_plural = _("NPCs at tables")
        constraints = [models.UniqueConstraint(fields=["table", "npc"], name="table_npc_one_an_id")]

    def __str__(self) -> str:
        return f"{self.npc} {self.name}"
