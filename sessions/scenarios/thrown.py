"""What all screens show for a moment: it is written down nowhere, and who comes later has missed it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import transaction

from sessions.evening.announcing import session_group
from sessions.evening.refusals import Refused
from sessions.models import Session

#: Seconds between two; whole ones, as not every cache knows others. static/js/cut-in.js shows one for 1.5.
APART = 2
#: Seconds until it begins: by then it has reached the slowest phone, or what has to be loaded for it has.
LEAD, LOADING = 0.3, 1.0


def throw(
    session: Session, *, words: str = "", picture: Mapping[str, Any] | None = None, sound: str = ""
) -> None:
    """Let every open page of an evening show this at one instant, once it is committed.

    :param sound: the address of a sound, which is heard once.
    :raises Refused: ``too_soon``.
    """
    if not cache.add(f"thrown.{session.pk}", True, APART):
        raise Refused("too_soon")
    thrown = {"words": words, "picture": picture, "sound": sound}
    lead = LOADING if picture or sound else LEAD

    def tell() -> None:
        message = {"type": "stage.thrown", "thrown": {"at": round((time.time() + lead) * 1000), **thrown}}
        async_to_sync(get_channel_layer().group_send)(session_group(session.pk), message)

    transaction.on_commit(tell, robust=True)
