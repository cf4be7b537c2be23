"""The services of a sheet in play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from characters import rules
from characters.models import Character, Item
from characters.rules import SheetRefused
from characters.services.revisions import changing, revision_number
from characters.services.rows import ItemWish, lock, put_item, write_skills, write_texts
from companion.models import Person


def revise(
    *,
    character: Character,
    revision: int | None = None,
    by: Person | None = None,
    name: str,
    concept: str = "",
    background: str = "",
    hp_max: int,
    suits: str,
    skills: Sequence[str],
) -> None:
    """Save an edited sheet. Present HP is capped at the new maximum.

    :param revision: the number of the revision that was edited; None skips the check for a newer one.
    :param by: owner or GM, by default the owner.
    :raises SheetRefused: ``not_done``, ``stale`` if there is a newer revision, ``bad_name``,
        ``hp_max_out_of_range``, ``no_such_suit``,
        ``wrong_number_of_suits``, ``too_many_rows``.
    """
    with changing(character, by) as revised:
        if not revised.is_done:
            raise SheetRefused("not_done")
        if revision not in (None, revision_number(character)):
            raise SheetRefused("stale")
        if hp_max not in rules.HP_MAX:
            raise SheetRefused("hp_max_out_of_range")
        revised.suits, revised.hp_max, revised.hp = rules.check_suits(suits), hp_max, min(revised.hp, hp_max)
        revised.save(update_fields=["suits", "hp_max", "hp"])
        write_skills(revised, skills)
        write_texts(revised, name=name, concept=concept, background=background)


@transaction.atomic
def set_hp(*, character: Character, hp: int) -> None:
    """Set present HP, as reported by a table or by the player.

    :raises SheetRefused: ``hp_out_of_range``.
    """
    locked = lock(character)
    if not rules.HP_LOWEST <= hp <= locked.hp_max:
        raise SheetRefused("hp_out_of_range", "UC-10.6")
    locked.hp = hp
    locked.save(update_fields=["hp", "changed_at"])


def set_hp_max(*, character: Character, hp_max: int, by: Person | None = None) -> None:
    """Set maximum HP. Present HP is capped at it.

    :raises SheetRefused: ``not_done``, ``hp_max_out_of_range``.
    """
    with changing(character, by) as locked:
        if not locked.is_done:
            raise SheetRefused("not_done")
        if hp_max not in rules.HP_MAX:
            raise SheetRefused("hp_max_out_of_range")
        locked.hp_max, locked.hp = hp_max, min(locked.hp, hp_max)
        locked.save(update_fields=["hp_max", "hp", "changed_at"])


def add_item(*, character: Character, wish: ItemWish, by: Person | None = None) -> None:
    """Add an item to the sheet. [UC-1.5, UC-2.3]

    :raises SheetRefused: ``no_such_kind``, ``bad_name``, ``too_many_rows`` and those of ``rules.item_value``.
    """
    with changing(character, by) as locked:
        put_item(locked, wish, special=False)


def remove_item(*, character: Character, item_id: int, by: Person | None = None) -> None:
    """Remove an item. Special items of a draft are not found here; ``choose_specials`` replaces them.

    :raises SheetRefused: ``no_such_item``.
    """
    with changing(character, by) as locked:
        items = locked.items.filter(pk=item_id)
        if not locked.is_done:
            items = items.filter(special=False)
        if not items.delete()[0]:
            raise SheetRefused("no_such_item")


def table_options(character: Character) -> dict[str, Any]:
    """Return the sheet as the plain option with which a ``uroboros`` table is opened.

    :raises SheetRefused: ``not_done``.
    """
    if not character.is_done:
        raise SheetRefused("not_done")
    items = list(character.items.all())
    return {
        "name": character.name,
        "ca": character.ca,
        "hp_max": character.hp_max,
        "hp": character.hp,
        "suits": list(character.suits),
        "skills": [skill.name for skill in character.skills.all()],
        "weapons": _options(items, Item.ItemKind.WEAPON),
        "armour": character.armour,
        "shield": character.shield,
        "tools": _options(items, Item.ItemKind.TOOL),
    }


def _options(items: Iterable[Item], kind: str) -> list[dict[str, str | int]]:
    return [{"name": item.name, "value": item.value} for item in items if item.kind == kind]
