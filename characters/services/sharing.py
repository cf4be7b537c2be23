"""The services for sharing and copying a sheet."""

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

#: Length of an edit password in characters.
PASSWORD_AT_LEAST, PASSWORD_AT_MOST = 6, 128
#: Random bytes of a share link's key, too many to guess: 22 characters in the address.
KEY_BYTES = 16


@transaction.atomic
def show_to(*, character: Character, visibility: str) -> None:
    """Set the visibility of a finished character: its owner, people of its campaigns, or everybody.

    :raises SheetRefused: ``not_done``, ``no_such_visibility``.
    """
    shown = _done(character)
    if visibility not in Character.Visibility.values:
        raise SheetRefused("no_such_visibility")
    shown.visibility = visibility
    shown.save(update_fields=["visibility"])


@transaction.atomic
def make_link(*, character: Character) -> None:
    """Create the share link, which shows the sheet to everybody who knows it. Keep an existing link.

    :raises SheetRefused: ``not_done``.
    """
    linked = _done(character)
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


def demand_password(*, character: Character, password: str) -> None:
    """Check the edit password of a sheet.

    :raises SheetRefused: ``wrong_password``, also if the sheet has none.
    """
    known = character.edit_password
    if not known or len(password) > PASSWORD_AT_MOST or not check_password(password, known):
        raise SheetRefused("wrong_password")


def let_edit(*, character: Character, person: Person) -> None:
    """Allow a person to edit the sheet."""
    character.editors.add(person)


@transaction.atomic
def copy(*, character: Character, name: str) -> Character:
    """Return a new private character with the same sheet at full HP, without history and experience.

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
