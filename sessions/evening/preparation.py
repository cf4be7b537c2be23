"""Things that a GM prepares before the session (handouts, scene notes, checks), and the pictures they show.

A handout's picture is for its readers, the scene's picture for everybody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import msgspec
from django.db import transaction

from companion.files import gallery
from companion.files.pictures import EncodedPicture
from sessions.evening.announcements import broadcast
from sessions.models import Campaign, Handout, PreparedCheck, SceneNote, Seat, Session

#: The models of prepared things, by their name in the URL.
KINDS: dict[str, type[Handout] | type[SceneNote] | type[PreparedCheck]] = {
    "handouts": Handout,
    "notes": SceneNote,
    "checks": PreparedCheck,
}
#: The most characters and buttons of prepared things on a live page; older things have pages of their own.
CHARACTERS_AT_MOST, BUTTONS_AT_MOST = 60_000, 600


def newest_keys_within(weights: Iterable[tuple[int, int]], at_most: int) -> set[int]:
    """Return the keys of the newest things whose weights together are ``at_most`` or less.

    :param weights: key and weight of each thing, oldest first.
    """
    newest = reversed(list(weights))
    summed = accumulate(newest, lambda so_far, one: (one[0], so_far[1] + one[1]))
    return {key for key, weight in summed if weight <= at_most}


def prepared_things(campaign: Campaign) -> dict[str, list[Any]]:
    return {kind: list(model.objects.filter(campaign=campaign)) for kind, model in KINDS.items()}


def notes_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    if not (seat and seat.is_gm):
        return {}
    found = list(SceneNote.objects.filter(campaign=session.own_campaign).with_pictures())
    whole = newest_keys_within(((note.pk, len(note.text)) for note in found), CHARACTERS_AT_MOST)
    return {"notes": found, "whole": whole}


def prepared_checks(session: Session) -> list[PreparedCheck]:
    return list(session.own_campaign.prepared_checks.all())


def write_check(*, session: Session, check: PreparedCheck) -> None:
    check.campaign = session.own_campaign
    check.save()
    broadcast(session.pk, "prepared")


@transaction.atomic
def write_note(*, session: Session, note: SceneNote, picture: EncodedPicture | None, show: bool) -> None:
    """Save a scene note written during play; the GM's page shows it.

    :param show: True to show its picture to everybody at once.
    :raises companion.requests.quotas.QuotaExceeded: the campaign has no room for it.
    """
    note.campaign = session.own_campaign
    save_with_picture(note, picture)
    if show:
        show_picture(session=session, note=note)
    broadcast(session.pk, "scene_notes")


@transaction.atomic
def save_with_picture(thing: Handout | SceneNote, picture: EncodedPicture | None) -> None:
    """Save a thing with this picture, which replaces any earlier one. The campaign's GM owns the picture.

    :raises companion.requests.quotas.QuotaExceeded: there is no room for the thing or its picture; nothing is
        saved.
    """
    before, owner = thing.picture_id, thing.campaign.gm
    thing.picture = (
        gallery.store_picture(owner, picture, guarded=isinstance(thing, Handout)) if picture else None
    )
    thing.save()
    gallery.discard(before)
    _announce_if_shown(thing)


def delete_picture(sender: type[Handout | SceneNote], instance: Handout | SceneNote, **kwargs: Any) -> None:
    """Delete the picture of a deleted handout or note; receiver of ``pre_delete``."""
    _announce_if_shown(instance)
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
    """The scene that everybody sees: a picture or a drawn mood, and words."""

    key: str  # changes when the contents do
    picture: Mapping[str, Any] | None  # its ``url``, ``width`` and ``height``
    caption: str
    mood: str = ""
    title: str = ""
    read: str = ""
    further: Sequence[Mapping[str, Any]] = ()  # more pictures beside the first
    #: The seconds for which the table face shows the words, and until when by the server's clock in
    #: milliseconds; 0: as long as the scene.
    stays: int = 0
    until: int = 0


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
    staged = session.staged
    if not any(staged.get(name) for name in ("picture", "mood", "read")):
        return None
    seen = {name: staged[name] for name in ("caption", "mood", "title", "read")}
    # By its visible contents: the scene's id in the scenario would reveal hidden scenes.
    pictures = staged.get("picture"), staged.get("further", [])
    key = hashlib.sha256(msgspec.json.encode((seen, pictures))).hexdigest()[:12]
    time = {name: staged.get(name, 0) for name in ("stays", "until")}
    return ShownScene(f"scene-{key}", pictures[0], **seen, further=pictures[1], **time)


def _announce_if_shown(thing: Handout | SceneNote) -> None:
    if isinstance(thing, SceneNote):
        for session in Session.objects.filter(scene_note=thing, ended_at=None):
            broadcast(session.pk)
