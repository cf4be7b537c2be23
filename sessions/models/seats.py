"""The seats of a session, with links to them, claims on them, and notes about them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from companion.names.fields import LineField
from companion.shared_time import SharedTimeField
from sessions.models.evening import Session


class Role(models.TextChoices):
    GM = "gm", _("GM")
    PLAYER = "player", _("Player")
    SPECTATOR = "spectator", _("Spectator")


class Seat(models.Model):
    """A person's place in a session. It is kept for the whole session; a kick only sets ``removed_at``."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats")
    person = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="seats")
    role = models.CharField(max_length=9, choices=Role)
    name = LineField(max_length=12)
    name_key = models.CharField(max_length=48, editable=False, help_text="The name without width and case.")
    character = models.ForeignKey(
        "characters.Character", null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    approved = models.BooleanField(default=False, help_text="The GM has approved the character.")
    approved_revision = models.PositiveIntegerField(
        null=True, blank=True, editable=False, help_text="The revision of the sheet that the GM approved."
    )
    approved_before = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="The GM approved this revision at an earlier session, so it was approved at once.",
    )
    deputy = models.BooleanField(
        default=False, help_text="May run the session while the GM is gone (サブマスター)."
    )
    stand_in = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="stands_in_for",
        help_text="The seat that plays this one meanwhile (代行).",
    )
    stand_in_asked = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat that would play this one, if its person, who is here, says yes.",
    )
    stepped_out = models.BooleanField(default=False, help_text="Away from the table for a while (離席中).")
    moved_from = models.ForeignKey(
        "companion.Person",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who held it before it went to another device.",
    )
    joined_at = SharedTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "person"], name="seat_one_a_person"),
            models.UniqueConstraint(
                fields=["session", "name_key"], condition=Q(removed_at=None), name="seat_names_differ"
            ),
            models.CheckConstraint(condition=~Q(stand_in=F("pk")), name="seat_stands_in_for_others"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM


class SeatLink(models.Model):
    """A one-time link that moves a seat to another device. Only its hash is stored."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = SharedTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("seat link")
        verbose_name_plural = _("seat links")

    def __str__(self) -> str:
        return f"link to {self.seat}"


class SeatClaim(models.Model):
    """The claim of a person who wants to join that a seat is theirs; the GM answers it."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="claims")
    person = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("seat claim")
        verbose_name_plural = _("seat claims")
        ordering = ["made_at"]
        constraints = [models.UniqueConstraint(fields=["seat", "person"], name="seat_claimed_once")]

    def __str__(self) -> str:
        return f"claim on {self.seat}"


class SeatNote(models.Model):
    """A recorded event about a seat, such as a deputy running the session, or a stand-in playing."""

    class SeatNoteKind(models.TextChoices):
        STOOD_IN = "stood_in"
        NO_STAND_IN = "no_stand_in"
        TAKEN_BACK = "taken_back"
        TOOK_OVER = "took_over"
        DEPUTY = "deputy"
        NO_DEPUTY = "no_deputy"
        MOVED = "moved"
        DEVICE_ASKED = "device_asked"
        DEVICE_NO = "device_no"
        DEVICE_NEW = "device_new"
        DEVICE_BACK = "device_back"
        REMOVED = "removed"
        RESTORED = "restored"
        BOT_PLAYS = "bot_plays"
        BOT_LEFT = "bot_left"
        BOT_REPLACED = "bot_replaced"
        TABLE_STOPPED = "table_stopped"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seat_notes")
    kind = models.CharField(max_length=13, choices=SeatNoteKind)
    name = LineField(max_length=12, help_text="Whose seat, as it was called then.")
    by = LineField(max_length=12, blank=True, help_text="Who else had part in it.")
    at = SharedTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("seat note")
        verbose_name_plural = _("seat notes")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"
