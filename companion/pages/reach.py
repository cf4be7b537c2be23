"""The page by which ``takujo doctor`` checks that a phone reaches this machine.

Its token is signed with the secret key, so a running server accepts tokens of a doctor in another process.
"""

from __future__ import annotations

import secrets

from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion.http import HttpRequest
from companion.limits.throttle import client_address
from companion.server import network

#: Seconds for which a token is valid.
HOLDS = 60 * 60
SIGNER = TimestampSigner(salt="doctor")
#: Seconds after which the page reloads in a browser on the server's own machine.
AGAIN = 2


def token() -> str:
    """Return a new token for the page."""
    return SIGNER.sign(secrets.token_urlsafe(9))


@never_cache
@require_safe
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm to a phone that it reached us, and record it. On this machine, show whether a phone has."""
    key = _key(token)
    # Requests from this machine prove nothing: no firewall filters them.
    if not network.is_own(client_address(request)):
        cache.set(key, {"phone": client_address(request), "host": request.get_host()}, HOLDS)
    context = {"reached": cache.get(key), "own": network.is_own(client_address(request)), "seconds": AGAIN}
    return HttpResponse(render_to_string("reach.html", context))


@never_cache
@require_safe
def phone_status(request: HttpRequest, token: str) -> JsonResponse:
    """Return the phone that has opened the page, and the host that it requested; {} if none has."""
    return JsonResponse(cache.get(_key(token)) or {})


def _key(token: str) -> str:
    try:
        return f"reach:{SIGNER.unsign(token, max_age=HOLDS)}"
    except BadSignature:
        raise Http404 from None
