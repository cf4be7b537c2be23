"""Campaigns and their sessions, the lines and veils of a campaign, and the shared clocks of a session."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from companion import shared_time
from companion.fate import commitment
from companion.names.fields import LineField
from companion.shared_time import SharedTimeField

if TYPE_CHECKING:
    from sessions.models.seats import Seat
    from sessions.models.tables import Table

#: The time after which a join code is invalid; seated people stay seated.
CODE_LIFETIME = timedelta(hours=24)
CLOCK_SEGMENTS = (2, 12)
CLOCK_MINUTES = (1, 180)
T = TypeVar("T")


class Campaign(models.Model):
    """A series of sessions under one GM, with its people and house rules."""

    gm = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="campaigns")
    name = LineField(_("name"), max_length=60)
    jokers = models.PositiveSmallIntegerField(
        _("jokers in the deck"), default=2, choices=[(1, "1"), (2, "2")]
    )
    ladder = models.JSONField(
        null=True,
        blank=True,
        help_text="House rules for the difficulty ladder, six rows as in UC-4.2; empty: the rules' own.",
    )
    house_values = models.JSONField(
        default=dict,
        blank=True,
        help_text="House rules for experience (UC-11.2) and NPC ranks (UC-10.4); empty: the rules' own.",
    )
    grace = models.BooleanField(
        default=True, help_text="House rule: what a play draws waits while it can be taken back."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(jokers__in=[1, 2]), name="campaign_one_or_two_jokers")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def evenings(self) -> QuerySet[Session]:
        """Its sessions, without rehearsals."""
        return self.sessions.filter(trial="")


def new_roll_secret() -> str:
    return secrets.token_hex(32)


class Trial(models.TextChoices):
    """The kinds of trial sessions, which affect no sheet and no experience, and are in no campaign's file."""

    PRACTICE = "practice", _("Practice evening")
    REHEARSAL = "rehearsal", _("Rehearsal")
    FIRST_GAME = "first", _("First game")


