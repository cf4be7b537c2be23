"""Open pages hear when their device is somebody else's by now, and do nothing more for the person before.

A websocket knows its person by the cookies that it began with. Each page listens to the group of its person
and looks at those cookies again when it is told to, and once in a while, as nobody tells of what runs out.
"""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from companion.models import Person


def group_of(person_pk: int) -> str:
    """Return the name of the channel group of a person's open pages."""
    return f"person.{person_pk}"


def tell(person: Person, *, left: bool = False) -> None:
    """Tell the open pages of a person that they may be another's by now, once that is committed.

    :param left: they are, whatever their cookies say: somebody signed in on the device of a guest.
    """
    group, message = group_of(person.pk), {"type": "person.changed", "left": left}
    transaction.on_commit(lambda: async_to_sync(get_channel_layer().group_send)(group, message), robust=True)
