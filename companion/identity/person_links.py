"""A guest goes to another device: by a key that opens once, for ten minutes.

The other device asks. While the old one is here, showing the key, its answer decides; a key that was read
over a shoulder is good for nothing then. Everything of the guest is handed over to the guest of the other
device, and the old device keeps nobody but an empty guest, whose open pages close.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from companion.identity import belongings
from companion.models import Person, PersonLink

LIFETIME = timedelta(minutes=10)
#: Seconds after which an old device that asks no more is not here.
HERE_FOR = 12
#: Twelve signs that nobody mistakes for each other when they are typed: 59 bits.
SIGNS, LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 12


class Refused(Exception):
    """The key opens nothing for this device. ``code`` says why: ``closed``, ``own`` or ``stays``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def issue(person: Person) -> str:
    """Return a new key to a guest; the one before opens nothing any more."""
    PersonLink.objects.filter(Q(person=person) | Q(made_at__lt=timezone.now() - LIFETIME)).delete()
    token = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    PersonLink.objects.create(person=person, token_hash=_hash(token))
    note_here(person)
    return token


def typed(text: str) -> str:
    """Return a key as it was issued from one that somebody typed; "" if it cannot be one."""
    key = "".join(sign for sign in text.casefold() if sign.isalnum())
    return key if len(key) == LENGTH and set(key) <= set(SIGNS) else ""


def by_token(token: str) -> PersonLink | None:
    """Return the link of a key, also one that was used; None for an old or unknown one."""
    return _young().filter(token_hash=_hash(token)).first()


def of(person: Person) -> PersonLink | None:
    """Return the link of a guest, also one that was used, while it is young."""
    return _young().filter(person=person).first()


def note_here(person: Person) -> None:
    """Note that the old device shows its page."""
    cache.set(_key(person.pk), True, HERE_FOR)


def is_here(person: Person) -> bool:
    """True if the old device shows its page, and so can be asked."""
    return bool(cache.get(_key(person.pk)))


def number_of(link: PersonLink) -> str:
    """Return the two digits that both devices show, so that people see that it is these two."""
    return f"{int(_hash(f'{link.token_hash}/{link.asked_by_id}'), 16) % 100:02}"


@transaction.atomic
def ask(token: str, asker: Person) -> PersonLink:
    """Ask for everything of a guest. The first device that asks is the only one.

    :raises Refused: ``closed``, ``own``, ``stays``.
    """
    link = _locked(token_hash=_hash(token))
    if link.person_id == asker.pk:
        raise Refused("own")
    if link.asked_by_id not in (None, asker.pk):
        raise Refused("closed")
    _check_all_moves(link.person, asker)
    link.asked_by = asker
    link.save(update_fields=["asked_by"])
    return link if is_here(link.person) else _take(link)


@transaction.atomic
def answer(person: Person, *, allow: bool) -> None:
    """Answer the device that asks, as the guest of the old one.

    :raises Refused: ``closed``, ``stays``.
    """
    link = _locked(person=person)
    if not allow:
        link.delete()
    elif link.asked_by:
        _take(link)


def _take(link: PersonLink) -> PersonLink:
    receiver = link.asked_by
    assert receiver
    _check_all_moves(link.person, receiver)
    belongings.hand_over(link.person, receiver)
    receiver.name, link.person.name = link.person.name or receiver.name, ""
    receiver.save(update_fields=["name"])
    link.person.save(update_fields=["name"])
    link.taken_at = timezone.now()
    link.save(update_fields=["taken_at"])
    return link


def _check_all_moves(person: Person, receiver: Person) -> None:
    if person.user_id or receiver.user_id:
        raise Refused("closed")
    if any(thing.stays for thing in belongings.of(person, receiver)):
        raise Refused("stays")


def _young() -> QuerySet[PersonLink]:
    found = PersonLink.objects.select_related("person", "asked_by")
    return found.filter(made_at__gt=timezone.now() - LIFETIME)


def _locked(**which: object) -> PersonLink:
    """Return a link that still opens, and let nobody else use it meanwhile.

    :raises Refused: ``closed``.
    """
    link = _young().select_for_update(of=("self",)).filter(taken_at=None, **which).first()
    if link is None:
        raise Refused("closed")
    return link


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _key(person_pk: int) -> str:
    return f"person-link.{person_pk}"
