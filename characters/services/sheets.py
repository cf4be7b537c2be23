"""The services of a sheet: its row lock, writers that validate values, revisions, and changes in play.

Each change of a finished sheet adds a revision, and each revision can be restored. The other services lock
and write sheets with the helpers of this file. The signals are for other apps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypedDict

from django.db import transaction
from django.dispatch import Signal

from characters import rules
from characters.models import Character, Item, Revision, Skill
from characters.rules import SheetRefused
from companion import names
from companion.models import Person

#: A checklist's ticks or its confirmation changed; sent with ``checklist=…`` inside the transaction.
checklist_changed = Signal()
#: A character's portrait, emblem or faces changed; sent with ``character=…`` inside the transaction.
face_changed = Signal()
#: The fields of a character and of an item that a revision stores.
CHARACTER_FIELDS = ["name", "concept", "background", "hp_max", "suits"]
ITEM_FIELDS = ["kind", "name", "table_value", "quality", "special"]


class ItemWish(TypedDict):
    """An item as a player requests it, not validated yet."""

    kind: str
    name: str
    table_value: int
    quality: int


def lock(character: Character) -> Character:
    """Return the row, locked until the transaction ends."""
    return Character.objects.select_for_update().get(pk=character.pk)


def check_done(character: Character) -> Character:
    """Return the character. Refusals: ``not_done``."""
    if not character.is_done:
        raise SheetRefused("not_done")
    return character


def put_item(character: Character, wish: ItemWish, *, special: bool) -> None:
    """Refusals: ``no_such_kind``, ``bad_name``, ``too_many_rows`` and those of ``rules.item_value``."""
    if wish["kind"] not in Item.ItemKind.values:
        raise SheetRefused("no_such_kind")
    rules.item_value(wish["kind"], wish["table_value"], wish["quality"], special)
    if character.items.count() >= rules.ROWS_AT_MOST:
        raise SheetRefused("too_many_rows")
    Item.objects.create(
        character=character, **{**wish, "name": cleaned_name(wish["name"]), "special": special}
    )


def write_skills(character: Character, names: Sequence[str]) -> None:
    """Replace all skills. Refusals: ``too_many_rows``, ``bad_name``."""
    if len(names) > rules.ROWS_AT_MOST:
        raise SheetRefused("too_many_rows")
    skills = [
        Skill(character=character, order=order, name=cleaned_name(name)) for order, name in enumerate(names)
    ]
    character.skills.all().delete()
    Skill.objects.bulk_create(skills)


def write_texts(character: Character, *, name: str, concept: str, background: str) -> None:
    """Refusals: ``bad_name``."""
    character.name = cleaned_name(name)
    character.concept, character.background = names.clean(concept), background.strip()
    character.save(update_fields=["name", "concept", "background", "changed_at"])


def cleaned_name(name: str) -> str:
    """Return a name as it is stored. Refusals: ``bad_name``."""
    name = names.clean(name)
    if not 1 <= len(name) <= rules.NAME_LENGTH:
        raise SheetRefused("bad_name")
    return name


# Revisions


def snapshot(character: Character) -> dict[str, Any]:
    """Return the sheet as a revision stores it: without present HP. Prefetched rows are not used."""
    return {
        **{field: getattr(character, field) for field in CHARACTER_FIELDS},
        "skills": list(character.skills.values_list("name", flat=True)),
        "items": list(character.items.values(*ITEM_FIELDS)),
    }


def revision_number(character: Character) -> int:
    """Return the number of the newest revision, 1 for a sheet that was never changed."""
    return character.revisions.values_list("number", flat=True).first() or 1


def read_current_sheet(character: Character) -> tuple[int, dict[str, Any]]:
    """Return the number of the newest revision and the sheet.

    The number is read first: a concurrent change then makes it outdated, which ``revise`` reports.
    """
    number = revision_number(character)
    return number, snapshot(Character.objects.get(pk=character.pk))


def begin_history(character: Character, by: Person | None = None) -> None:
    """Store the first revision of a finished sheet. Do nothing if there is one."""
    if character.is_done and not character.revisions.exists():
        Revision.objects.create(
            character=character, number=1, made_by=by, why=Revision.Why.BEGUN, sheet=snapshot(character)
        )


@contextmanager
def changing(
    character: Character,
    by: Person | None = None,
    *,
    why: Revision.Why = Revision.Why.EDITED,
    restored_from: int | None = None,
) -> Iterator[Character]:
    """Lock a sheet for a change, and store a revision afterwards if it differs. A draft has no history yet.

    :param by: the author of the change, by default the owner.
    """
    with transaction.atomic():
        locked = lock(character)
        begin_history(locked)
        yield locked
        last, sheet = locked.revisions.first(), snapshot(locked)
        if last and last.sheet != sheet:
            Revision.objects.create(
                character=locked,
                number=last.number + 1,
                made_by=by or locked.owner,
                why=why,
                restored_from=restored_from,
                sheet=sheet,
            )


def restore(*, character: Character, number: int, by: Person | None = None) -> None:
    """Restore the sheet of a revision, as a new revision. Present HP is capped at the restored maximum.

    Refusals: ``not_done``, ``no_such_revision``, ``same_as_now``.
    """
    with changing(character, by, why=Revision.Why.RESTORED, restored_from=number) as locked:
        check_done(locked)
        kept = locked.revisions.filter(number=number).first()
        if kept is None:
            raise SheetRefused("no_such_revision")
        if kept.sheet == snapshot(locked):
            raise SheetRefused("same_as_now")
        _write_snapshot(locked, kept.sheet)


def _write_snapshot(character: Character, sheet: dict[str, Any]) -> None:
    for field in CHARACTER_FIELDS:
        setattr(character, field, sheet[field])
    character.hp = min(character.hp, character.hp_max)
    character.save()
    write_skills(character, sheet["skills"])
    character.items.all().delete()
    Item.objects.bulk_create(Item(character=character, **item) for item in sheet["items"])


# Changes of a sheet


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

    Refusals: ``not_done``, ``stale`` if there is a newer revision, ``bad_name``, ``hp_max_out_of_range``,
    ``no_such_suit``, ``wrong_number_of_suits``, ``too_many_rows``.

    :param revision: the number of the revision that was edited; None skips the check for a newer one.
    :param by: owner or GM, by default the owner.
    """
    with changing(character, by) as revised:
        check_done(revised)
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
    """Set present HP, as reported by a table or by the player. Refusals: ``hp_out_of_range``."""
    locked = lock(character)
    if not rules.HP_LOWEST <= hp <= locked.hp_max:
        raise SheetRefused("hp_out_of_range", "UC-10.6")
    locked.hp = hp
    locked.save(update_fields=["hp", "changed_at"])


def set_hp_max(*, character: Character, hp_max: int, by: Person | None = None) -> None:
    """Set maximum HP, and cap present HP at it. Refusals: ``not_done``, ``hp_max_out_of_range``."""
    with changing(character, by) as locked:
        check_done(locked)
        if hp_max not in rules.HP_MAX:
            raise SheetRefused("hp_max_out_of_range")
        locked.hp_max, locked.hp = hp_max, min(locked.hp, hp_max)
        locked.save(update_fields=["hp_max", "hp", "changed_at"])


def add_item(*, character: Character, wish: ItemWish, by: Person | None = None) -> None:
    """Add an ordinary item. Refusals: those of ``put_item``. [UC-1.5, UC-2.3]"""
    with changing(character, by) as locked:
        put_item(locked, wish, special=False)


def remove_item(*, character: Character, item_id: int, by: Person | None = None) -> None:
    """Remove an item; of a draft, only an ordinary one. Refusals: ``no_such_item``."""
    with changing(character, by) as locked:
        items = locked.items.filter(pk=item_id)
        if not locked.is_done:
            items = items.filter(special=False)
        if not items.delete()[0]:
            raise SheetRefused("no_such_item")
