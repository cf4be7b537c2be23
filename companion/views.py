"""The home page, the GM's way in, and the health check."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from companion import gm_link, throttle
from companion.accounts.takeover import offer


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front door: enter a code, make a character, or run a session."""
    return render(request, "home.html")


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer "ok" while the process serves."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def no_icon(request: HttpRequest) -> HttpResponse:
    """Answer with nothing, which is quieter than 404. Browsers ask for it on pages of the admin."""
    return HttpResponse(status=204)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def gm_enter(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the GM's one-time link. Only its button uses the link up, as previews open pages too."""
    if not throttle.allowed(throttle.client_address(request), "gm-link", limit=60, seconds=300):
        return render(request, "gm/enter.html", {"state": "slow"}, status=429)
    if request.method == "POST" and (user := gm_link.redeem(token)):
        login(request, user)
        offer(request)
        return redirect("play:gm-home")
    if gm_link.opens(token):
        return render(request, "gm/enter.html", {"state": "open"})
    if not gm_link.was_used(token):
        return render(request, "gm/enter.html", {"state": "unknown"}, status=404)
    if request.user.get_username() == gm_link.USERNAME:
        return redirect("play:gm-home")
    return render(request, "gm/enter.html", {"state": "used"}, status=410)
