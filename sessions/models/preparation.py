"""The things that a GM prepares: handouts with the copies that seats get, notes, checks, and NPCs. [UC-10.4]

NPCs are in the GM's library; those at tables are here, too.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from companion.models import Picture, PicturedQuerySet
from companion.names.fields import LineField
from companion.shared_time import SharedTimeField
from sessions.models.evening import Campaign, Session
from sessions.models.seats import Seat
from sessions.models.tables import Table


class Handout(models.Model):
    """A handout (HO): a part for everybody, and a secret for its holders alone until it is revealed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="handouts")
    title = LineField(_("title"), max_length=60)
    text = models.TextField(_("for everybody"), max_length=4000, blank=True)
    secret = models.TextField(_("only for who gets it"), max_length=4000, blank=True)
    picture = models.OneToOneField(
        Picture,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="handout",
        help_text="Seen by those who may read the secret.",
    )
    revealed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PicturedQuerySet.as_manager()

    class Meta:
        verbose_name = _("handout")
        verbose_name_plural = _("handouts")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def picture_url(self) -> str:
        """The URL of its picture, whose view checks that the person may read the secret."""
        return reverse("play:handout-picture", args=[self.pk, self.picture.key]) if self.picture else ""


class Notice(models.Model):
    """A card that every phone shows at the same time (秘匿の同報), although its content differs by seat."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="notices")
    at = SharedTimeField(auto_now_add=True)
    read_by = models.ManyToManyField(Seat, blank=True, related_name="+")

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.session} {self.at:%H:%M}"


class HandoutCopy(models.Model):
    """A seat's copy of a handout, held back until it is given out with a notice."""

    handout = models.ForeignKey(Handout, on_delete=models.CASCADE, related_name="copies")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="handout_copies")
    notice = models.ForeignKey(Notice, null=True, blank=True, on_delete=models.CASCADE, related_name="copies")

    class Meta:
        verbose_name = _("handed-out copy")
        verbose_name_plural = _("handed-out copies")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["handout", "seat"], name="handout_one_copy_a_seat")]

    def __str__(self) -> str:
        return f"{self.handout} → {self.seat}"


class SceneNote(models.Model):
    """The GM's private notes for a scene, and a picture that the GM can show to everybody."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="scene_notes")
    title = LineField(_("scene"), max_length=60)
    text = models.TextField(_("notes"), max_length=4000, blank=True)
    picture = models.OneToOneField(
        Picture, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="scene_note"
    )
    caption = LineField(_("words under the picture"), max_length=60, blank=True)

    objects = PicturedQuerySet.as_manager()

    class Meta:
        verbose_name = _("scene note")
        verbose_name_plural = _("scene notes")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def picture_url(self) -> str:
        """The URL of its picture, which anyone with the URL may open."""
        return self.picture.get_absolute_url() if self.picture else ""


class PreparedCheck(models.Model):
    """A check that the GM expects: one tap fills in the form that calls it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="prepared_checks")
    label = LineField(_("what for"), max_length=80)
    difficulty = models.PositiveSmallIntegerField(
        _("difficulty"), default=2, validators=[MaxValueValidator(5)]
    )
    chain = models.BooleanField(_("chain check"), default=False)
    tool_missing = models.BooleanField(_("needs a tool nobody has"), default=False)

    class Meta:
        verbose_name = _("prepared check")
        verbose_name_plural = _("prepared checks")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(difficulty__lte=5), name="prepared_check_difficulty")
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.difficulty})"


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


class TableNpcQuerySet(models.QuerySet["TableNpc"]):
    def with_pictures(self) -> TableNpcQuerySet:
        """Load ``shown_picture`` with the rows, but not its bytes."""
        rows = self.select_related("library__picture", "picture")
        return rows.defer("library__picture__content", "picture__content")


class TableNpc(models.Model):
    """An NPC at a table that came out of the library, or out of a scenario with a picture.

    Its notes stay in the library, for the GM alone.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="npcs")
    npc = models.CharField(max_length=8, help_text="n1, n2 …")
    name = LineField(max_length=40, help_text="Its name at the table.")
    library = models.ForeignKey(LibraryNpc, null=True, on_delete=models.CASCADE, related_name="+")
    picture = models.ForeignKey(
        "companion.Picture",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Its face, if it came out of a scenario.",
    )

    objects = TableNpcQuerySet.as_manager()

    class Meta:
        verbose_name = _("NPC at a table")
        verbose_name_plural = _("NPCs at tables")
        constraints = [models.UniqueConstraint(fields=["table", "npc"], name="table_npc_one_an_id")]

    def __str__(self) -> str:
        return f"{self.npc} {self.name}"

    @property
    def shown_picture(self) -> Picture | None:
        return self.library.picture if self.library else self.picture
