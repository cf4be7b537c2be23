"""Send notifications to all subscribed devices of a person."""

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

#: The statuses by which a push service reports that a subscription has ended.
GONE = (404, 410)

#: The executor for notifications that are sent in the background, four at a time.
_executor = ThreadPoolExecutor(4, "letters")


class Notification(NamedTuple):
    """The content of a notification. Anyone who sees the locked screen can read it.

    ``url`` is the target of a tap, without the host. A device shows only the newest notification per ``url``.
    """

    title: str
    body: str
    url: str


def send(person: Person, words: Callable[[], Notification], *, seconds: int) -> bool:
    """Send a notification to a person's devices, each in its own language. Delete expired subscriptions.

    :param words: returns the notification in the active language.
    :param seconds: how long a push service stores it for a device that is offline.
    :return: False if a retry may succeed.
    """
    arrived = [_send(device, words, seconds) for device in person.push_subscriptions.order_by("pk")]
    return all(arrived)


def send_in_background(people: Iterable[Person], words: Callable[[], Notification], *, seconds: int) -> None:
    """Send a notification to these people in the background, after the transaction has been committed.

    Failures are not retried: the page shows everything that a lost notification would say.
    """
    for person in people:
        transaction.on_commit(partial(_executor.submit, _deliver, person, words, seconds), robust=True)


def _deliver(person: Person, words: Callable[[], Notification], seconds: int) -> None:
    try:
        send(person, words, seconds=seconds)
    except Exception:
        logger.exception("a letter was not sent")
    finally:
        connections.close_all()


def _send(device: PushSubscription, words: Callable[[], Notification], seconds: int) -> bool:
    with translation.override(device.language or None):
        letter = words()._asdict() | {"lang": device.language, "icon": static("img/icon-192.png")}
    raw = json.dumps(letter, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Authorization": encryption.vapid_header(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(seconds),
        "Urgency": "normal",
    }
    try:
        sealed = encryption.encrypt_message(raw, device.p256dh, device.auth)
        status = endpoints.post(device.endpoint, sealed, headers)
    except endpoints.NotAllowed:
        status = GONE[0]  # its host now resolves to an address that is not allowed
    except OSError as problem:
        logger.warning("no push service for a letter: %s", type(problem).__name__)
        return False
    if status in GONE:
        device.delete()
        return True
    if not 200 <= status < 300:
        logger.warning("a push service answered %s", status)
    return status < 500 and status != 429
