"""The home page, the GM's one-time link, and the error pages."""

from __future__ import annotations

import sys
from contextlib import suppress

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.csrf import REASON_BAD_ORIGIN
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.defaults import server_error

from companion.accounts.devices import offer_takeover, remember_device
from companion.fallback.outages import NO_DATABASE, record_database_error
from companion.identity import gm_link
from companion.requests.throttle import count_wrong_key

#: Characters from which a form value counts as typed text that is worth showing again.
LONG = 20
#: The start of Django's reason for refusing a form from another site.
BAD_ORIGIN = REASON_BAD_ORIGIN.partition("%")[0]
#: Seconds after which the page for a missing database reloads.
RETRY_AFTER = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")


@require_safe
def no_icon(request: HttpRequest) -> HttpResponse:
    """Respond 204 to /favicon.ico, which browsers request on admin pages: it keeps 404s out of the log."""
    return HttpResponse(status=204)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def gm_enter(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the GM's one-time link. Only a POST uses up the link, because link previews send GETs."""
    if request.method == "POST" and (user := gm_link.redeem(token)):
        login(request, user)
        offer_takeover(request)
        response = redirect("play:gm-home")
        remember_device(request, response, user)
        return response
    if gm_link.is_valid(token):
        return render(request, "gm/enter.html", {"state": "open"})
    if not gm_link.is_used_up(token):
        if request.method == "POST":
            count_wrong_key(request)
        return render(request, "gm/enter.html", {"state": "unknown"}, status=404)
    if request.user.get_username() == gm_link.USERNAME:
        return redirect("play:gm-home")
    return render(request, "gm/enter.html", {"state": "used"}, status=410)


def error_page(request: HttpRequest) -> HttpResponse:
    """The 500 page; if the database is unreachable, a 503 page that reloads by itself."""
    problem = sys.exception()
    if not isinstance(problem, NO_DATABASE):
        return server_error(request)
    record_database_error(problem)
    values = {"seconds": RETRY_AFTER, "sent": request.method not in ("GET", "HEAD")}
    headers = {"Retry-After": str(RETRY_AFTER)}
    return HttpResponse(render_to_string("503.html", values), status=503, headers=headers)


@never_cache
def csrf_error_page(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form with an outdated CSRF token. It shows the typed text and offers to resend the form.

    Values are shown only if the form came from our own page, by its ``Origin``, which Django has compared.
    A form with a password is never shown, and a form with a file cannot be resent.
    """
    sent: list[tuple[str, str]] = []
    if "Origin" in request.headers and not reason.startswith(BAD_ORIGIN):
        with suppress(UnreadablePostError):
            fields = [(name, value) for name, values in request.POST.lists() for value in values]
            sent = [field for field in fields if field[0] != "csrfmiddlewaretoken"]
    if any("password" in name for name, _ in sent):
        sent = []
    context = {
        "sent": sent,
        "written": [value for _, value in sent if len(value) >= LONG],
        "again": bool(sent) and not request.FILES,
    }
    return render(request, "403_csrf.html", context, status=403)
