"""Further faces of a character 表情差分, each under a label that its player writes."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models.sheets import Character
from companion.models import Picture, PicturedQuerySet
from companion.names.fields import LineField


class FacePicture(models.Model):
    """A further picture of a character, shown with its chat lines."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="faces")
    order = models.PositiveSmallIntegerField()
    label = LineField(max_length=rules.LABEL_LENGTH)
    picture = models.OneToOneField(
        Picture, editable=False, on_delete=models.CASCADE, related_name="labelled_face"
    )

    objects = PicturedQuerySet.as_manager()

    class Meta:
        verbose_name = _("face")
        verbose_name_plural = _("faces")
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["character", "label"], name="face_label_once"),
            models.CheckConstraint(condition=~models.Q(label=""), name="face_has_a_label"),
        ]

    def __str__(self) -> str:
        return self.label
