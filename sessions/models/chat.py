"""The chat messages of a session."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from companion import shared_time
from companion.names.fields import LineField
from companion.shared_time import SharedTimeField
from sessions.models.evening import Session
from sessions.models.seats import Seat


class Tab(models.TextChoices):
    MAIN = "main", _("Main")
    INFO = "info", _("Info")
    OTHER = "other", _("Aside")
    WHISPER = "whisper", _("Whispers")


class MessageQuerySet(models.QuerySet["Message"]):
    def with_speakers(self) -> MessageQuerySet:
        """Fetch authors and faces along, without the content of pictures."""
        rows = self.select_related("author", "character__portrait", "face__picture", "npc__picture")
        pictures = ("character__portrait", "face__picture", "npc__picture")
        return rows.defer("character__background", *(f"{picture}__content" for picture in pictures))


class Message(models.Model):
    """A message in a session's chat. Its id is random, so that players cannot count others’ whispers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    tab = models.CharField(max_length=7, choices=Tab)
    author = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="messages")
    client_id = models.UUIDField(help_text="The device's own id of it: sent again, it is still one message.")
    draft_digest = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        help_text="Fingerprint of what was sent under the id; empty once its words have been changed.",
    )
    spoken_as = LineField(max_length=40, help_text="Who speaks: a character, an NPC, the seat's name.")
    character = models.ForeignKey(
        "characters.Character",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The character that speaks: its face stands beside the line.",
    )
    face = models.ForeignKey(
        "characters.FacePicture",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The face that was chosen for the line, if it is not the usual one.",
    )
    npc = models.ForeignKey(
        "play.LibraryNpc",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The NPC of the library that the GM speaks as.",
    )
    text = models.TextField(max_length=1000, blank=True)
    to = models.ManyToManyField(Seat, blank=True, related_name="whispers", help_text="Of a whisper alone.")
    open_to_gm = models.BooleanField(default=False, help_text="The GM could read whispers when it was sent.")
    changes = models.JSONField(default=list, blank=True, help_text="What :HP-1 did: [name, before, after].")
    #: ``held`` is there if the roll has a target.
    rolled = models.JSONField(
        null=True, blank=True, help_text="Of a roll: its sides, its dice as they fell, and the sum."
    )
    sent_at = SharedTimeField(default=shared_time.now)
    edited_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["sent_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["author", "client_id"], name="message_sent_once")]
        indexes = [models.Index(fields=["session", "tab", "sent_at"], name="message_by_tab")]

    def __str__(self) -> str:
        return f"{self.tab} {self.pk}"

    @property
    def roll_result(self) -> str:
        """Whether a roll held its target, in the reader's language; empty for any other message."""
        held = (self.rolled or {}).get("held")
        if held is None:
            return ""
        return pgettext("roll", "Success") if held else pgettext("roll", "Failure")

    @property
    def has_face(self) -> bool:
        """True if its speaker has a face of their own: else a mask stands for it."""
        return bool(self.face_id or self.character_id or (self.npc and self.npc.picture_id))
