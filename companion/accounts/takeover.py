"""What this device's guest has, for the account that is signed in on it.

The device proves by its own signed cookie whose guest it is. No form names a person: nobody can take what
they do not hold in their hand.
"""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest as DjangoRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import belongings
from companion.belongings import Thing
from companion.http import HttpRequest
from companion.models import Person
from companion.people import guest_of


def things(request: DjangoRequest, account: Person) -> list[Thing]:
    """Return what the guest of this device has and an account could have."""
    guest = guest_of(cast(HttpRequest, request))
    return belongings.of(guest, account) if guest else []


def movable(request: DjangoRequest, account: Person) -> int:
    """Count what would come along."""
    return sum(not thing.stays for thing in things(request, account))


def offer(request: DjangoRequest) -> None:
    """Say right after signing in that there is something to take along."""
    if not request.user.is_authenticated:
        return
    account = Person.objects.filter(user=request.user).first() or Person()
    if count := movable(request, account):
        said = ngettext(
            "This device has %(count)s thing from before you signed in.",
            "This device has %(count)s things from before you signed in.",
            count,
        ) % {"count": count}
        link = format_html('<a href="{}#device">{}</a>', reverse("companion:account"), _("Take it along?"))
        messages.info(request, format_html("{} {}", said, link))


def take(request: HttpRequest, account: Person) -> int:
    """Take everything into the account that can come along; return how much that was."""
    guest = guest_of(request)
    if guest is None:
        return 0
    count = movable(request, account)
    belongings.hand_over(guest, account)
    return count
