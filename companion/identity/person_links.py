"""A guest goes to another device: by a key that opens once, by a recovery code, or by the word of the GM.

The key is good for ten minutes and the old device shows it; the recovery code lies in a drawer until the old
device is dead. The other device asks with either. The GM gives their word for a device that is there. While a
page of the old device is open, its answer decides, so that what was read over a shoulder is good for nothing.
A code or a word that it leaves without an answer for two minutes counts: a broken screen cannot be touched.

Everything of the guest is handed over to the guest of the other device, and the old device keeps nobody but
an empty guest, whose open pages close. For a day what went over can be taken back.
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

Kind = PersonLink.Kind
LIFETIME = timedelta(minutes=10)
#: So long an old device has the question before its silence counts, where that counts.
ASKED_FOR = timedelta(minutes=2)
#: So long what went over can be taken back.
REGRET = timedelta(days=1)
#: Seconds after which an old device that asks no more is not here.
HERE_FOR = 12
#: Twelve signs that nobody mistakes for each other when they are typed: 59 bits.
SIGNS, LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 12


class Refused(Exception):
    """The way is closed to this device. ``code`` says why: ``closed``, ``own`` or ``stays``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def issue(person: Person) -> str:
    """Return a new key to a guest; the one before opens nothing any more."""
    token = _issue(person, Kind.KEY)
    note_here(person)
    return token


@transaction.atomic
def issue_code(person: Person) -> str:
    """Return a new recovery code of a guest; the one before opens nothing any more."""
    return _issue(person, Kind.CODE)


def code_of(person: Person) -> PersonLink | None:
    """Return the recovery code that a guest has, without its signs, which nobody knows but the guest."""
    return PersonLink.objects.filter(person=person, kind=Kind.CODE, taken_at=None).first()


def typed(text: str) -> str:
    """Return a key as it was issued from one that somebody typed; "" if it cannot be one."""
    key = "".join(sign for sign in text.casefold() if sign.isalnum())
    return key if len(key) == LENGTH and set(key) <= set(SIGNS) else ""


def by_token(token: str) -> PersonLink | None:
    """Return the link of a key or code, also one that was used; None for an old or unknown one."""
    return _open().filter(token_hash=_hash(token)).first()


def of(person: Person) -> PersonLink | None:
    """Return what the old device shows: the link by which somebody asks, else the newest that is young."""
    found = list(_open().filter(person=person).exclude(kind=Kind.CODE, asked_by=None).order_by("-made_at"))
    return next((link for link in found if is_asked(link)), found[0] if found else None)


def gone(person: Person) -> PersonLink | None:
    """Return the way by which everything of a guest went lately, None if all is here."""
    return _gone().filter(person=person).order_by("-taken_at").first()


def note_here(person: Person) -> None:
    """Note that the old device shows its page."""
    cache.set(_key(person.pk), True, HERE_FOR)


def is_here(person: Person) -> bool:
    """True if a page of the old device is open, and so can be asked."""
    return bool(cache.get(_key(person.pk))) or belongings.is_here(person)


def is_asked(link: PersonLink) -> bool:
    """True if the old device has a question that it may still answer."""
    if link.taken_at or link.asked_at is None:
        return False
    return link.kind == Kind.KEY or link.asked_at > timezone.now() - ASKED_FOR


def number_of(link: PersonLink) -> str:
    """Return the two digits that both devices show, so that people see that it is these two."""
    return f"{int(_hash(f'{link.token_hash}/{link.asked_by_id}'), 16) % 100:02}"


@transaction.atomic
def ask(token: str, asker: Person) -> PersonLink:
    """Ask for everything of a guest. While the first device that asks has its time, it is the only one.

    :raises Refused: ``closed``, ``own``, ``stays``.
    """
    return _ask(_locked(token_hash=_hash(token)), asker)


@transaction.atomic
def vouch(person: Person, device: Person, by: str) -> PersonLink:
    """Give the GM's word that the guest of a device is a guest who was on another one.

    :raises Refused: ``closed``, ``own``, ``stays``.
    """
    links = PersonLink.objects.filter(person=person, kind=Kind.WORD, taken_at=None)
    links.exclude(asked_by=device, asked_at__gt=timezone.now() - LIFETIME).delete()
    if not links.exists():
        _issue(person, Kind.WORD, by)  # nobody hears its key
    return _ask(_locked(person=person, kind=Kind.WORD), device)


