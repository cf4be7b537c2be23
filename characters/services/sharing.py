"""The verbs of who may look at a sheet, and of making one more like it."""

from __future__ import annotations

import secrets

from django.db import transaction

from characters import rules
from characters.models import Character, Item, Skill
from characters.rules import Refused
from characters.services.rows import lock

#: Bits nobody guesses: 22 letters in an address.
KEY_BYTES = 16


@transaction.atomic
def show_to(*, character: Character, visibility: str) -> None:
    """Choose who may look at a finished character: its owner, people of its campaigns, or everybody.

    :raises Refused: ``not_done``, ``no_such_visibility``.
    """
    shown = _done(character)
    if visibility not in Character.Visibility.values:
        raise Refused("no_such_visibility")
    shown.visibility = visibility
    shown.save(update_fields=["visibility"])


@transaction.atomic
def make_link(*, character: Character) -> None:
    """Make a link that opens the sheet to whoever has it. Who has one already keeps it.

    :raises Refused: ``not_done``.
    """
    linked = _done(character)
    if not linked.share_key:
        linked.share_key = secrets.token_urlsafe(KEY_BYTES)
        linked.save(update_fields=["share_key"])


@transaction.atomic
def end_link(*, character: Character) -> None:
    """End the link of a sheet for good: the next one is another."""
    linked = lock(character)
    linked.share_key = ""
    linked.save(update_fields=["share_key"])


@transaction.atomic
def copy(*, character: Character, name: str) -> Character:
    """Return a new, private character with the same sheet at full HP; its past stays with the first one.

    :raises Refused: ``not_done``.
    """
    first = _done(character)
    made = Character.objects.create(
        owner=first.owner,
        name=name[: rules.NAME_LENGTH],
        concept=first.concept,
        background=first.background,
        suits=first.suits,
        hp_max=first.hp_max,
        hp=first.hp_max,
        status=Character.Status.DONE,
    )
    Skill.objects.bulk_create(
        Skill(character=made, order=skill.order, name=skill.name) for skill in first.skills.all()
    )
    Item.objects.bulk_create(
        Item(
            character=made,
            kind=item.kind,
            name=item.name,
            table_value=item.table_value,
            quality=item.quality,
            special=item.special,
        )
        for item in first.items.all()
    )
    return made


def _done(character: Character) -> Character:
    locked = lock(character)
    if not locked.is_done:
        raise Refused("not_done")
    return locked