class Session(models.Model):
    """One session (卓): a join code, seats, tables.

    A session has a campaign with its GM, or is free: board games alone or with friends.
    """

    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.CASCADE, related_name="sessions"
    )
    host = models.ForeignKey(
        "companion.Person",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="free_sessions",
        help_text="Of a free night: who began it, and opens its games and its door.",
    )
    trial = models.CharField(
        max_length=9,
        blank=True,
        editable=False,
        choices=Trial,
        help_text="A newcomer's practice or first game (free), or a GM's rehearsal (of a campaign).",
    )
    title = LineField(_("title"), max_length=60)
    code = models.CharField(max_length=10, blank=True, help_text="Empty where nobody else is to come.")
    code_issued_at = SharedTimeField(default=shared_time.now)
    joining_open = models.BooleanField(default=True)
    players_open = models.BooleanField(default=False, help_text="Players may open board games.")
    scene = LineField(max_length=60, blank=True, help_text="Where the story is now, for all.")
    scene_note = models.ForeignKey(
        "play.SceneNote",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Whose picture everybody sees now.",
    )
    staged = models.JSONField(
        default=dict,
        editable=False,
        help_text="What everybody sees and hears of the scene that is on, as it was when it was put on.",
    )
    face_key = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False, help_text="Address of the table face."
    )
    gm_reads_whispers = models.BooleanField(_("The GM can read whispers"), default=False)
    players_write_hp = models.BooleanField(_("Players write their own HP"), default=True)
    spectators_chat = models.BooleanField(_("Spectators may write aside"), default=False)
    roll_secret = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        default=new_roll_secret,
        help_text="What the chat's rolls follow from; empty where none can be proved any more.",
    )
    emotes = models.BooleanField(default=True, help_text="Players may show emotes.")
    seating = models.PositiveIntegerField(
        default=0, help_text="Grows whenever somebody else may sit, look or run things than before."
    )
    opened_at = SharedTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    secrets_opened_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when everybody seated may read what was hidden."
    )
    thinned_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Since when its messages and moves are gone."
    )
    replay_key = models.UUIDField(
        null=True, blank=True, unique=True, editable=False, help_text="Address of the shared replays, if any."
    )

    class Meta:
        verbose_name = _("evening")
        verbose_name_plural = _("evenings")
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["code"],
                condition=Q(ended_at=None) & ~Q(code=""),
                name="session_one_open_session_a_code",
            ),
            models.CheckConstraint(
                condition=Q(campaign=None, host__isnull=False) | Q(campaign__isnull=False, host=None),
                name="session_campaign_or_host",
            ),
        ]
        # SQLite cannot use the unique index: it does not know that the code of a query is not empty.
        indexes = [
            models.Index(fields=["code"], condition=Q(ended_at=None), name="session_by_open_code"),
            models.Index(
                fields=["code_issued_at", "code"], condition=Q(ended_at=None), name="session_by_code_time"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("play:session", args=[self.pk])

    @property
    def name(self) -> str:
        """Its title. The title of a free session is ours, and is translated into the reader's language."""
        return gettext(self.title) if self.is_free else self.title

    @cached_property
    def sitters(self) -> list[Seat]:
        """All its seats, including removed ones, cached at the first access."""
        rows = self.seats.select_related("character__portrait", "stand_in", "person")
        return list(rows.defer("character__portrait__content").order_by("joined_at", "pk"))

    @property
    def players(self) -> list[Seat]:
        """Its seats that were not removed, except the GM's, from the cached ``sitters``."""
        return [seat for seat in self.sitters if not seat.removed_at and not seat.is_gm]

    @cached_property
    def running(self) -> list[Table]:
        """Its running tables, oldest first, cached at the first access."""
        return list(self.tables.filter(ended_at=None).order_by("pk"))

    @cached_property
    def _shared_rows(self) -> dict[str, Any]:
        return {}

    def read_once(self, name: str, read: Callable[[], T]) -> T:
        """Return the result of ``read`` for this name, called at the first access.

        Pages that are rendered together share this object, so these rows must be the same for all readers.
        """
        if name not in self._shared_rows:
            self._shared_rows[name] = read()
        found: T = self._shared_rows[name]
        return found

    @property
    def admits(self) -> bool:
        """True if a newcomer with the code may join now."""
        fresh = shared_time.now() < self.code_issued_at + CODE_LIFETIME
        return bool(self.code) and self.joining_open and self.ended_at is None and fresh

    @property
    def is_free(self) -> bool:
        """True if it has no campaign and no GM."""
        return self.campaign_id is None

    @property
    def own_campaign(self) -> Campaign:
        """Its campaign, for code that only handles sessions with a GM."""
        assert self.campaign
        return self.campaign

    @property
    def place(self) -> str:
        """The campaign's name and its own; for a free session only its own."""
        return f"{self.campaign} · {self.title}" if self.campaign else self.name

    @property
    def roll_commitment(self) -> str:
        """The fingerprint of the secret of its rolls, public from the start."""
        return commitment(self.roll_secret)

    @property
    def spoken_code(self) -> str:
        """The code as people read it aloud: in two groups."""
        half = len(self.code) // 2
        return f"{self.code[:half]} {self.code[half:]}"


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


class Limit(models.Model):
    """A limit (リミット) of a campaign: agreed on, or proposed.

    Its author is never stored, and its time (``shown_from``) only until the GM is shown it: at a small table,
    the time would reveal the author. Its id is random for the same reason.
    """

    class LimitKind(models.TextChoices):
        LINE = "line", pgettext_lazy("limit", "Line")
        VEIL = "veil", pgettext_lazy("limit", "Veil")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="limits")
    kind = models.CharField(_("how far"), max_length=4, choices=LimitKind, default=LimitKind.LINE)
    words = LineField(_("what"), max_length=60)
    agreed = models.BooleanField(default=False, editable=False)
    shown_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="The GM is shown a proposal from then on; emptied when it is past.",
    )

    class Meta:
        # By words: the order in which limits were proposed could reveal their authors.
        ordering = ["kind", "words", "pk"]
        verbose_name = _("line or veil")
        verbose_name_plural = _("lines and veils")

    def __str__(self) -> str:
        return self.words
