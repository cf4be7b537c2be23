"""Personal data of all apps: listed, transferred to another person, exported, and deleted.

This package must not import the apps above it. Each app that stores personal data registers a provider in
``ready`` of its ``AppConfig``: ``belongings.keepers.append(DataProvider(...))``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from companion.models import Person, PersonLink


class Belonging(NamedTuple):
    """Description of one belonging. ``stays`` is the reason why it cannot be transferred, "" if it can."""

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


def _no_estates(person: Person) -> list[OwnedResource]:
    return []


def _nowhere(person: Person) -> bool:
    return False


def _told_nothing(event: str, link: PersonLink) -> None:
    pass


def _nothing_to_leave(person: Person, key: str, heir: Person) -> None:
    raise LookupError(key)


class DataProvider(NamedTuple):
    """An app's provider of personal data.

    ``of(person, receiver)`` lists the belongings. ``hand_over(person, receiver)`` transfers those without
    ``stays`` and returns the transferred ids; ``give_back(rows, person)`` returns these to the person,
    even if their owner has changed since. ``clear(person)`` deletes the belongings of a person, and the
    person's texts in shared data. ``data(person)`` returns all of it as JSON documents by file name.

    ``estates(person)`` lists the shared belongings; ``bequeath(person, key, heir)`` transfers one of them.
    All functions that change data run in a transaction that has locked the people.

    ``is_here(person)`` is true if the person has an open page that can show a request. ``told(event, link)``
    receives the events of a move to another device: ``asked``, ``refused``, ``taken`` or ``taken_back``.
    """

    name: str
    of: Callable[[Person, Person | None], list[Belonging]]
    hand_over: Callable[[Person, Person], list[int]]
    give_back: Callable[[list[int], Person], None]
    clear: Callable[[Person], None]
    data: Callable[[Person], dict[str, Any]]
    estates: Callable[[Person], list[OwnedResource]] = _no_estates
    bequeath: Callable[[Person, str, Person], None] = _nothing_to_leave
    is_here: Callable[[Person], bool] = _nowhere
    told: Callable[[str, PersonLink], None] = _told_nothing


keepers: list[DataProvider] = []


def list_belongings(person: Person, receiver: Person | None = None) -> list[Belonging]:
    """Return the belongings of a person. Those that cannot be transferred to ``receiver`` have ``stays``."""
    return [thing for keeper in keepers for thing in keeper.of(person, receiver)]


@transaction.atomic
def hand_over(person: Person, receiver: Person) -> dict[str, list[int]]:
    """Transfer everything transferable to another person, in one transaction.

    :return: the transferred ids, by the name of the keeper.
    """
    _lock(person, receiver)
    return {keeper.name: keeper.hand_over(person, receiver) for keeper in keepers}


@transaction.atomic
def give_back(rows: Mapping[str, list[int]], person: Person) -> None:
    """Return transferred rows to a person, and only those, even if their owner has changed since."""
    _lock(person)
    for keeper in keepers:
        keeper.give_back(rows.get(keeper.name, []), person)


def is_here(person: Person) -> bool:
    """True if any app has an open page of a person that can show a request."""
    return any(keeper.is_here(person) for keeper in keepers)


def tell(event: str, link: PersonLink) -> None:
    """Report an event of a guest's move to another device to all keepers."""
    for keeper in keepers:
        keeper.told(event, link)


def data(person: Person) -> dict[str, Any]:
    """Return all data of a person as JSON documents by file name."""
    return {name: part for keeper in keepers for name, part in keeper.data(person).items()}


def estates(person: Person) -> list[OwnedResource]:
    """Return the shared belongings that get a new owner, or are deleted, when a person is erased."""
    return [estate for keeper in keepers for estate in keeper.estates(person)]


@transaction.atomic
def clear(person: Person, heirs: Mapping[str, Person]) -> None:
    """Delete all data of a person, after transferring shared belongings.

    :param heirs: new owners by the key of an estate; estates without one are deleted.
    """
    _lock(person, *heirs.values())
    for keeper in keepers:
        mine = {estate.key for estate in keeper.estates(person)}
        for key in mine & heirs.keys():
            keeper.bequeath(person, key, heirs[key])
    # Only after all transfers: a picture moves with its owner row, which another keeper may transfer.
    for keeper in keepers:
        keeper.clear(person)


def transfer_rows(rows: QuerySet[Any], receiver: Person) -> list[int]:
    """Set a new ``owner`` of these rows, and return their ids."""
    went = list(rows.values_list("pk", flat=True))
    rows.update(owner=receiver)
    return went


def _lock(*people: Person) -> None:
    # Always in the same order, to prevent deadlocks between two transfers.
    list(Person.objects.select_for_update().filter(pk__in=[p.pk for p in people]).order_by("pk"))
