"""The verbs of showing a sheet to others, and of copying it."""

from __future__ import annotations

import secrets
from dataclasses import replace

from django.db import transaction

from characters import rules
from characters.models import Character
from characters.rules import SheetRefused
from characters.services.exchange import bring_in, plain_sheet
from characters.services.rows import lock

#: Bits nobody guesses: 22 letters in an address.
KEY_BYTES = 16


@transaction.atomic
def show_to(*, character: Character, visibility: str) -> None:
    """Choose who may look at a finished character: its owner, people of its campaigns, or everybody.

    :raises SheetRefused: ``not_done``, ``no_such_visibility``.
    """
    shown = _done(character)
    if visibility not in Character.Visibility.values:
        raise SheetRefused("no_such_visibility")
    shown.visibility = visibility
    shown.save(update_fields=["visibility"])


@transaction.atomic
def make_link(*, character: Character) -> None:
    """Make a link that opens the sheet to everybody who knows it. A sheet with a link keeps that.

    :raises SheetRefused: ``not_done``.
    """
    linked = _done(character)
    if not linked.share_key:
        linked.share_key = secrets.token_urlsafe(KEY_BYTES)
        linked.save(update_fields=["share_key"])


@transaction.atomic
def end_link(*, character: Character) -> None:
    """End the link of a sheet for good. The next one will be different."""
    linked = lock(character)
    linked.share_key = ""
    linked.save(update_fields=["share_key"])


@transaction.atomic
def copy(*, character: Character, name: str) -> Character:
    """Return a new, private character with the same sheet at full HP and no past.

    :raises SheetRefused: ``not_done``.
    """
    first = _done(character)
    sheet = replace(plain_sheet(first), name=name[: rules.NAME_LENGTH], hp=first.hp_max)
    return bring_in(owner=first.owner, sheet=sheet)


def _done(character: Character) -> Character:
    locked = lock(character)
    if not locked.is_done:
        raise SheetRefused("not_done")
    return locked
