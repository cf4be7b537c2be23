"""Access to characters: lookups by right, and the services that share a sheet.

A sheet is shared by its visibility, by a link, and by a password for editing. "No such character" and "not
yours" both give 404.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from characters.models import Character, Creation
from characters.rules import SheetRefused
from characters.services.sheets import check_done, lock
from companion.identity.people import HttpRequest
from companion.models import Person

#: Length of an edit password in characters.
PASSWORD_AT_LEAST, PASSWORD_AT_MOST = 6, 128
#: Random bytes of a share link's key, too many to guess: 22 characters in the address.
KEY_BYTES = 16


def get_own_sheet(request: HttpRequest, pk: int) -> Character:
    """Return a person's own character, with all that its sheet shows."""
    return get_object_or_404(Character.objects.with_rows(), owner=request.person, pk=pk)


def get_own_character(request: HttpRequest, pk: int) -> Character:
    """Return a person's own character, to change it."""
    return get_object_or_404(Character, owner=request.person, pk=pk)


def get_own_creation(request: HttpRequest, pk: int) -> Creation:
    creations = Creation.objects.select_related("character").prefetch_related(
        "draws", "character__skills", "character__items"
    )
    return get_object_or_404(creations, character=get_own_character(request, pk))


def get_editable_character(request: HttpRequest, pk: int) -> Character:
    """Return a character whose sheet a person may rewrite: as its owner, or by its edit password."""
    if request.person is None:
        raise Http404
    may = Q(owner=request.person) | Q(pk__in=_opened_to(request.person))
    return get_object_or_404(Character.objects.with_rows().filter(may), pk=pk)


def may_edit(request: HttpRequest, character: Character) -> bool:
    """True if a person who does not own a character gave its edit password."""
    return request.person is not None and _opened_to(request.person).filter(character=character).exists()


def _opened_to(person: Person) -> QuerySet[Any]:
    """Return the ids of the characters whose edit password a person gave."""
    return Character.editors.through.objects.filter(person=person).values("character")


def get_visible_character(request: HttpRequest, pk: int) -> Character:
    """Return a character that this person may look at: their own, or a finished one shown to them.

    A character that was brought to a session is shown to its GM, to the sub-GM who took over, and to the
    holder of its seat. With the visibility "campaign" it is shown to everybody with a seat in any session of
    that session's campaign, and a public one to everybody. The people who gave its edit password see it, too.
    """
    own, everybody = Q(owner=request.person), Q(status="done", visibility=Character.Visibility.PUBLIC)
    if request.person is None:
        return get_object_or_404(Character.objects.with_rows().filter(everybody), pk=pk)
    gm, deputy = "seats__session__seats__", "seats__session__seats__stand_in__"
    runs = Q(status="done", seats__removed_at=None, **{f"{gm}role": "gm"}) & (
        Q(**{f"{gm}person": request.person})
        | Q(**{f"{deputy}person": request.person, f"{deputy}deputy": True, f"{deputy}removed_at": None})
    )
    beside = "seats__session__campaign__sessions__seats__"
    sits = Q(
        status="done",
        visibility=Character.Visibility.CAMPAIGN,
        seats__removed_at=None,
        **{f"{beside}person": request.person, f"{beside}removed_at": None},
    )
    # A seat that moved to another device: its holder may read the sheet, which the old holder owns.
    holds = Q(status="done", seats__person=request.person, seats__removed_at=None)
    opened = Q(pk__in=_opened_to(request.person))
    shown = Character.objects.with_rows().filter(own | everybody | runs | sits | holds | opened)
    return get_object_or_404(shown.distinct(), pk=pk)


def get_shared_character(key: str) -> Character:
    """Return the character that a share link opens. Knowing the link is enough."""
    return get_object_or_404(
        Character.objects.with_rows().exclude(share_key=""), status="done", share_key=key
    )


def is_public(character: Character) -> bool:
    """True if anybody may read a character, scripts of other sites included."""
    return character.is_done and character.visibility == Character.Visibility.PUBLIC


def is_shown(character: Character) -> bool:
    """True if its owner shows a character to others."""
    return character.is_done and character.visibility != Character.Visibility.PRIVATE


@transaction.atomic
def set_visibility(*, character: Character, visibility: str) -> None:
    """Refusals: ``not_done``, ``no_such_visibility``."""
    shown = check_done(lock(character))
    if visibility not in Character.Visibility.values:
        raise SheetRefused("no_such_visibility")
    shown.visibility = visibility
    shown.save(update_fields=["visibility"])


@transaction.atomic
def make_link(*, character: Character) -> None:
    """Create the share link if there is none. Refusals: ``not_done``."""
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
    """Set the password with which people may edit the shared sheet. Create the link if needed.

    People who gave an earlier password lose access. Refusals: ``not_done``, ``password_short``.
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
    """Refusals: ``wrong_password``, also if the sheet has none."""
    known = character.edit_password
    if not known or len(password) > PASSWORD_AT_MOST or not check_password(password, known):
        raise SheetRefused("wrong_password")
