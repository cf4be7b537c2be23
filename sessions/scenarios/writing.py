"""Edit scenarios: each field is saved while its author types, and earlier revisions are kept."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
from django.db import transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone
from django.utils.translation import gettext

from companion.files import gallery, pictures
from companion.models import Person, Picture
from companion.pacing.heavy import go_on
from sessions.models import Scenario, ScenarioPicture, ScenarioRevision, ScenarioSound
from sessions.scenarios import document as documents
from sessions.scenarios import sounds
from sessions.scenarios.document import Document, ScenarioPart, Unfit

#: An edit after this idle time starts a new revision.
PAUSE = timedelta(minutes=10)
#: Limits for the revisions of one scenario, and for the bytes of all that a person has; the oldest go first.
VERSIONS_AT_MOST, BYTES_AT_MOST, BYTES_OF_A_PERSON = 200, 10_000_000, 50_000_000

T = TypeVar("T")
T_Thing = TypeVar("T_Thing", bound=ScenarioPart)


def document_of(scenario: Scenario | ScenarioRevision) -> Document:
    """Return the document of a row."""
    return msgspec.convert(scenario.document, Document)


@transaction.atomic
def begin(owner: Person, document: Document) -> Scenario:
    """Create a scenario.

    :raises companion.limits.quotas.Full: its owner has no room for it.
    """
    return Scenario.objects.create(
        owner=owner, title=document.title, document=msgspec.to_builtins(document), version=1
    )


@transaction.atomic
def begin_with(
    owner: Person,
    document: Document,
    shown: Mapping[str, pictures.EncodedPicture],
    heard: Iterable[ScenarioSound] = (),
) -> Scenario:
    """Create a scenario with its own copies of pictures and sounds, and put their new keys into its document.

    :raises companion.limits.quotas.Full: its owner has no room for it, or for its pictures and sounds.
    """
    scenario = begin(owner, document)
    anew = {key: keep_picture(scenario, shown[key]) for key in shown}
    anew |= {sound.key: sounds.copy_sound(sound, scenario) for sound in heard}
    documents.rename_media(document, anew)
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
    :raises companion.limits.quotas.Full: the owner has too many.
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
    kept = gallery.keep(scenario.owner, picture)
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

    :raises companion.limits.quotas.Full: the owner has no room for it; nothing is left of the copy.
    """
    document = document_of(scenario)
    shown = list(pictures_of(scenario, document).values_list("pk", flat=True))
    heard = list(scenario.sounds.values_list("pk", flat=True))
    document.title = title[:60]
    copied = begin(owner, Document(title=gettext("Unfinished: %(title)s") % {"title": title[:40]}))
    try:
        anew = {}
        for pk in shown:
            go_on()
            picture = Picture.objects.get(pk=pk)
            with transaction.atomic():
                anew[picture.key] = keep_picture(copied, gallery.picture_content(picture))
        for pk in heard:
            go_on()
            sound = ScenarioSound.objects.get(pk=pk)
            anew[sound.key] = sounds.copy_sound(sound, copied)
    except BaseException:
        copied.delete()
        raise
    documents.rename_media(document, anew)
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
    if is_step or timezone.now() - scenario.changed_at > PAUSE:
        _keep(scenario, before)
    scenario.document, scenario.title, scenario.version = after, document.title, scenario.version + 1
    scenario.save()
    return made


def _keep(scenario: Scenario, document: object) -> None:
    """Keep a revision, unless it differs from the newest one by empty parts alone."""
    newest = scenario.revisions.first()
    if newest and _without_empty_parts(msgspec.convert(document, Document)) == _without_empty_parts(
        document_of(newest)
    ):
        return
    ScenarioRevision.objects.get_or_create(
        scenario=scenario, version=scenario.version, defaults={"document": document}
    )
    _delete_oldest(scenario.revisions.all(), VERSIONS_AT_MOST, BYTES_AT_MOST)
    of_the_owner = ScenarioRevision.objects.filter(scenario__owner=scenario.owner_id)
    _delete_oldest(of_the_owner.order_by("-made_at", "-pk"), None, BYTES_OF_A_PERSON)


def _without_empty_parts(thing: T_Thing) -> T_Thing:
    """Return a thing without its empty parts."""
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
