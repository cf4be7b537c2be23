"""The verbs of a character's face: a portrait, or one of our emblems."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from characters.models import Character
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.services.rows import lock
from characters.signals import face_changed
from companion.files import gallery, pictures
from companion.models import Picture


def set_portrait(*, character: Character, sent: bytes) -> None:
    """Give a character a portrait of what was sent.

    :raises SheetRefused: with the codes of ``pictures.rewritten``.
    :raises companion.limits.quotas.Full: the owner has too many pictures.
    """
    try:
        written = pictures.rewritten(sent, pictures.PORTRAIT)
    except pictures.PictureRefused as refusal:
        raise SheetRefused(refusal.code) from refusal
    with transaction.atomic():
        locked = lock(character)
        _wear(locked, portrait=gallery.keep(locked.owner, written), emblem=locked.emblem)


@transaction.atomic
def choose_emblem(*, character: Character, emblem: str) -> None:
    """Give a character an emblem in place of any portrait.

    :raises SheetRefused: ``no_such_emblem``.
    """
    if emblem not in Emblem.values:
        raise SheetRefused("no_such_emblem")
    _wear(lock(character), portrait=None, emblem=emblem)


def discard_portrait(sender: type[Character], instance: Character, **kwargs: Any) -> None:
    """Delete the portrait of a character that was deleted; receives ``post_delete``."""
    _discard(instance.portrait_id)


def _wear(locked: Character, *, portrait: Picture | None, emblem: str) -> None:
    before, locked.portrait, locked.emblem = locked.portrait_id, portrait, emblem
    locked.save(update_fields=["portrait", "emblem", "changed_at"])
    _discard(before)
    face_changed.send(Character, character=locked)


def _discard(picture_pk: int | None) -> None:
    if picture_pk:
        Picture.objects.filter(pk=picture_pk).delete()
