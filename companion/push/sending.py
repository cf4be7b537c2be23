"""A letter goes to all devices of a person that want to be told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from django.db import connections, transaction
from django.templatetags.static import static
from django.utils import translation

from companion.models import Person, PushSubscription
from companion.push import encryption, endpoints

logger = logging.getLogger(__name__)

#: The answers of a push service that knows a device no longer.
GONE = (404, 410)

#: Letters that nobody waits for are sent here, so many at once.
_carriers = ThreadPoolExecutor(4, "letters")


class Letter(NamedTuple):
    """What a device shows: everybody who sees its locked screen reads it.

    ``url`` is where a tap leads, without the host; of letters that lead there a device shows the newest.
    """

    title: str
    body: str
    url: str


def send(person: Person, words: Callable[[], Letter], *, seconds: int) -> bool:
    """Send a letter to a person's devices, in the language of each; those that are gone are forgotten.

    :param words: returns the letter in the language that is active.
    :param seconds: how long a push service keeps it for a device that is switched off.
    :return: False if it might arrive another time.
    """
    arrived = [_send(device, words, seconds) for device in person.push_subscriptions.order_by("pk")]
    return all(arrived)


def send_later(people: Iterable[Person], words: Callable[[], Letter], *, seconds: int) -> None:
    """Send a letter to these people once what it tells is committed, and hold nobody up.

    It is sent once: a letter that a push service does not take tells nothing that its page does not show.
    """
    for person in people:
        transaction.on_commit(partial(_carriers.submit, _carry, person, words, seconds), robust=True)


def _carry(person: Person, words: Callable[[], Letter], seconds: int) -> None:
    try:
        send(person, words, seconds=seconds)
    except Exception:
        logger.exception("a letter was not sent")
    finally:
        connections.close_all()


def _send(device: PushSubscription, words: Callable[[], Letter], seconds: int) -> bool:
    with translation.override(device.language or None):
        letter = words()._asdict() | {"lang": device.language, "icon": static("img/icon-192.png")}
    raw = json.dumps(letter, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Authorization": encryption.signed(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(seconds),
        "Urgency": "normal",
    }
    try:
        sealed = encryption.sealed(raw, device.p256dh, device.auth)
        status = endpoints.post(device.endpoint, sealed, headers)
    except endpoints.NotAllowed:
        status = GONE[0]  # Its name has begun to lead where nobody may look.
    except OSError as problem:
        logger.warning("no push service for a letter: %s", type(problem).__name__)
        return False
    if status in GONE:
        device.delete()
        return True
    if not 200 <= status < 300:
        logger.warning("a push service answered %s", status)
    return status < 500 and status != 429
