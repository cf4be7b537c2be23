"""The home page, the GM's way in, and the page for what went wrong."""

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

from companion.accounts.takeover import offer
from companion.identity import gm_link, known_devices
from companion.limits.guessing import count_wrong_key
from companion.steady.outages import NO_DATABASE, note

#: Signs of a text that somebody wrote, rather than chose.
LONG = 20
#: How Django begins the reason that a form came from another site.
BAD_ORIGIN = REASON_BAD_ORIGIN.partition("%")[0]
#: Seconds until a page that lacked the database asks again.
RETRY_AFTER = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front door: enter a code, make a character, or run a session."""
    return render(request, "home.html")


@require_safe
def no_icon(request: HttpRequest) -> HttpResponse:
    """Answer with nothing, which is quieter than 404. Browsers ask for it on pages of the admin."""
    return HttpResponse(status=204)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def gm_enter(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the GM's one-time link. Only its button uses the link up, as previews open pages too."""
    if request.method == "POST" and (user := gm_link.redeem(token)):
        login(request, user)
        offer(request)
        response = redirect("play:gm-home")
        known_devices.remember(request, response, user)
        return response
    if gm_link.opens(token):
        return render(request, "gm/enter.html", {"state": "open"})
    if not gm_link.was_used(token):
        if request.method == "POST":
            count_wrong_key(request)
        return render(request, "gm/enter.html", {"state": "unknown"}, status=404)
    if request.user.get_username() == gm_link.USERNAME:
        return redirect("play:gm-home")
    return render(request, "gm/enter.html", {"state": "used"}, status=410)


def failed(request: HttpRequest) -> HttpResponse:
    """The page instead of one that failed: where the database is away, one that tries again by itself."""
    problem = sys.exception()
    if not isinstance(problem, NO_DATABASE):
        return server_error(request)
    note(problem)
    values = {"seconds": RETRY_AFTER, "sent": request.method not in ("GET", "HEAD")}
    answer = HttpResponse(render_to_string("503.html", values), status=503)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


@never_cache
def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page instead of a form whose token is old: it shows what was written, and offers to send it again.

    Only what a page of ours has sent comes back: its ``Origin``, which Django has compared, says so. A
    password never comes back, and a form with a file is not sent again.
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
