"""What people have here, whichever app keeps it: to list it, to hand it over, and to clear it away.

The ground floor knows no characters and no seats. Each app that keeps something for people says so once, in
``ready`` of its ``AppConfig``: ``belongings.keepers.append(Keeper(...))``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from companion.models import Person


class Thing(NamedTuple):
    """One thing of somebody's, in words. ``stays`` says why it cannot be handed over."""

    icon: str
    title: str
    note: str = ""
    stays: str = ""


class Keeper(NamedTuple):
    """What one app can do with the things it keeps.

    ``of(person, receiver)`` lists them; ``hand_over(person, receiver)`` makes them the receiver's, except
    those that stay; ``clear(person)`` deletes what dies with an account. The latter two run in a
    transaction, everybody locked.
    """

    of: Callable[[Person, Person | None], list[Thing]]
    hand_over: Callable[[Person, Person], None]
    clear: Callable[[Person], None]


keepers: list[Keeper] = []


def of(person: Person, receiver: Person | None = None) -> list[Thing]:
    """Return everything a person has; for a receiver, with what would have to stay."""
    return [thing for keeper in keepers for thing in keeper.of(person, receiver)]


@transaction.atomic
def hand_over(person: Person, receiver: Person) -> None:
    """Make everything of a person another's that does not have to stay: all of it or nothing."""
    _lock(person, receiver)
    for keeper in keepers:
        keeper.hand_over(person, receiver)


@transaction.atomic
def clear(person: Person) -> None:
    """Delete what dies with an account."""
    _lock(person)
    for keeper in keepers:
        keeper.clear(person)


def _lock(*people: Person) -> None:
    # In one order, or two hand-overs could wait for each other.
    list(Person.objects.select_for_update().filter(pk__in=[p.pk for p in people]).order_by("pk"))
