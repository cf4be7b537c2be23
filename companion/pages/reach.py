"""The page by which ``takujo doctor`` learns that a phone gets through to this machine.

Its token is signed by whoever has the secret key, so that a server shows it for a doctor in another process.
"""

from __future__ import annotations

import secrets

from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion.limits.throttle import client_address
from companion.server import network

#: Seconds for which a token opens the page.
HOLDS = 60 * 60
SIGNER = TimestampSigner(salt="doctor")
#: Seconds until a page on the server's own machine looks again.
AGAIN = 2


def token() -> str:
    """Return a new token for the page."""
    return SIGNER.sign(secrets.token_urlsafe(9))


@never_cache
@require_safe
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Tell a phone that it got through, and note that; on this very machine, wait for one."""
    key = _key(token)
    # From this machine no firewall stands in the way.
    if not network.is_own(client_address(request)):
        cache.set(key, {"phone": client_address(request), "host": request.get_host()}, HOLDS)
    context = {"reached": cache.get(key), "own": network.is_own(client_address(request)), "seconds": AGAIN}
    return HttpResponse(render_to_string("reach.html", context))


@never_cache
@require_safe
def seen(request: HttpRequest, token: str) -> JsonResponse:
    """Tell the doctor which phone has opened the page, and by which address; nothing if none has."""
    return JsonResponse(cache.get(_key(token)) or {})


def _key(token: str) -> str:
    try:
        return f"reach:{SIGNER.unsign(token, max_age=HOLDS)}"
    except BadSignature:
        raise Http404 from None
