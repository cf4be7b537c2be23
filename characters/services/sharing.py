"""The verbs of showing a sheet to others, and of copying it."""

from __future__ import annotations

import secrets
from dataclasses import replace

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from characters import rules
from characters.models import Character
from characters.rules import SheetRefused
from characters.services.exchange import bring_in, sheet_with_faces
from characters.services.rows import lock
from companion.models import Person

#: Letters of an edit password.
PASSWORD_AT_LEAST, PASSWORD_AT_MOST = 6, 128
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
    """End the link of a sheet for good, and its edit password with it. The next link will be different."""
    linked = lock(character)
    linked.share_key = ""
    linked.save(update_fields=["share_key"])
    end_password(character=linked)


@transaction.atomic
def set_password(*, character: Character, password: str) -> None:
    """Let those who know a password rewrite the sheet, through a link; those who knew another no longer.

    :raises SheetRefused: ``not_done``, ``password_short``.
    """
    if not PASSWORD_AT_LEAST <= len(password) <= PASSWORD_AT_MOST:
        raise SheetRefused("password_short")
    make_link(character=character)
    character.refresh_from_db()
    _write_password(character, make_password(password))


@transaction.atomic
def end_password(*, character: Character) -> None:
    """Let nobody but the owner rewrite the sheet any more."""
    _write_password(lock(character), "")


def _write_password(character: Character, hashed: str) -> None:
    character.edit_password = hashed
    character.save(update_fields=["edit_password"])
    character.editors.clear()


def demand_password(*, character: Character, password: str) -> None:
    """Do nothing for the edit password of a sheet.

    :raises SheetRefused: ``wrong_password``, also where there is none.
    """
    known = character.edit_password
    if not known or len(password) > PASSWORD_AT_MOST or not check_password(password, known):
        raise SheetRefused("wrong_password")


def let_edit(*, character: Character, person: Person) -> None:
    """Let a person who gave the edit password rewrite the sheet."""
    character.editors.add(person)


@transaction.atomic
def copy(*, character: Character, name: str) -> Character:
    """Return a new, private character with the same sheet at full HP and no past.

    :raises SheetRefused: ``not_done``.
    """
    first = _done(character)
    sheet = replace(sheet_with_faces(first), name=name[: rules.NAME_LENGTH], hp=first.hp_max)
    return bring_in(owner=first.owner, sheet=sheet)


def _done(character: Character) -> Character:
    locked = lock(character)
    if not locked.is_done:
        raise SheetRefused("not_done")
    return locked
