"""Notifications: subscribe the devices of a person, and send notifications to all of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import connections, transaction
from django.http import HttpResponse, HttpResponseForbidden
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion.identity.people import HttpRequest
from companion.identity.personal_data import Belonging, DataProvider
from companion.models import Person, PushSubscription
from companion.push import encryption, endpoints
from companion.requests.throttle import HOUR, Windows

logger = logging.getLogger(__name__)
#: The statuses by which a push service reports that a subscription has ended.
GONE = (404, 410)
#: The executor for notifications that are sent in the background, four at a time.
_executor = ThreadPoolExecutor(4, "letters")
TRIES = Windows("push", ((60, HOUR),))


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
    """Send after commit. Failures are not retried: the page shows all that a notification would say."""
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


@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Subscribe this device: 204, or 422 if the endpoint or the keys are not valid.

    A device has one owner: a subscription of another person on it is deleted.
    """
    person = request.person
    if person is None:
        return HttpResponseForbidden()
    TRIES.demand(f"person {person.pk}")
    endpoint, p256dh, auth = (request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    try:
        endpoints.check_endpoint(endpoint)
    except endpoints.NotAllowed:
        return HttpResponse(status=422)
    if not encryption.is_key(p256dh, auth):
        return HttpResponse(status=422)
    PushSubscription.objects.filter(endpoint=endpoint).exclude(person=person).delete()
    PushSubscription.objects.update_or_create(
        endpoint=endpoint,
        defaults={"person": person, "p256dh": p256dh, "auth": auth, "language": get_language() or ""},
    )
    return HttpResponse(status=204)


@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    PushSubscription.objects.filter(endpoint=request.POST.get("endpoint", ""), person=request.person).delete()
    return HttpResponse(status=204)


def _list_belongings(person: Person, receiver: Person | None) -> list[Belonging]:
    if receiver and receiver.pk and not receiver.user_id:
        return []
    count = person.push_subscriptions.count() if person.pk else 0
    if not count:
        return []
    note = ngettext("%(count)s device", "%(count)s devices", count) % {"count": count}
    return [Belonging("phone", _("Notifications"), note)]


def _hand_over(person: Person, receiver: Person) -> list[int]:
    """Move a guest's subscriptions to an account.

    A guest who moves to another device takes none along: the old device gets no more of their notifications.
    """
    if receiver.user_id:
        PushSubscription.objects.filter(person=person).update(person=receiver)
    return []


def _export(person: Person) -> dict[str, Any]:
    found = [
        {"service": urlsplit(each.endpoint).hostname, "made_at": each.made_at, "language": each.language}
        for each in person.push_subscriptions.order_by("pk")
    ]
    return {"notifications.json": found} if found else {}


provider = DataProvider(
    "push",
    list_belongings=_list_belongings,
    hand_over=_hand_over,
    give_back=lambda rows, person: None,
    clear=lambda person: PushSubscription.objects.filter(person=person).delete(),
    data=_export,
)
