"""The belongings of people, whichever app keeps them: listed, handed over, and deleted.

The ground floor knows no characters and no seats. Each app that keeps something for people registers in
``ready`` of its ``AppConfig`` with ``belongings.keepers.append(Keeper(...))``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from companion.models import Person, PersonLink


class Thing(NamedTuple):
    """One belonging in words. ``stays`` is the reason why it cannot be handed over."""

    icon: str
    title: str
    note: str = ""
    stays: str = ""


class Estate(NamedTuple):
    """A thing that others use, too: before its owner goes, it is given to an heir or goes with them."""

    key: str
    title: str
    note: str
    heirs: list[Person]


def _no_estates(person: Person) -> list[Estate]:
    return []


def _nowhere(person: Person) -> bool:
    return False


def _told_nothing(event: str, link: PersonLink) -> None:
    pass


def _nothing_to_leave(person: Person, key: str, heir: Person) -> None:
    raise LookupError(key)


class Keeper(NamedTuple):
    """An app's functions for the belongings it keeps.

    ``of(person, receiver)`` lists them. ``hand_over(person, receiver)`` gives them to the receiver, except
    those that stay, and returns the rows that went; ``give_back(rows, person)`` gives these back, whoever has
    them by now. ``clear(person)`` deletes those that are deleted with a person, and every word of theirs
    in what stays. ``data(person)`` returns all of it as documents of JSON, by the name of a file.

    ``estates(person)`` are the things that others use, too, and ``bequeath(person, key, heir)`` gives one
    away. What changes anything runs in a transaction with the people locked.

    ``is_here(person)`` says if a page of theirs is open and can be asked; ``told(event, link)`` hears of a
    guest's way to another device: ``asked``, ``refused``, ``taken`` or ``taken_back``.
    """

    name: str
    of: Callable[[Person, Person | None], list[Thing]]
    hand_over: Callable[[Person, Person], list[int]]
    give_back: Callable[[list[int], Person], None]
    clear: Callable[[Person], None]
    data: Callable[[Person], dict[str, Any]]
    estates: Callable[[Person], list[Estate]] = _no_estates
    bequeath: Callable[[Person, str, Person], None] = _nothing_to_leave
    is_here: Callable[[Person], bool] = _nowhere
    told: Callable[[str, PersonLink], None] = _told_nothing


keepers: list[Keeper] = []


def of(person: Person, receiver: Person | None = None) -> list[Thing]:
    """Return the belongings of a person. With a receiver, those that cannot go to them say why."""
    return [thing for keeper in keepers for thing in keeper.of(person, receiver)]


@transaction.atomic
def hand_over(person: Person, receiver: Person) -> dict[str, list[int]]:
    """Give everything that can be handed over to another person, all of it or nothing.

    :return: the rows that went, by the keeper's name.
    """
    _lock(person, receiver)
    return {keeper.name: keeper.hand_over(person, receiver) for keeper in keepers}


@transaction.atomic
def give_back(rows: Mapping[str, list[int]], person: Person) -> None:
    """Give a person again what was handed over, and nothing else, whoever has it by now."""
    _lock(person)
    for keeper in keepers:
        keeper.give_back(rows.get(keeper.name, []), person)


def is_here(person: Person) -> bool:
    """True if a page of a person is open anywhere, and they can be asked."""
    return any(keeper.is_here(person) for keeper in keepers)


def tell(event: str, link: PersonLink) -> None:
    """Tell all keepers about a guest's way to another device."""
    for keeper in keepers:
        keeper.told(event, link)


def data(person: Person) -> dict[str, Any]:
    """Return everything of a person as documents of JSON, by the name of a file."""
    return {name: part for keeper in keepers for name, part in keeper.data(person).items()}


def estates(person: Person) -> list[Estate]:
    """Return the things that are given to an heir, or deleted, before a person goes."""
    return [estate for keeper in keepers for estate in keeper.estates(person)]


@transaction.atomic
def clear(person: Person, heirs: Mapping[str, Person]) -> None:
    """Delete everything of a person.

    :param heirs: by the key of an estate, who gets it; the others are deleted.
    """
    _lock(person, *heirs.values())
    for keeper in keepers:
        mine = {estate.key for estate in keeper.estates(person)}
        for key in mine & heirs.keys():
            keeper.bequeath(person, key, heirs[key])
    # After all of that: a picture goes with what shows it, which another keeper may have given away.
    for keeper in keepers:
        keeper.clear(person)


def given(rows: QuerySet[Any], receiver: Person) -> list[int]:
    """Give rows that have an ``owner`` to another one, and return them."""
    went = list(rows.values_list("pk", flat=True))
    rows.update(owner=receiver)
    return went


def _lock(*people: Person) -> None:
    # In one order, or two hand-overs could wait for each other.
    list(Person.objects.select_for_update().filter(pk__in=[p.pk for p in people]).order_by("pk"))
