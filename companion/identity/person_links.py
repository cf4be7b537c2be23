"""Moves a guest to another device, with a one-time key, a recovery code, or the GM's confirmation.

The old device shows the key, which is valid for ten minutes. The recovery code is stored for the case that
the old device is lost. The new device requests the move with either one, or the GM vouches for it. While a
page of the old device is open, its answer decides, so that a key seen by a stranger is useless. After a
request by code or by the GM, two minutes without an answer count as consent: the old device may be broken.

All belongings go to the guest of the new device. The old device keeps an empty guest, and its open pages
close. For a day the move can be undone.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet

from companion import shared_time
from companion.identity import personal_data
from companion.models import Person, PersonLink, hash_token

Kind = PersonLink.Kind
LIFETIME = timedelta(minutes=10)
#: Time for an answer of the old device. After a request by code or by the GM, no answer counts as consent.
ASKED_FOR = timedelta(minutes=2)
REGRET = timedelta(days=1)
#: Seconds after its last poll for which the page of an old device counts as open.
HERE_FOR = 12
#: Alphabet without characters that look alike, and length of a key: 59 bits.
SIGNS, LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 12


class LinkRefused(Exception):
    """A request is refused with the code ``closed``, ``own`` or ``stays``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def issue(person: Person) -> str:
    """Return a new key; an earlier one becomes invalid."""
    token = _issue(person, Kind.KEY)
    note_here(person)
    return token


@transaction.atomic
def issue_code(person: Person) -> str:
    """Return a new recovery code; an earlier one becomes invalid."""
    return _issue(person, Kind.CODE)


def code_of(person: Person) -> PersonLink | None:
    """Return the link of a guest's recovery code, which itself is stored only as a hash."""
    return PersonLink.objects.filter(person=person, kind=Kind.CODE, taken_at=None).first()


def normalize_key(text: str) -> str:
    """Return "" if the typed text cannot be a key."""
    key = "".join(sign for sign in text.casefold() if sign.isalnum())
    return key if len(key) == LENGTH and set(key) <= set(SIGNS) else ""


def link_by_token(token: str) -> PersonLink | None:
    """Return the link of a key or code, even if it was used; None for an expired or unknown one."""
    return _valid_links().filter(token_hash=hash_token(token)).first()


def current_link(person: Person) -> PersonLink | None:
    """Return the link that the old device shows: one with an open request, else the newest valid one."""
    found = list(
        _valid_links().filter(person=person).exclude(kind=Kind.CODE, asked_by=None).order_by("-made_at")
    )
    return next((link for link in found if has_open_request(link)), found[0] if found else None)


def undoable_link(person: Person) -> PersonLink | None:
    """Return the link of a guest's last move if it can be undone."""
    return _undoable_links().filter(person=person).order_by("-taken_at").first()


def note_here(person: Person) -> None:
    cache.set(_key(person.pk), True, HERE_FOR)


def is_here(person: Person) -> bool:
    """True if a page of the old device is open and can show a request."""
    return bool(cache.get(_key(person.pk))) or personal_data.is_here(person)


def has_open_request(link: PersonLink) -> bool:
    """True if a request waits for the old device's answer."""
    if link.taken_at or link.asked_at is None:
        return False
    return link.kind == Kind.KEY or link.asked_at > shared_time.now() - ASKED_FOR


def number_of(link: PersonLink) -> str:
    """Return the two digits that both devices show, so that people can check that the devices match."""
    return f"{int(hash_token(f'{link.token_hash}/{link.asked_by_id}'), 16) % 100:02}"


@transaction.atomic
def ask(token: str, asker: Person) -> PersonLink:
    """Request the move of a guest to the asker's device; raise ``LinkRefused`` if it cannot begin."""
    return _ask(_lock_link(token_hash=hash_token(token)), asker)


@transaction.atomic
def vouch(person: Person, device: Person, by: str) -> PersonLink:
    """Request a move with the GM ``by`` as witness; raise ``LinkRefused`` if it cannot begin."""
    links = PersonLink.objects.filter(person=person, kind=Kind.WORD, taken_at=None)
    links.exclude(asked_by=device, asked_at__gt=shared_time.now() - LIFETIME).delete()
    if not links.exists():
        _issue(person, Kind.WORD, by)  # the key of this link is not used
    return _ask(_lock_link(person=person, kind=Kind.WORD), device)


