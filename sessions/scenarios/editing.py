"""Edit scenarios: each field is saved while its author types, and earlier revisions are kept.

The second part is about the sounds of scenarios: their upload, the sound that plays at the table, and the
response that sends one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec
from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Length
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from characters.exchange.wording import one_line
from companion import shared_time
from companion.files import gallery, pictures, sounds
from companion.files.gallery import HEADERS
from companion.models import Person, Picture
from companion.requests.queue import check_client_waits
from companion.requests.throttle import DAY, HOUR, Windows
from sessions.models import Scenario, ScenarioPicture, ScenarioRevision, ScenarioSound, Seat, Session
from sessions.scenarios import document as documents
from sessions.scenarios.document import Document, ScenarioPart, Unfit

#: An edit after this idle time starts a new revision.
PAUSE = timedelta(minutes=10)
#: Limits for the revisions of one scenario, and for the bytes of all that a person has; the oldest go first.
VERSIONS_AT_MOST, BYTES_AT_MOST, BYTES_OF_A_PERSON = 200, 10_000_000, 50_000_000
T = TypeVar("T")
T_Thing = TypeVar("T_Thing", bound=ScenarioPart)


def document_of(scenario: Scenario | ScenarioRevision) -> Document:
    return msgspec.convert(scenario.document, Document)


@transaction.atomic
def create_scenario(owner: Person, document: Document) -> Scenario:
    """Create a scenario.

    :raises companion.requests.quotas.QuotaExceeded: its owner has no room for it.
    """
    return Scenario.objects.create(
        owner=owner, title=document.title, document=msgspec.to_builtins(document), version=1
    )


@transaction.atomic
def create_with_media(
    owner: Person,
    document: Document,
    shown: Mapping[str, pictures.EncodedPicture],
    heard: Iterable[ScenarioSound] = (),
) -> Scenario:
    """Create a scenario with its own copies of pictures and sounds, and put their new keys into its document.

    :raises companion.requests.quotas.QuotaExceeded: its owner has no room for it and its media.
    """
    scenario = create_scenario(owner, document)
    new_keys = {key: keep_picture(scenario, picture) for key, picture in shown.items()}
    new_keys |= {sound.key: copy_sound(sound, scenario) for sound in heard}
    documents.rename_media(document, new_keys)
    scenario.document = msgspec.to_builtins(document)
    scenario.save(update_fields=["document"])
    return scenario


def write(scenario_pk: int, thing_id: str, field: str, value: object, was: object) -> object:
    """Write a field if its value is still ``was``; return the stored value.

    :raises Unfit: as ``document.write``.
    """

    def change(document: Document) -> object:
        documents.write(document, thing_id, field, value, was)
        return getattr(documents.find(document, thing_id), field)

    return _apply_change(scenario_pk, change)


def add(scenario_pk: int, parent_id: str, name: str, /, **fields: Any) -> ScenarioPart:
    """Add a new part.

    :raises Unfit: as ``document.add``.
    """
    return _apply_change(
        scenario_pk, lambda document: documents.add(document, parent_id, name, new_id(), **fields)
    )


def remove(scenario_pk: int, thing_id: str) -> None:
    """Remove a part; the state before is kept as a revision at once.

    :raises Unfit: ``gone``.
    """
    _apply_change(scenario_pk, lambda document: documents.remove(document, thing_id), is_step=True)


def move(scenario_pk: int, thing_id: str, by: int) -> None:
    """Move a part within its list.

    :raises Unfit: ``gone``.
    """
    _apply_change(scenario_pk, lambda document: documents.move(document, thing_id, by))


def set_picture(scenario: Scenario, thing_id: str, picture: pictures.EncodedPicture | None) -> None:
    """Give a thing another picture, None for no picture.

    :raises Unfit: ``gone``; ``unknown_field``: it can have none.
    :raises companion.requests.quotas.QuotaExceeded: the owner has too many.
    """
    with transaction.atomic():
        key = keep_picture(scenario, picture) if picture else ""
        set_media(scenario.pk, thing_id, "picture", key)


def set_media(scenario_pk: int, thing_id: str, field: str, key: str) -> None:
    """Give a thing a picture or sound of its scenario by key; an empty key removes it.

    :raises Unfit: ``gone``; ``unknown_field``: it can have none.
    """

    def change(document: Document) -> None:
        thing = documents.find(document, thing_id)
        if not hasattr(thing, field):
            raise Unfit("unknown_field")
        setattr(thing, field, key)

    _apply_change(scenario_pk, change)


def keep_picture(scenario: Scenario, picture: pictures.EncodedPicture) -> str:
    """Store a picture with a scenario; return its key."""
    kept = gallery.store_picture(scenario.owner, picture)
    ScenarioPicture.objects.create(scenario=scenario, picture=kept)
    return kept.key


def restore(scenario_pk: int, version: int) -> None:
    """Restore an earlier revision; the current state is kept as a revision, too.

    :raises Unfit: ``gone``: there is no such revision.
    """

    def change(document: Document) -> None:
        revision = ScenarioRevision.objects.filter(scenario=scenario_pk, version=version).first()
        if revision is None:
            raise Unfit("gone")
        before = document_of(revision)
        for name in document.__struct_fields__:
            setattr(document, name, getattr(before, name))

    _apply_change(scenario_pk, change, is_step=True)


def duplicate(scenario: Scenario, owner: Person, title: str) -> Scenario:
    """Return a copy with its own pictures and sounds.

    Each of them is copied in its own transaction: together they may be hundreds of megabytes, and would block
    every other write of the server. Until all are copied, the copy has no scenes, and a title that calls it
    unfinished; if the server stops in between, it stays like that.

    :raises companion.requests.quotas.QuotaExceeded: the owner has no room; nothing is left of the copy.
    """
    document = document_of(scenario)
    shown = list(pictures_of(scenario, document).values_list("pk", flat=True))
    heard = list(scenario.sounds.values_list("pk", flat=True))
    document.title = title[:60]
    copied = create_scenario(owner, Document(title=gettext("Unfinished: %(title)s") % {"title": title[:40]}))
    try:
        new_keys = {}
        for pk in shown:
            check_client_waits()
            picture = Picture.objects.get(pk=pk)
            with transaction.atomic():
                new_keys[picture.key] = keep_picture(copied, gallery.picture_content(picture))
        for pk in heard:
            check_client_waits()
            sound = ScenarioSound.objects.get(pk=pk)
            new_keys[sound.key] = copy_sound(sound, copied)
    except BaseException:
        copied.delete()
        raise
    documents.rename_media(document, new_keys)
    copied.document, copied.title = msgspec.to_builtins(document), document.title
    copied.save(update_fields=["document", "title"])
    return copied


def pictures_of(scenario: Scenario, document: Document) -> QuerySet[Picture]:
    """Return the pictures of a scenario that this document shows."""
    wanted = documents.media(document)
    return Picture.objects.filter(pk__in=scenario.pictures.values("picture"), key__in=wanted).order_by("pk")


def new_id() -> str:
    return secrets.token_hex(4)


@transaction.atomic
def _apply_change(scenario_pk: int, change: Callable[[Document], T], *, is_step: bool = False) -> T:
    """Change a document under its row lock.

    The state before is kept as a revision if the last edit was before the ``PAUSE``, or if ``is_step``.
    """
    scenario = Scenario.objects.select_for_update().get(pk=scenario_pk)
    document = document_of(scenario)
    before = scenario.document
    made = change(document)
    after = msgspec.to_builtins(document)
    if after == before:
        return made
    if is_step or shared_time.now() - scenario.changed_at > PAUSE:
        _keep_revision(scenario, before)
    scenario.document, scenario.title, scenario.version = after, document.title, scenario.version + 1
    scenario.save()
    return made


def _keep_revision(scenario: Scenario, document: object) -> None:
    """Keep a revision, unless it differs from the newest one by empty parts alone."""
    newest, kept = scenario.revisions.first(), msgspec.convert(document, Document)
    if newest and _without_empty_parts(kept) == _without_empty_parts(document_of(newest)):
        return
    ScenarioRevision.objects.get_or_create(
        scenario=scenario, version=scenario.version, defaults={"document": document}
    )
    _delete_oldest(scenario.revisions.all(), VERSIONS_AT_MOST, BYTES_AT_MOST)
    of_the_owner = ScenarioRevision.objects.filter(scenario__owner=scenario.owner_id)
    _delete_oldest(of_the_owner.order_by("-made_at", "-pk"), None, BYTES_OF_A_PERSON)


def _without_empty_parts(thing: T_Thing) -> T_Thing:
    for name in thing.parts:
        parts = [_without_empty_parts(part) for part in getattr(thing, name)]
        setattr(thing, name, [part for part in parts if part != type(part)(id=part.id)])
    return thing


def _delete_oldest(revisions: QuerySet[ScenarioRevision], most: int | None, most_bytes: int) -> None:
    """Delete the oldest revisions beyond these limits of number and bytes; the newest always stays."""
    weights = revisions.values_list("pk", Length(Cast("document", TextField())))
    held, beyond = 0, []
    for place, (pk, weight) in enumerate(weights):
        held += weight
        if place and (held > most_bytes or (most is not None and place >= most)):
            beyond.append(pk)
    ScenarioRevision.objects.filter(pk__in=beyond).delete()


#: The reasons for which a sound is refused, by code.
SOUND_REFUSALS = {
    "sound_empty": _("Please choose a sound."),
    "sound_too_heavy": _("This file is too large: 8 MB at most."),
    "sound_too_long": _("This sound is too long: 10 minutes at most."),
    "sound_is_film": _("This is a film. Please choose a file with nothing but sound."),
    "sound_for_apple": _(
        "This is %(kind)s, which only Apple’s browsers play. Please send it as MP3, M4A (AAC), Ogg or WAV."
    ),
    "sound_of_other_kind": _(
        "This is %(kind)s, which is not taken here. Please send it as MP3, M4A (AAC), Ogg or WAV."
    ),
    "sound_unreadable": _("This is no whole MP3, Ogg, M4A or WAV file."),
    "too_many_sounds": _("Many sounds came from you. Please try again in an hour."),
}
#: The rate limit of uploads, per person.
UPLOADS = Windows("sound", ((30, HOUR), (90, DAY)))
#: A sound never changes.
SOUND_HEADERS = HEADERS | {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: A ``Range`` header with one range: from a byte on, between two bytes, or the last bytes.
ONE_RANGE = re.compile(r"bytes=(\d{1,12})?-(\d{1,12})?\Z", re.ASCII)


def keep_sound(scenario: Scenario, upload: File[Any]) -> ScenarioSound:
    """Store an uploaded sound with a scenario, without the metadata of its file.

    :raises companion.files.sounds.SoundRefused: with one of the codes of ``SENTENCES``.
    :raises companion.requests.quotas.QuotaExceeded: its owner has too many.
    """
    if not UPLOADS.count(str(scenario.owner_id)):
        raise sounds.SoundRefused("too_many_sounds")
    checked = sounds.check_sound(upload.read())
    sound = sound_row(checked, scenario=scenario, name=PurePath(upload.name or "").stem)
    sound.save()
    return sound


def sound_row(sound: sounds.Sound, *, name: str, **fields: Any) -> ScenarioSound:
    """Return an unsaved row for a sound with this name."""
    return ScenarioSound(
        name=one_line(name)[:60] or gettext("sound"),
        media_type=sound.media_type,
        seconds=sound.seconds,
        size=len(sound.content),
        content=sound.content,
        **fields,
    )


def copy_sound(sound: ScenarioSound, scenario: Scenario) -> str:
    """Store the same sound with another scenario; return its new key.

    :raises companion.requests.quotas.QuotaExceeded: the scenario's owner has no room for it.
    """
    same = {name: getattr(sound, name) for name in ("name", "media_type", "seconds", "size", "content")}
    return ScenarioSound.objects.create(scenario=scenario, **same).key


def sound_response(request: HttpRequest, sound: ScenarioSound) -> HttpResponse:
    """Return the response with a sound, or with the byte range that the request asks for."""
    # No gzip: ranges count the bytes of the sound itself, which is compressed already.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    content = bytes(sound.content)
    part = _requested_bytes(request.headers.get("Range", ""), len(content))
    if part is None:
        return HttpResponse(content, content_type=sound.media_type, headers=SOUND_HEADERS)
    if not part:
        return HttpResponse(status=416, headers=SOUND_HEADERS | {"Content-Range": f"bytes */{len(content)}"})
    headers = SOUND_HEADERS | {"Content-Range": f"bytes {part[0]}-{part[-1]}/{len(content)}"}
    sent = content[part.start : part.stop]
    return HttpResponse(sent, status=206, content_type=sound.media_type, headers=headers)


def sound_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the template values of the region that plays sounds, the same for everybody."""
    staged = {} if session.ended_at else session.staged
    key = staged.get("sound", "")
    return {
        "ambience": staged.get("ambience", ""),
        "sound_url": reverse("play:sound", args=[key]) if key else "",
        "since": staged.get("since", ""),
    }


def sound_since(before: dict[str, Any], sound: str) -> int:
    """Return when a sound began, in milliseconds of the server's clock; a sound that is playing goes on."""
    if sound == before.get("sound") and "since" in before:
        return int(before["since"])
    return round(shared_time.seconds() * 1000)


def _requested_bytes(wanted: str, size: int) -> range | None:
    """Return the positions of the requested bytes, an empty range if there are none; None for all bytes."""
    asked = ONE_RANGE.match(wanted)
    if not asked or asked[1] is asked[2] is None:
        return None
    if asked[1] is None:
        return range(max(0, size - int(asked[2])), size)
    return range(int(asked[1]), min(size, int(asked[2] or size) + 1))
