"""Erasure of a person, with or without an account. Only what other people played with them is kept."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q

from companion.identity import belongings, changes
from companion.models import Person, PersonLink


@transaction.atomic
def erase(person: Person, heirs: Mapping[str, Person]) -> None:
    """Delete a person, their account, and everything that is deleted with them.

    :param heirs: see ``belongings.clear``.
    """
    user = person.user
    # Log entries of the admin contain the names of the person and of their belongings.
    names = {person.name, *(thing.title for thing in belongings.list_belongings(person))} - {""}
    belongings.clear(person, heirs)
    PersonLink.objects.filter(Q(person=person) | Q(asked_by=person)).delete()
    person.forget()
    if user:
        names |= {user.get_username()}
        _sign_out_everywhere(user.pk)
        user.delete()
    LogEntry.objects.filter(object_repr__in=names).delete()
    changes.announce_change(person)


def _sign_out_everywhere(user_pk: int) -> None:
    for row in Session.objects.iterator():
        if row.get_decoded().get("_auth_user_id") == str(user_pk):
            row.delete()
