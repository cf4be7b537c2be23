"""Transfers the belongings of a device's guest to the account that is signed in on it.

The guest is identified only by the signed cookie of the device. No form field names a person, so belongings
of other devices cannot be taken.
"""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest as DjangoRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import ngettext

from companion.http import HttpRequest
from companion.identity import belongings
from companion.identity.belongings import Belonging
from companion.identity.people import guest_of
from companion.models import Person


def guest_belongings(request: DjangoRequest, account: Person) -> list[Belonging]:
    """Return the belongings of this device's guest. Those that cannot move have ``stays``."""
    guest = guest_of(cast(HttpRequest, request))
    return belongings.list_belongings(guest, account) if guest else []


def count_movable(request: DjangoRequest, account: Person) -> int:
    """Count the belongings that can move to the account."""
    return sum(not thing.stays for thing in guest_belongings(request, account))


def offer_takeover(request: DjangoRequest) -> None:
    """After sign-in, show a message if the device's guest has belongings to transfer."""
    if not request.user.is_authenticated:
        return
    account = Person.objects.filter(user=request.user).first() or Person()
    if count := count_movable(request, account):
        said = ngettext(
            "This device has %(count)s thing from before you signed in.",
            "This device has %(count)s things from before you signed in.",
            count,
        ) % {"count": count}
        link = format_html('<a href="{}#device">{}</a>', reverse("companion:account"), gettext("Take it along?"))
        messages.info(request, format_html("{} {}", said, link))


def take_belongings(request: HttpRequest, account: Person) -> int:
    """Transfer all movable belongings to the account, and return their number."""
    guest = guest_of(request)
    if guest is None:
        return 0
    count = count_movable(request, account)
    belongings.hand_over(guest, account)
    return count
