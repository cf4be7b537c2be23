"""The users of Takujō: accounts, and people with or without one."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from typing import TypeVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from companion.names.fields import LineField
from companion.shared_time import SharedTimeField


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class User(AbstractUser):
    """An account. Playing does not require one."""

    turn_mail = models.EmailField(
        blank=True,
        help_text="The address that asked for letters when it is its turn (accounts/turn_mail.py).",
    )
    turn_mail_language = models.CharField(max_length=8, blank=True)


class Person(models.Model):
    """A user of Takujō, either with an account or as a guest whose only key is a device's signed cookie."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.OneToOneField(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="person")
    name = LineField(max_length=40, blank=True, help_text="The display name used last.")
    created_at = SharedTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return self.name or f"#{self.pk}"

    @property
    def has_recovery_code(self) -> bool:
        return self.links.filter(kind=PersonLink.Kind.CODE, taken_at=None).exists()

    def forget(self) -> None:
        """Make this person anonymous: without account, name, and device key."""
        self.user, self.name, self.key = None, "", uuid.uuid4()
        self.save(update_fields=["user", "name", "key"])


class PersonLink(models.Model):
    """A link that moves a guest to another device (``identity/person_links.py``); stored as a hash only."""

    class Kind(models.TextChoices):
        KEY = "key", _("key that the old device shows")
        CODE = "code", _("recovery code")
        WORD = "word", _("word of the GM")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=4, choices=Kind, default=Kind.KEY, db_default=Kind.KEY)
    by = models.CharField(
        max_length=12, blank=True, default="", db_default="", help_text="The GM who gave their word."
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = SharedTimeField(auto_now_add=True)
    asked_by = models.ForeignKey(
        Person,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The guest of the device that asks for everything.",
    )
    asked_at = models.DateTimeField(null=True, blank=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    brought = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="What went over, by keeper, and the two names of before.",
    )

    class Meta:
        verbose_name = _("link to another device")
        verbose_name_plural = _("links to other devices")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "kind"], condition=models.Q(taken_at=None), name="link_one_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return f"link to {self.person}"


class GmLink(models.Model):
    """A one-time link to become the GM. Only a hash is stored: a leaked database yields no working link."""

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = SharedTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("GM link")
        verbose_name_plural = _("GM links")

    def __str__(self) -> str:
        return f"GM link #{self.pk}"


def new_picture_key() -> str:
    return secrets.token_urlsafe(24)


class Picture(models.Model):
    """A picture encoded by ``companion.files.pictures``. Its key cannot be guessed.

    The key is enough to see a picture, unless it is ``guarded``: then the view of the object that shows it
    checks the viewer's access.
    """

    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="pictures")
    key = models.CharField(max_length=32, unique=True, default=new_picture_key, editable=False)
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    guarded = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    def __str__(self) -> str:
        return f"{self.width} × {self.height} #{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("picture", args=[self.key])


ShowsT = TypeVar("ShowsT", bound=models.Model)


class PicturedQuerySet(models.QuerySet[ShowsT]):
    def with_pictures(self) -> PicturedQuerySet[ShowsT]:
        """Fetch the pictures of all rows without their content, which has its own URL."""
        return self.select_related("picture").defer("picture__content")


class PushSubscription(models.Model):
    """A device of a person that gets notifications while no page is open."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1024, unique=True, help_text="Where its browser hears.")
    p256dh = models.CharField(max_length=128)
    auth = models.CharField(max_length=32)
    language = models.CharField(max_length=8, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("device for notifications")
        verbose_name_plural = _("devices for notifications")

    def __str__(self) -> str:
        return f"device of {self.person}"
