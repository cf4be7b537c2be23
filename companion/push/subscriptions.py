"""Subscribe and unsubscribe the devices of a person for notifications."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseForbidden
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion.http import HttpRequest
from companion.identity.belongings import Belonging, DataProvider
from companion.limits.quotas import HOUR
from companion.limits.throttle import Windows
from companion.models import Person, PushSubscription
from companion.push.encryption import is_key
from companion.push.endpoints import NotAllowed, check_endpoint

TRIES = Windows("push", ((60, HOUR),))


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
        check_endpoint(endpoint)
    except NotAllowed:
        return HttpResponse(status=422)
    if not is_key(p256dh, auth):
        return HttpResponse(status=422)
    PushSubscription.objects.filter(endpoint=endpoint).exclude(person=person).delete()
    PushSubscription.objects.update_or_create(
        endpoint=endpoint,
        defaults={"person": person, "p256dh": p256dh, "auth": auth, "language": get_language() or ""},
    )
    return HttpResponse(status=204)


@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Unsubscribe this device."""
    PushSubscription.objects.filter(endpoint=request.POST.get("endpoint", ""), person=request.person).delete()
    return HttpResponse(status=204)


def _list_things(person: Person, receiver: Person | None) -> list[Belonging]:
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


def _give_back(rows: list[int], person: Person) -> None:
    pass


def _clear(person: Person) -> None:
    PushSubscription.objects.filter(person=person).delete()


def _data(person: Person) -> dict[str, Any]:
    found = [
        {
            "service": urlsplit(device.endpoint).hostname,
            "made_at": device.made_at,
            "language": device.language,
        }
        for device in person.push_subscriptions.order_by("pk")
    ]
    return {"notifications.json": found} if found else {}


keeper = DataProvider("push", _list_things, _hand_over, _give_back, _clear, _data)
