"""The services that pass a sheet on: as plain data, imported, and copied."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from django.db import transaction

from characters import rules
from characters.exchange.plain import PlainFace, PlainItem, PlainSheet
from characters.models import Character, Creation, FacePicture, Item, Skill
from characters.models.sheets import Emblem
from characters.services.drafts import start_draft
from characters.services.sheets import begin_history, check_done, lock
from companion.files import gallery
from companion.files.pictures import written_before
from companion.models import Person


def plain_sheet(character: Character, *, portrait: bool = True, faces: bool = False) -> PlainSheet:
    """Return a sheet as plain data; with all its faces it has up to a megabyte."""
    picture = character.portrait if portrait else None
    labelled = character.faces.select_related("picture") if faces else []
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
        portrait=bytes(picture.content) if picture else b"",
        faces=tuple(PlainFace(face.label, bytes(face.picture.content)) for face in labelled),
    )


def table_options(character: Character) -> dict[str, Any]:
    """Return the option with which a ``uroboros`` table is opened. Refusals: ``not_done``."""
    return plain_sheet(check_done(character), portrait=False).table_options


@transaction.atomic
def import_character(*, owner: Person, sheet: PlainSheet) -> Character:
    """Create a finished character from an imported sheet. It has no record of creation.

    :param sheet: a sheet that the readers of ``characters.exchange`` have checked by the rules.
    """
    character = Character(
        owner=owner,
        name=sheet.name,
        suits=sheet.suits,
        hp=sheet.hp,
        hp_max=sheet.hp_max,
        status=Character.Status.DONE,
    )
    _save_with_description(character, sheet)
    Skill.objects.bulk_create(
        Skill(character=character, order=order, name=name) for order, name in enumerate(sheet.skills)
    )
    Item.objects.bulk_create(Item(character=character, **asdict(item)) for item in sheet.items)
    begin_history(character, owner)
    return character


@transaction.atomic
def import_as_draft(*, owner: Person, sheet: PlainSheet, return_to: str = "") -> Character:
    """Create a draft with the name, texts and faces of a sheet. Its figures are drawn afterwards.

    The creation offers skills and items of the sheet by name: their values mean nothing in our rules.
    """
    character = start_draft(
        owner=owner, method=Creation.Method.STANDARD, name=sheet.name, return_to=return_to
    )
    _save_with_description(character, sheet)
    creation = character.creation
    creation.offers = {
        "skills": list(dict.fromkeys(sheet.skills)),
        "items": [{"kind": item.kind, "name": item.name} for item in sheet.items],
    }
    creation.save(update_fields=["offers"])
    return character


def _save_with_description(character: Character, sheet: PlainSheet) -> None:
    """Save a character with the texts and pictures of a sheet."""
    character.concept, character.background = sheet.concept, sheet.background
    if sheet.portrait:
        character.portrait = gallery.store_picture(character.owner, written_before(sheet.portrait))
    if sheet.emblem in Emblem.values:
        character.emblem = sheet.emblem
    character.save()
    for order, face in enumerate(sheet.faces):
        picture = gallery.store_picture(character.owner, written_before(face.picture))
        FacePicture.objects.create(character=character, order=order, label=face.label, picture=picture)


@transaction.atomic
def copy_character(*, character: Character, name: str) -> Character:
    """Return a new private character with the same sheet at full HP, without history and experience.

    Refusals: ``not_done``.
    """
    first = check_done(lock(character))
    sheet = replace(plain_sheet(first, faces=True), name=name[: rules.NAME_LENGTH], hp=first.hp_max)
    return import_character(owner=first.owner, sheet=sheet)
