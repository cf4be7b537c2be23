"""Shared clocks: the counters and countdowns that a GM shows to everybody."""

from __future__ import annotations

from datetime import timedelta

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from companion.names.fields import LineField
from sessions.models.evening import Session

CLOCK_SEGMENTS = (2, 12)
CLOCK_MINUTES = (1, 180)


class SharedClock(models.Model):
    """A clock of a session: segments that fill up, or a countdown, which has no segments.

    A running countdown has ``ends_at``, a stopped one has its remaining time in ``left``.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="clocks")
    name = LineField(_("name"), max_length=40)
    segments = models.PositiveSmallIntegerField(
        null=True, validators=[MinValueValidator(CLOCK_SEGMENTS[0]), MaxValueValidator(CLOCK_SEGMENTS[1])]
    )
    filled = models.PositiveSmallIntegerField(default=0)
    left = models.DurationField(default=timedelta)
    ends_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("shared clock")
        verbose_name_plural = _("shared clocks")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(segments=None, filled=0) | Q(filled__lte=F("segments")),
                name="sharedclock_filled_at_most",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def parts(self) -> list[bool]:
        """Its segments, each with whether it is filled."""
        return [number < self.filled for number in range(self.segments or 0)]

    @property
    def ends_ms(self) -> int | None:
        """The end of a running countdown, in milliseconds since 1970."""
        return round(self.ends_at.timestamp() * 1000) if self.ends_at else None

    @property
    def left_ms(self) -> int:
        """The remaining time of a stopped countdown, in milliseconds."""
        return round(self.left.total_seconds() * 1000)