@transaction.atomic
def answer(person: Person, *, allow: bool) -> None:
    """Accept the open request, or refuse it and end its key. Raise ``LinkRefused`` if there is none."""
    asked = current_link(person)
    if asked is None:
        raise LinkRefused("closed")
    link = _lock_link(pk=asked.pk)
    if not allow:
        personal_data.report_move("refused", link)
        link.delete()
    elif link.asked_by:
        _take(link)


@transaction.atomic
def take_back(link: PersonLink) -> None:
    """Undo a move, or raise ``LinkRefused`` after a day. Newer belongings stay on the new device."""
    found = _undoable_links().select_for_update(of=("self",)).filter(pk=link.pk).first()
    if found is None:
        raise LinkRefused("closed")
    old, new = found.person, found.asked_by
    personal_data.give_back(found.brought["rows"], old)
    old.name, name = found.brought["names"]
    old.save(update_fields=["name"])
    if new:
        new.name = name
        new.save(update_fields=["name"])
    personal_data.report_move("taken_back", found)
    found.delete()


def _issue(person: Person, kind: str, by: str = "") -> str:
    now = shared_time.now()
    PersonLink.objects.filter(person=person, kind=kind, taken_at=None).delete()
    old = Q(made_at__lt=now - LIFETIME, taken_at=None) | Q(taken_at__lt=now - REGRET)
    PersonLink.objects.exclude(kind=Kind.CODE, taken_at=None).filter(old).delete()
    token = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    PersonLink.objects.create(person=person, kind=kind, by=by, token_hash=hash_token(token))
    return token


def _ask(link: PersonLink, asker: Person) -> PersonLink:
    if link.person_id == asker.pk:
        raise LinkRefused("own")
    now, again, is_open = shared_time.now(), link.asked_by_id == asker.pk, has_open_request(link)
    if link.asked_by_id and not again and is_open:
        raise LinkRefused("closed")
    _check_all_moves(link.person, asker)
    # The old device did not answer a recent request in time.
    was_silent = again and not is_open and link.asked_at is not None and link.asked_at > now - LIFETIME
    if was_silent or not is_here(link.person):
        link.asked_by = asker
        return _take(link)
    if not again or not is_open:
        link.asked_by, link.asked_at = asker, now
        link.save(update_fields=["asked_by", "asked_at"])
        personal_data.report_move("asked", link)
    return link


def _take(link: PersonLink) -> PersonLink:
    receiver = link.asked_by
    assert receiver
    _check_all_moves(link.person, receiver)
    link.brought = {
        "rows": personal_data.hand_over(link.person, receiver),
        "names": [link.person.name, receiver.name],
    }
    receiver.name, link.person.name = link.person.name or receiver.name, ""
    receiver.save(update_fields=["name"])
    link.person.save(update_fields=["name"])
    # The guest is empty now, so their other unused links become invalid.
    PersonLink.objects.filter(person=link.person, taken_at=None).exclude(pk=link.pk).delete()
    link.taken_at = shared_time.now()
    link.save(update_fields=["asked_by", "taken_at", "brought"])
    personal_data.report_move("taken", link)
    return link


def _check_all_moves(person: Person, receiver: Person) -> None:
    if person.user_id or receiver.user_id:
        raise LinkRefused("closed")
    if any(thing.stays for thing in personal_data.list_belongings(person, receiver)):
        raise LinkRefused("stays")


def _valid_links() -> QuerySet[PersonLink]:
    """Return the valid unused links, and those of moves that can be undone."""
    now = shared_time.now()
    unused = Q(taken_at=None) & (Q(kind=Kind.CODE) | Q(made_at__gt=now - LIFETIME))
    undoable = Q(taken_at__gt=now - REGRET)
    return PersonLink.objects.select_related("person", "asked_by").filter(unused | undoable)


def _undoable_links() -> QuerySet[PersonLink]:
    """Return the links of moves that can be undone, without those that an older version did not record."""
    return _valid_links().exclude(taken_at=None).exclude(brought={})


def _lock_link(**which: object) -> PersonLink:
    link = _valid_links().select_for_update(of=("self",)).filter(taken_at=None, **which).first()
    if link is None:
        raise LinkRefused("closed")
    return link


def _key(person_pk: int) -> str:
    return f"person-link.{person_pk}"
