"""Faces: a portrait or one of our emblems, and labelled pictures for chat lines; their services and HTML."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters import rules
from characters.exchange import parsing
from characters.models import Character, FacePicture
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.services.sheets import face_changed, lock
from companion.files import gallery, pictures
from companion.models import Picture


def set_portrait(*, character: Character, sent: bytes) -> None:
    """Set the portrait from an uploaded file. Refusals: the codes of ``pictures.rewritten``.

    :raises companion.requests.quotas.QuotaExceeded: the owner has too many pictures.
    """
    encoded = _reencode(sent, pictures.PORTRAIT)
    with transaction.atomic():
        locked = lock(character)
        _save_portrait(locked, portrait=gallery.store_picture(locked.owner, encoded), emblem=locked.emblem)


@transaction.atomic
def choose_emblem(*, character: Character, emblem: str) -> None:
    """Set the emblem and remove the portrait. Refusals: ``no_such_emblem``."""
    if emblem not in Emblem.values:
        raise SheetRefused("no_such_emblem")
    _save_portrait(lock(character), portrait=None, emblem=emblem)


def add_face(*, character: Character, label: str, sent: bytes) -> None:
    """Add a labelled face.

    Refusals: ``too_many_faces``, ``bad_label``, ``label_taken``, and the codes of ``pictures.rewritten``.

    :raises companion.requests.quotas.QuotaExceeded: the owner has too many pictures.
    """
    encoded = _reencode(sent, pictures.FACE)
    with transaction.atomic():
        locked = lock(character)
        last = locked.faces.last()
        if locked.faces.count() >= rules.FACES_AT_MOST:
            raise SheetRefused("too_many_faces")
        FacePicture.objects.create(
            character=locked,
            label=_free_label(locked, label),
            order=last.order + 1 if last else 0,
            picture=gallery.store_picture(locked.owner, encoded),
        )
        face_changed.send(Character, character=locked)


@transaction.atomic
def relabel_face(*, character: Character, face_pk: int, label: str) -> None:
    """Refusals: ``no_such_face``, ``bad_label``, ``label_taken``."""
    face = _lock_face(character, face_pk)
    face.label = _free_label(face.character, label, but=face)
    face.save(update_fields=["label"])
    face_changed.send(Character, character=face.character)


@transaction.atomic
def move_face(*, character: Character, face_pk: int, up: bool) -> None:
    """Swap a face with its neighbour, if it has one on that side. Refusals: ``no_such_face``."""
    face = _lock_face(character, face_pk)
    faces = list(face.character.faces.all())
    place = faces.index(face)
    there = max(place - 1, 0) if up else min(place + 1, len(faces) - 1)
    faces.insert(there, faces.pop(place))
    for order, moved in enumerate(faces):
        moved.order = order
    FacePicture.objects.bulk_update(faces, ["order"])
    face_changed.send(Character, character=face.character)


@transaction.atomic
def remove_face(*, character: Character, face_pk: int) -> None:
    """Delete a face and its picture. Refusals: ``no_such_face``."""
    face = _lock_face(character, face_pk)
    face.delete()
    face_changed.send(Character, character=face.character)


def discard_portrait(sender: type[Character], instance: Character, **kwargs: Any) -> None:
    """Delete the portrait of a deleted character; receiver of ``post_delete``."""
    gallery.discard(instance.portrait_id)


def _reencode(sent: bytes, shape: pictures.Shape) -> pictures.EncodedPicture:
    try:
        return pictures.rewritten(sent, shape)
    except pictures.PictureRefused as refusal:
        raise SheetRefused(refusal.code) from refusal


def _lock_face(character: Character, face_pk: int) -> FacePicture:
    """Return a face, and lock its character until the transaction ends."""
    locked = lock(character)
    face = locked.faces.filter(pk=face_pk).first()
    if face is None:
        raise SheetRefused("no_such_face")
    face.character = locked
    return face


def _free_label(locked: Character, written: str, but: FacePicture | None = None) -> str:
    label = parsing.clean_label(written)
    others = [face.label for face in locked.faces.all() if face != but]
    if parsing.find_label(label, others) is not None:
        raise SheetRefused("label_taken")
    return label


def _save_portrait(locked: Character, *, portrait: Picture | None, emblem: str) -> None:
    before, locked.portrait, locked.emblem = locked.portrait_id, portrait, emblem
    locked.save(update_fields=["portrait", "emblem", "changed_at"])
    gallery.discard(before)
    face_changed.send(Character, character=locked)


def render_face(character: Character) -> SafeString:
    """Render the portrait or the emblem. Screen readers skip it, as the name is always next to it."""
    if character.portrait:
        return render_portrait(character.portrait)
    return render_emblem(character.emblem, character.suits)


def render_portrait(picture: Picture, label: str = "") -> SafeString:
    """Render a picture as a face, with its label as the alternative text."""
    return format_html(
        '<span class="portrait"><img src="{}" alt="{}" width="{}" height="{}" decoding="async"></span>',
        picture.get_absolute_url(),
        label,
        picture.width,
        picture.height,
    )


def render_emblem(name: str, suits: str = "") -> SafeString:
    """Render an emblem in the colour of the first of these suits."""
    return format_html(
        '<span class="portrait emblem" data-suit="{}"><svg class="icon" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg></span>',
        suits[:1],
        static("characters/emblems.svg"),
        name,
    )
