"""NPC ranks and their default stats. [UC-10.4]"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion.wording.translated import TranslatedField, localize


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
            models.CheckConstraint(condition=models.Q(rank__range=(1, 6)), name="npc_rank_range"),
            models.CheckConstraint(condition=models.Q(hp__range=(1, 99)), name="npc_rank_hp"),
            models.CheckConstraint(condition=models.Q(suits__lte=3), name="npc_rank_suits"),
            models.CheckConstraint(condition=models.Q(weapon__lte=8, armour__lte=8), name="npc_rank_gear"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.name}"

    @property
    def name(self) -> str:
        """The rank's name in the reader's language."""
        return localize(self.names)

    @property
    def text(self) -> str:
        """The rank's description in the reader's language."""
        return localize(self.descriptions)
