"""The belongings of people, whichever app keeps them: listed, handed over, and deleted.

The ground floor knows no characters and no seats. Each app that keeps something for people registers in
``ready`` of its ``AppConfig`` with ``belongings.keepers.append(Keeper(...))``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from companion.models import Person


class Thing(NamedTuple):
    """One belonging in words. ``stays`` is the reason why it cannot be handed over."""

    icon: str
    title: str
    note: str = ""
    stays: str = ""


class Keeper(NamedTuple):
    """An app's functions for the belongings it keeps.

    ``of(person, receiver)`` lists them. ``hand_over(person, receiver)`` gives them to the receiver, except
    those that stay. ``clear(person)`` deletes those that are deleted with an account. The latter two run in a
    transaction with both people locked.
    """

    of: Callable[[Person, Person | None], list[Thing]]
    hand_over: Callable[[Person, Person], None]
    clear: Callable[[Person], None]


keepers: list[Keeper] = []


def of(person: Person, receiver: Person | None = None) -> list[Thing]:
    """Return the belongings of a person. With a receiver, those that cannot go to them say why."""
    return [thing for keeper in keepers for thing in keeper.of(person, receiver)]


@transaction.atomic
def hand_over(person: Person, receiver: Person) -> None:
    """Give everything that can be handed over to another person, all of it or nothing."""
    _lock(person, receiver)
    for keeper in keepers:
        keeper.hand_over(person, receiver)


@transaction.atomic
def clear(person: Person) -> None:
    """Delete everything that is deleted with an account."""
    _lock(person)
    for keeper in keepers:
        keeper.clear(person)


def _lock(*people: Person) -> None:
    # In one order, or two hand-overs could wait for each other.
    list(Person.objects.select_for_update().filter(pk__in=[p.pk for p in people]).order_by("pk"))
