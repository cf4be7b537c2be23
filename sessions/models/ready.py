"""The things that a GM prepares, and the copies of handouts that seats get."""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from companion.models import Picture, PicturedQuerySet
from companion.names.fields import LineField
from sessions.models.evening import Campaign, Session
from sessions.models.seats import Seat


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
    at = models.DateTimeField(auto_now_add=True)
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