@transaction.atomic
def answer(person: Person, *, allow: bool) -> None:
    """Answer the device that asks, as the guest of the old one. After a no its key or code opens nothing.

    :raises Refused: ``closed``, ``stays``.
    """
    asked = of(person)
    if asked is None:
        raise Refused("closed")
    link = _locked(pk=asked.pk)
    if not allow:
        belongings.tell("refused", link)
        link.delete()
    elif link.asked_by:
        _take(link)


@transaction.atomic
def take_back(link: PersonLink) -> None:
    """Give everything that went over back to the old device; what came about since stays where it is.

    :raises Refused: ``closed`` (a day has passed, or it was taken back already).
    """
    found = _gone().select_for_update(of=("self",)).filter(pk=link.pk).first()
    if found is None:
        raise Refused("closed")
    old, new = found.person, found.asked_by
    belongings.give_back(found.brought["rows"], old)
    old.name, name = found.brought["names"]
    old.save(update_fields=["name"])
    if new:
        new.name = name
        new.save(update_fields=["name"])
    belongings.tell("taken_back", found)
    found.delete()


def _issue(person: Person, kind: str, by: str = "") -> str:
    now = timezone.now()
    PersonLink.objects.filter(person=person, kind=kind, taken_at=None).delete()
    old = Q(made_at__lt=now - LIFETIME, taken_at=None) | Q(taken_at__lt=now - REGRET)
    PersonLink.objects.exclude(kind=Kind.CODE, taken_at=None).filter(old).delete()
    token = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    PersonLink.objects.create(person=person, kind=kind, by=by, token_hash=_hash(token))
    return token


def _ask(link: PersonLink, asker: Person) -> PersonLink:
    if link.person_id == asker.pk:
        raise Refused("own")
    now, again = timezone.now(), link.asked_by_id == asker.pk
    if link.asked_by_id and not again and is_asked(link):
        raise Refused("closed")
    _check_all_moves(link.person, asker)
    if not is_here(link.person) or (again and _was_silent(link)):
        link.asked_by = asker
        return _take(link)
    if not again or not is_asked(link):
        link.asked_by, link.asked_at = asker, now
        link.save(update_fields=["asked_by", "asked_at"])
        belongings.tell("asked", link)
    return link


def _was_silent(link: PersonLink) -> bool:
    """True if the old device was asked just before, and its time is over."""
    return link.asked_at is not None and not is_asked(link) and link.asked_at > timezone.now() - LIFETIME


def _take(link: PersonLink) -> PersonLink:
    receiver = link.asked_by
    assert receiver
    _check_all_moves(link.person, receiver)
    link.brought = {
        "rows": belongings.hand_over(link.person, receiver),
        "names": [link.person.name, receiver.name],
    }
    receiver.name, link.person.name = link.person.name or receiver.name, ""
    receiver.save(update_fields=["name"])
    link.person.save(update_fields=["name"])
    # Whatever else leads to the guest who is empty now leads nowhere.
    PersonLink.objects.filter(person=link.person, taken_at=None).exclude(pk=link.pk).delete()
    link.taken_at = timezone.now()
    link.save(update_fields=["asked_by", "taken_at", "brought"])
    belongings.tell("taken", link)
    return link


def _check_all_moves(person: Person, receiver: Person) -> None:
    if person.user_id or receiver.user_id:
        raise Refused("closed")
    if any(thing.stays for thing in belongings.of(person, receiver)):
        raise Refused("stays")


def _open() -> QuerySet[PersonLink]:
    """Return the links that still lead somewhere, and those by which somebody went lately."""
    now = timezone.now()
    unused = Q(taken_at=None) & (Q(kind=Kind.CODE) | Q(made_at__gt=now - LIFETIME))
    found = PersonLink.objects.select_related("person", "asked_by")
    return found.filter(unused | Q(taken_at__gt=now - REGRET))


def _gone() -> QuerySet[PersonLink]:
    """Return the links by which somebody went lately; what went by one of an older version is not known."""
    return _open().exclude(taken_at=None).exclude(brought={})


def _locked(**which: object) -> PersonLink:
    """Return a link that still opens, and let nobody else use it meanwhile.

    :raises Refused: ``closed``.
    """
    link = _open().select_for_update(of=("self",)).filter(taken_at=None, **which).first()
    if link is None:
        raise Refused("closed")
    return link


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _key(person_pk: int) -> str:
    return f"person-link.{person_pk}"
