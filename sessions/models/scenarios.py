"""Scenarios with their revisions, pictures and sounds, and the stage of a session."""

from __future__ import annotations

import secrets

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from companion.models import Person, Picture
from companion.names.fields import LineField
from companion.shared_time import SharedTimeField
from sessions.models.evening import Session


class KeptScenarios(models.Manager["Scenario"]):
    """Scenarios without the copies for rehearsals, which must not be listed, changed or exported."""

    def get_queryset(self) -> models.QuerySet[Scenario]:
        return super().get_queryset().filter(rehearsal=None)


class Scenario(models.Model):
    """A scenario, which belongs to its author and to no campaign (``sessions/scenarios/document.py``)."""

    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="scenarios")
    title = LineField(_("title"), max_length=60, blank=True, help_text="The document's, for lists.")
    document = models.JSONField()
    version = models.PositiveIntegerField(default=0, help_text="Grows with every change.")
    rehearsal = models.OneToOneField(
        Session, null=True, on_delete=models.CASCADE, related_name="+", help_text="It goes with this one."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = SharedTimeField(auto_now=True)

    objects = KeptScenarios()

    class Meta:
        verbose_name = _("scenario")
        verbose_name_plural = _("scenarios")
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class ScenarioRevision(models.Model):
    """An earlier state of a scenario, saved before its author went on after a pause, or made a big change."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="revisions")
    version = models.PositiveIntegerField()
    made_at = models.DateTimeField(auto_now_add=True)
    document = models.JSONField()

    class Meta:
        verbose_name = _("version of a scenario")
        verbose_name_plural = _("versions of scenarios")
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["scenario", "version"], name="scenario_revision_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.scenario} {self.version}"


class ScenarioPicture(models.Model):
    """A picture of a scenario, kept as long as the scenario, since any of its revisions may show it."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="pictures")
    picture = models.OneToOneField(Picture, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("picture of a scenario")
        verbose_name_plural = _("pictures of scenarios")

    def __str__(self) -> str:
        return str(self.picture)


def new_sound_key() -> str:
    return secrets.token_urlsafe(24)


class ScenarioSound(models.Model):
    """A sound of a scenario, kept as long as the scenario. It never changes; its key is enough to hear it."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="sounds")
    key = models.CharField(max_length=32, unique=True, default=new_sound_key, editable=False)
    name = LineField(_("name"), max_length=60)
    media_type = models.CharField(max_length=10)
    seconds = models.FloatField()
    size = models.PositiveIntegerField(help_text="In bytes.")
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sound of a scenario")
        verbose_name_plural = _("sounds of scenarios")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("play:sound", args=[self.key])


class Stage(models.Model):
    """The GM's side of a session's stage: the scenario, the scene on stage, and the things used so far."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="stage")
    scenario = models.ForeignKey(Scenario, null=True, on_delete=models.SET_NULL, related_name="+")
    scene = models.CharField(max_length=12, blank=True, help_text="The id of the scene that is on.")
    used = models.JSONField(default=list, help_text="The ids of what has been used tonight.")

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")

    def __str__(self) -> str:
        return f"{self.session}: {self.scenario}"
