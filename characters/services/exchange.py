"""The services that pass a sheet on: plain sheets out and in, sharing, and copying."""

from __future__ import annotations

import secrets
from dataclasses import asdict, replace

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from characters import rules
from characters.exchange.plain import PlainFace, PlainItem, PlainSheet
from characters.models import Character, Creation, FacePicture, Item, Skill
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.services.drafts import start_draft
from characters.services.sheets import begin_history, check_done, lock
from companion.files import gallery
from companion.files.pictures import written_before
from companion.models import Person

#: Length of an edit password in characters.
PASSWORD_AT_LEAST, PASSWORD_AT_MOST = 6, 128
#: Random bytes of a share link's key, too many to guess: 22 characters in the address.
KEY_BYTES = 16


def plain_sheet(character: Character) -> PlainSheet:
    """Return a sheet as plain data, without its further faces."""
    return PlainSheet(
        name=character.name,
        hp=character.hp,
        hp_max=character.hp_max,
        suits=character.suits,
        skills=tuple(skill.name for skill in character.skills.all()),
        items=tuple(
            PlainItem(item.kind, item.name, item.table_value, item.quality, item.special)
            for item in character.items.all()
        ),
        concept=character.concept,
        background=character.background,
        emblem=character.emblem,
        portrait=bytes(character.portrait.content) if character.portrait else b"",
    )


def sheet_with_faces(character: Character) -> PlainSheet:
    """Return a sheet as plain data with all its pictures, up to a megabyte."""
    faces = character.faces.select_related("picture")
    plain = (PlainFace(face.label, bytes(face.picture.content)) for face in faces)
    return replace(plain_sheet(character), faces=tuple(plain))


@transaction.atomic
def import_character(*, owner: Person, sheet: PlainSheet) -> Character:
    """Create a finished character from an imported sheet. It has no record of creation.

    :param sheet: a sheet that the readers of ``characters.exchange`` have checked by the rules.
    """
    character = Character.objects.create(
        owner=owner,
        name=sheet.name,
        concept=sheet.concept,
        background=sheet.background,
        suits=sheet.suits,
        hp=sheet.hp,
        hp_max=sheet.hp_max,
        status=Character.Status.DONE,
        portrait=gallery.store_picture(owner, written_before(sheet.portrait)) if sheet.portrait else None,
        emblem=sheet.emblem if sheet.emblem in Emblem.values else Emblem.RING,
    )
    Skill.objects.bulk_create(
        Skill(character=character, order=order, name=name) for order, name in enumerate(sheet.skills)
    )
    Item.objects.bulk_create(Item(character=character, **asdict(item)) for item in sheet.items)
    _put_faces(character, sheet)
    begin_history(character, owner)
    return character


@transaction.atomic
def import_as_draft(*, owner: Person, sheet: PlainSheet, return_to: str = "") -> Character:
    """Create a draft with the name, texts and faces of a sheet. Its figures are drawn afterwards.

    The creation offers skills and items of the sheet by name, without their values, which mean nothing in
    our rules.
    """
    character = start_draft(
        owner=owner, method=Creation.Method.STANDARD, name=sheet.name, return_to=return_to
    )
    character.concept, character.background = sheet.concept, sheet.background
    character.portrait = (
        gallery.store_picture(owner, written_before(sheet.portrait)) if sheet.portrait else None
    )
    character.emblem = sheet.emblem if sheet.emblem in Emblem.values else Emblem.RING
    character.save()
    _put_faces(character, sheet)
    creation = character.creation
    creation.offers = {
        "skills": list(dict.fromkeys(sheet.skills)),
        "items": [{"kind": item.kind, "name": item.name} for item in sheet.items],
    }
    creation.save(update_fields=["offers"])
    return character


def _put_faces(character: Character, sheet: PlainSheet) -> None:
    for order, face in enumerate(sheet.faces):
        picture = gallery.store_picture(character.owner, written_before(face.picture))
        FacePicture.objects.create(character=character, order=order, label=face.label, picture=picture)


@transaction.atomic
def set_visibility(*, character: Character, visibility: str) -> None:
    """Set the visibility of a finished character: its owner, people of its campaigns, or everybody.

    :raises SheetRefused: ``not_done``, ``no_such_visibility``.
    """
    shown = check_done(lock(character))
    if visibility not in Character.Visibility.values:
        raise SheetRefused("no_such_visibility")
    shown.visibility = visibility
    shown.save(update_fields=["visibility"])


@transaction.atomic
def make_link(*, character: Character) -> None:
    """Create the share link, which shows the sheet to everybody who knows it. Keep an existing link.

    :raises SheetRefused: ``not_done``.
    """
    linked = check_done(lock(character))
    if not linked.share_key:
        linked.share_key = secrets.token_urlsafe(KEY_BYTES)
        linked.save(update_fields=["share_key"])


@transaction.atomic
def end_link(*, character: Character) -> None:
    """Revoke the share link and the edit password. A later link has another key."""
    linked = lock(character)
    linked.share_key = ""
    linked.save(update_fields=["share_key"])
    end_password(character=linked)


@transaction.atomic
def set_password(*, character: Character, password: str) -> None:
    """Set the edit password, with which people may edit the shared sheet. Create the link if needed.

    People who gave an earlier password lose access.

    :raises SheetRefused: ``not_done``, ``password_short``.
    """
    if not PASSWORD_AT_LEAST <= len(password) <= PASSWORD_AT_MOST:
        raise SheetRefused("password_short")
    make_link(character=character)
    character.refresh_from_db()
    _write_password(character, make_password(password))


@transaction.atomic
def end_password(*, character: Character) -> None:
    """Remove the edit password and everybody's right to edit, except the owner's."""
    _write_password(lock(character), "")


def _write_password(character: Character, hashed: str) -> None:
    character.edit_password = hashed
    character.save(update_fields=["edit_password"])
    character.editors.clear()


def check_edit_password(*, character: Character, password: str) -> None:
    """Check the edit password of a sheet.

    :raises SheetRefused: ``wrong_password``, also if the sheet has none.
    """
    known = character.edit_password
    if not known or len(password) > PASSWORD_AT_MOST or not check_password(password, known):
        raise SheetRefused("wrong_password")


def add_editor(*, character: Character, person: Person) -> None:
    character.editors.add(person)


@transaction.atomic
def copy_character(*, character: Character, name: str) -> Character:
    """Return a new private character with the same sheet at full HP, without history and experience.

    :raises SheetRefused: ``not_done``.
    """
    first = check_done(lock(character))
    sheet = replace(sheet_with_faces(first), name=name[: rules.NAME_LENGTH], hp=first.hp_max)
    return import_character(owner=first.owner, sheet=sheet)
