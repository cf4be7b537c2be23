"""Personal data of all apps: listed, transferred to another person, exported, and erased.

This package must not import the apps above it. Each app that stores personal data registers a provider in
``ready`` of its ``AppConfig``: ``personal_data.providers.append(DataProvider(...))``. An erasure keeps only
what other people played with the person, with or without an account.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q, QuerySet

from companion.identity import people
from companion.models import Person, PersonLink


class Belonging(NamedTuple):
    """``stays`` is the reason why it cannot be transferred, "" if it can."""

    icon: str
    title: str
    note: str = ""
    stays: str = ""


class OwnedResource(NamedTuple):
    """A belonging that other people use, too. When its owner is erased, it gets a new owner or is deleted."""

    key: str
    title: str
    note: str
    heirs: list[Person]


class DataProvider(NamedTuple):
    """An app's provider of personal data.

    ``list_belongings(person, receiver)`` lists the belongings. ``hand_over(person, receiver)`` transfers
    those without ``stays`` and returns the transferred ids; ``give_back(rows, person)`` returns these to the
    person, even if their owner has changed since. ``clear(person)`` deletes the belongings of a person,
    and the person's texts in shared data. ``data(person)`` returns all of it as JSON documents by file name.

    ``estates(person)`` lists the shared belongings; ``bequeath(person, key, heir)`` transfers one of them.
    All functions that change data run in a transaction that has locked the people.

    ``is_here(person)`` is true if the person has an open page that can show a request.
    ``on_move(event, link)`` receives the events of a move to another device: ``asked``, ``refused``,
    ``taken`` or ``taken_back``.
    """

    name: str
    list_belongings: Callable[[Person, Person | None], list[Belonging]]
    hand_over: Callable[[Person, Person], list[int]]
    give_back: Callable[[list[int], Person], object]
    clear: Callable[[Person], object]
    data: Callable[[Person], dict[str, Any]]
    estates: Callable[[Person], list[OwnedResource]] = lambda person: []
    bequeath: Callable[[Person, str, Person], object] = lambda person, key, heir: None
    is_here: Callable[[Person], bool] = lambda person: False
    on_move: Callable[[str, PersonLink], None] = lambda event, link: None


providers: list[DataProvider] = []


def list_belongings(person: Person, receiver: Person | None = None) -> list[Belonging]:
    """List a person's belongings. Those that cannot be transferred to ``receiver`` have ``stays``."""
    return [thing for provider in providers for thing in provider.list_belongings(person, receiver)]


@transaction.atomic
def hand_over(person: Person, receiver: Person) -> dict[str, list[int]]:
    """Transfer everything transferable, and return the transferred ids by the name of the provider."""
    _lock(person, receiver)
    return {provider.name: provider.hand_over(person, receiver) for provider in providers}


@transaction.atomic
def give_back(rows: Mapping[str, list[int]], person: Person) -> None:
    """Return transferred rows to a person, and only those, even if their owner has changed since."""
    _lock(person)
    for provider in providers:
        provider.give_back(rows.get(provider.name, []), person)


def is_here(person: Person) -> bool:
    """True if any app has an open page of a person that can show a request."""
    return any(provider.is_here(person) for provider in providers)


def report_move(event: str, link: PersonLink) -> None:
    for provider in providers:
        provider.on_move(event, link)


def export_documents(person: Person) -> dict[str, Any]:
    return {name: part for provider in providers for name, part in provider.data(person).items()}


def list_estates(person: Person) -> list[OwnedResource]:
    """Return the shared belongings that get a new owner, or are deleted, when a person is erased."""
    return [estate for provider in providers for estate in provider.estates(person)]


@transaction.atomic
def delete_belongings(person: Person, heirs: Mapping[str, Person]) -> None:
    """Delete all data of a person. ``heirs`` has the new owners of estates by their keys."""
    _lock(person, *heirs.values())
    for provider in providers:
        mine = {estate.key for estate in provider.estates(person)}
        for key in mine & heirs.keys():
            provider.bequeath(person, key, heirs[key])
    # Only after all transfers: a picture moves with its owner row, which another provider may transfer.
    for provider in providers:
        provider.clear(person)


def transfer_rows(rows: QuerySet[Any], receiver: Person) -> list[int]:
    ids = list(rows.values_list("pk", flat=True))
    rows.update(owner=receiver)
    return ids


def _lock(*people: Person) -> None:
    # In the same order always, to prevent deadlocks between two transfers.
    list(Person.objects.select_for_update().filter(pk__in=[p.pk for p in people]).order_by("pk"))


@transaction.atomic
def erase(person: Person, heirs: Mapping[str, Person]) -> None:
    """Delete a person, their account and all their data; ``heirs`` as for ``delete_belongings``."""
    user = person.user
    # The log of the admin names accounts. Older entries also name people and their belongings.
    names = {person.name, *(thing.title for thing in list_belongings(person))} - {""}
    delete_belongings(person, heirs)
    PersonLink.objects.filter(Q(person=person) | Q(asked_by=person)).delete()
    person.forget()
    if user:
        names |= {user.get_username()}
        for session in Session.objects.iterator():  # sign out on every device
            if session.get_decoded().get("_auth_user_id") == str(user.pk):
                session.delete()
        user.delete()
    LogEntry.objects.filter(object_repr__in=names).delete()
    people.announce_change(person)


def export_zip(person: Person) -> bytes:
    """Return a zip of JSON documents (docs/formats.md)."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, document in {"person.json": _person_document(person), **export_documents(person)}.items():
            text = json.dumps(document, ensure_ascii=False, indent=2, cls=DjangoJSONEncoder)
            archive.writestr(name, text + "\n")
    return raw.getvalue()


def _person_document(person: Person) -> dict[str, Any]:
    user = person.user
    account = user and {
        "name": user.get_username(),
        "email": user.email,
        "turns_by_mail_to": user.turn_mail,
        "made_at": user.date_joined,
        "signed_in_at": user.last_login,
        "passkeys": [str(key.wrap().name) for key in Authenticator.objects.filter(user=user)],
    }
    return {
        "format": "takujo.person",
        "version": 1,
        "name": person.name,
        "created_at": person.created_at,
        "account": account,
    }
