"""Cut-ins and sounds on all screens, which last a moment. They are not stored, so later pages miss them."""

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

#: Seconds between two cut-ins; a whole number, as not every cache accepts fractions. static/js/cut-in.js
#: shows one for 1.5 seconds.
APART = 2
#: Seconds until a cut-in begins, so that the slowest phone has its message, or has also loaded its media.
LEAD, LOADING = 0.3, 1.0


def broadcast_cut_in(
    session: Session, *, words: str = "", picture: Mapping[str, Any] | None = None, sound: str = ""
) -> None:
    """Show this on every open page of a session at the same instant, after the commit.

    :param sound: the URL of a sound, which is played once.
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
