"""The history of finished sheets: each change adds a revision, and each revision can be restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from characters.models import Character, Item, Revision
from characters.rules import SheetRefused
from characters.services.rows import lock, write_skills
from companion.models import Person

TEXTS = ["name", "concept", "background"]
ITEM = ["kind", "name", "table_value", "quality", "special"]


def snapshot(character: Character) -> dict[str, Any]:
    """Return the whole sheet except present HP, as a revision stores it. Queries skills and items."""
    texts = {field: getattr(character, field) for field in [*TEXTS, "hp_max", "suits"]}
    return {
        **texts,
        "skills": list(character.skills.values_list("name", flat=True)),
        "items": list(character.items.values(*ITEM)),
    }


def revision_number(character: Character) -> int:
    """Return the number of the newest revision, 1 for a sheet that was never changed."""
    return character.revisions.values_list("number", flat=True).first() or 1


def as_it_is(character: Character) -> tuple[int, dict[str, Any]]:
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


def keep_revision(
    character: Character,
    by: Person | None = None,
    why: Revision.Why = Revision.Why.EDITED,
    restored_from: int | None = None,
) -> None:
    """Store a revision if the sheet differs from the last one. Store the first one if there is none.

    :param by: the author of the change, by default the owner.
    """
    begin_history(character, by)
    last, sheet = character.revisions.first(), snapshot(character)
    if last and last.sheet != sheet:
        Revision.objects.create(
            character=character,
            number=last.number + 1,
            made_by=by or character.owner,
            why=why,
            restored_from=restored_from,
            sheet=sheet,
        )


@contextmanager
def changing(
    character: Character,
    by: Person | None = None,
    *,
    why: Revision.Why = Revision.Why.EDITED,
    restored_from: int | None = None,
) -> Iterator[Character]:
    """Lock a sheet for a change and store a revision afterwards, in one transaction.

    A draft has no history yet.
    """
    with transaction.atomic():
        locked = lock(character)
        begin_history(locked)
        yield locked
        keep_revision(locked, by, why, restored_from)


def restore(*, character: Character, number: int, by: Person | None = None) -> None:
    """Restore the sheet of a revision, as a new revision. Present HP is capped at the restored maximum.

    :raises SheetRefused: ``not_done``, ``no_such_revision``, ``same_as_now``.
    """
    with changing(character, by, why=Revision.Why.RESTORED, restored_from=number) as locked:
        if not locked.is_done:
            raise SheetRefused("not_done")
        kept = locked.revisions.filter(number=number).first()
        if kept is None:
            raise SheetRefused("no_such_revision")
        if kept.sheet == snapshot(locked):
            raise SheetRefused("same_as_now")
        _write(locked, kept.sheet)


def _write(character: Character, sheet: dict[str, Any]) -> None:
    for field in [*TEXTS, "hp_max", "suits"]:
        setattr(character, field, sheet[field])
    character.hp = min(character.hp, character.hp_max)
    character.save()
    write_skills(character, sheet["skills"])
    character.items.all().delete()
    Item.objects.bulk_create(Item(character=character, **item) for item in sheet["items"])
