"""Helpers of the services: the row lock, and writers that validate their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from characters import rules
from characters.models import Character, Item, Skill
from characters.rules import SheetRefused
from companion import names


class ItemWish(TypedDict):
    """An item as a player requests it, not validated yet."""

    kind: str
    name: str
    table_value: int
    quality: int


def lock(character: Character) -> Character:
    """Return the row, locked until the transaction ends."""
    return Character.objects.select_for_update().get(pk=character.pk)


def put_item(character: Character, wish: ItemWish, *, special: bool) -> None:
    """Add an item.

    :raises SheetRefused: ``no_such_kind``, ``bad_name``, ``too_many_rows`` and those of ``rules.item_value``.
    """
    if wish["kind"] not in Item.ItemKind.values:
        raise SheetRefused("no_such_kind")
    rules.item_value(wish["kind"], wish["table_value"], wish["quality"], special)
    if character.items.count() >= rules.ROWS_AT_MOST:
        raise SheetRefused("too_many_rows")
    Item.objects.create(
        character=character, **{**wish, "name": cleaned_name(wish["name"]), "special": special}
    )


def write_skills(character: Character, names: Sequence[str]) -> None:
    """Replace all skills.

    :raises SheetRefused: ``too_many_rows``, ``bad_name``.
    """
    if len(names) > rules.ROWS_AT_MOST:
        raise SheetRefused("too_many_rows")
    skills = [
        Skill(character=character, order=order, name=cleaned_name(name)) for order, name in enumerate(names)
    ]
    character.skills.all().delete()
    Skill.objects.bulk_create(skills)


def write_texts(character: Character, *, name: str, concept: str, background: str) -> None:
    """Set name, concept and background.

    :raises SheetRefused: ``bad_name``.
    """
    character.name = cleaned_name(name)
    character.concept, character.background = names.clean(concept), background.strip()
    character.save(update_fields=["name", "concept", "background", "changed_at"])


def cleaned_name(name: str) -> str:
    """Return a name as it is stored.

    :raises SheetRefused: ``bad_name``.
    """
    name = names.clean(name)
    if not 1 <= len(name) <= rules.NAME_LENGTH:
        raise SheetRefused("bad_name")
    return name
