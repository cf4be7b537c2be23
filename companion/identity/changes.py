"""Notifies open pages when their device changes to another person, so that they stop acting for the old one.

A websocket identifies its person by the cookies of its handshake. It joins the channel group of that person,
and checks those cookies again on a message of the group, and periodically, as expiry sends no message.
"""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from companion.models import Person


def person_group(person_pk: int) -> str:
    """Return the name of the channel group of a person's open pages."""
    return f"person.{person_pk}"


def announce_change(person: Person, *, left: bool = False) -> None:
    """After commit, make the open pages of a person check whether they still belong to that person.

    :param left: True if the pages must close although their cookies are valid: an account signed in there.
    """
    group, message = person_group(person.pk), {"type": "person.changed", "left": left}
    transaction.on_commit(lambda: async_to_sync(get_channel_layer().group_send)(group, message), robust=True)
