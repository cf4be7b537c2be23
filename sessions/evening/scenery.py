"""Pictures that a GM shows: a handout's, for its readers, or the scene's, for everybody."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import transaction

from companion.files import gallery, pictures
from sessions.evening.announcing import broadcast
from sessions.models import Handout, SceneNote, Seat, Session


@transaction.atomic
def save_with_picture(thing: Handout | SceneNote, picture: pictures.EncodedPicture | None) -> None:
    """Save a thing with this picture, which replaces any earlier one. The campaign's GM owns the picture.

    :raises companion.limits.quotas.Full: there is no room for the thing or its picture; nothing is saved.
    """
    before, owner = thing.picture_id, thing.campaign.gm
    thing.picture = gallery.keep(owner, picture, guarded=isinstance(thing, Handout)) if picture else None
    thing.save()
    gallery.discard(before)
    _tell_where_shown(thing)


def withdraw_picture(sender: type[Handout | SceneNote], instance: Handout | SceneNote, **kwargs: Any) -> None:
    """Delete the picture of a deleted handout or note; receiver of ``pre_delete``."""
    _tell_where_shown(instance)
    gallery.discard(instance.picture_id)


@transaction.atomic
def show_picture(*, session: Session, note: SceneNote | None) -> None:
    """Show everybody the picture of a scene note, None for no picture.

    :raises SceneNote.DoesNotExist: it was deleted.
    """
    if note:
        note = SceneNote.objects.select_for_update().get(pk=note.pk)
    Session.objects.filter(pk=session.pk).update(scene_note=note)
    broadcast(session.pk)


@dataclass(frozen=True)
class ShownScene:
    """The scene that everybody sees: a picture or a drawn mood, and words.

    :param key: identifies the contents: it changes when they do.
    :param picture: its ``url``, ``width`` and ``height``.
    """

    key: str
    picture: Mapping[str, Any] | None
    caption: str
    mood: str = ""
    title: str = ""
    read: str = ""


def scene_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the context of the scene's region; a note's picture takes precedence over the staged scene."""
    if session.ended_at:
        return {"shown": None}
    return {"shown": _note_shown(session) or _staged_scene(session)}


def _note_shown(session: Session) -> ShownScene | None:
    if session.scene_note_id is None:
        return None
    notes = SceneNote.objects.with_pictures().exclude(picture=None)
    note = notes.filter(pk=session.scene_note_id).first()
    if note is None or note.picture is None:
        return None
    size = {"width": note.picture.width, "height": note.picture.height}
    return ShownScene(f"note-{note.picture.pk}", {"url": note.picture_url, **size}, note.caption)


def _staged_scene(session: Session) -> ShownScene | None:
    said = session.staged
    if not any(said.get(name) for name in ("picture", "mood", "read")):
        return None
    seen = {name: said[name] for name in ("caption", "mood", "title", "read")}
    return ShownScene(f"scene-{_key_of(seen, said.get('picture'))}", said.get("picture"), **seen)


def _key_of(*seen: object) -> str:
    """Return a hash of the visible contents. The scene's id in the scenario would reveal hidden scenes."""
    return hashlib.sha256(msgspec.json.encode(seen)).hexdigest()[:12]


def _tell_where_shown(thing: Handout | SceneNote) -> None:
    if isinstance(thing, SceneNote):
        for session in Session.objects.filter(scene_note=thing, ended_at=None):
            broadcast(session.pk)
