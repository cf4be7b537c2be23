"""Emails about turns, for accounts that opted in with a confirmed address (double opt-in).

A typed address may belong to another person. It gets one email with a link, and turn emails only after the
button on the page of that link. Every turn email has a link to unsubscribe without signing in.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.mail import EmailMessage
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from companion import names
from companion.identity.people import HttpRequest
from companion.models import Person, User
from companion.push.notifications import Notification
from companion.requests.throttle import Windows
from companion.server import environment

logger = logging.getLogger(__name__)
#: Rate limit of confirmation emails, and the lifetime of their links in seconds.
ASKED = Windows("turn-mail", ((3, 60 * 60), (10, 24 * 60 * 60)))
GOOD_FOR = 3 * 24 * 60 * 60
CONFIRMS, ENDS = "companion.turn-mail", "companion.turn-mail.off"


def is_on(user: User) -> bool:
    """True if turn emails go to this account's present address."""
    return bool(user.turn_mail) and user.turn_mail == user.email


def send(person: Person, words: Callable[[], Notification]) -> bool:
    """Send a turn email to a person who opted in. False if sending failed and may succeed later."""
    user = person.user
    if user is None or not user.is_active or not is_on(user) or not environment.can_send_emails():
        return True
    ends = _link("companion:turn-mail-off", user, ENDS)
    with translation.override(user.turn_mail_language or None):
        letter = words()
        values = {"letter": letter, "url": settings.PUBLIC_URL + letter.url, "ends": ends}
        body = render_to_string("account/email/turn_message.txt", values)
    headers = {"List-Unsubscribe": f"<{ends}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return _send(f"{letter.title} – {letter.body}", body, user.email, headers)


@require_POST
def request_turn_mail(request: HttpRequest) -> HttpResponse:
    """Send the confirmation email to the account's address, or unsubscribe."""
    user = request.user
    if not isinstance(user, User) or not environment.can_send_emails():
        raise Http404
    if request.POST.get("on") != "1":
        _write(user, "")
        messages.success(request, _("No more letters when it is your turn."))
    elif user.email:
        ASKED.demand(f"account {user.pk}")
        values = {"username": user.get_username(), "url": _link("companion:turn-mail-on", user, CONFIRMS)}
        body = render_to_string("account/email/turn_confirm_message.txt", values)
        if _send(_("Your turns by e-mail?"), body, user.email):
            said = _("A letter is on its way to %(address)s. The link in it begins them.")
            messages.success(request, said % {"address": user.email})
        else:
            messages.error(request, _("The letter could not be sent. Please try again later."))
    return redirect("companion:account")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Page of the confirmation link. Only its button subscribes, since link previews also open pages."""
    user = _user(token, CONFIRMS, GOOD_FOR)
    if user is None:
        return render(request, "account/turn_mail.html", {"state": "old"}, status=410)
    if request.method == "POST":
        user.turn_mail_language = translation.get_language() or ""
        _write(user, user.email)
        return render(request, "account/turn_mail.html", {"state": "is_on"})
    return render(request, "account/turn_mail.html", {"state": "asks", "username": user.get_username()})


@csrf_exempt  # mail programs send it by themselves (RFC 8058); the signed token is the authorization
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Page of the unsubscribe link in every turn email."""
    user = _user(token, ENDS, None)
    if user is None:
        return render(request, "account/turn_mail.html", {"state": "old"}, status=410)
    if request.method == "POST":
        _write(user, "")
        return render(request, "account/turn_mail.html", {"state": "is_off"})
    return render(request, "account/turn_mail.html", {"state": "ends"})


def _link(name: str, user: User, salt: str) -> str:
    token = signing.dumps([user.pk, user.email], salt=salt)
    return settings.PUBLIC_URL + reverse(name, args=[token])


def _user(token: str, salt: str, good_for: int | None) -> User | None:
    """Return the user of a signed link, if the account still has the address that it was sent to."""
    try:
        pk, email = signing.loads(token, salt=salt, max_age=good_for)
    except (signing.BadSignature, ValueError):
        return None
    return User.objects.filter(pk=pk, email=email).exclude(email="").first()


def _write(user: User, address: str) -> None:
    user.turn_mail = address
    user.save(update_fields=["turn_mail", "turn_mail_language"])


def _send(subject: str, body: str, address: str, headers: dict[str, str] | None = None) -> bool:
    try:
        return EmailMessage(names.clean(subject), body, to=[address], headers=headers).send() > 0
    except (OSError, SMTPException, ValueError) as problem:
        # ValueError: the message cannot be built. Log only the type, as the error may quote the address.
        logger.warning("no letter went out: %s", type(problem).__name__)
        return False
