"""Addresses that phones open: the public origin of this server, QR codes, and the page of ``takujo doctor``.

By that page the doctor checks that a phone reaches this machine. Its token is signed with the secret key, so
a running server accepts tokens of a doctor in another process.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion.identity.people import HttpRequest
from companion.requests.throttle import client_address
from companion.server import network

#: Seconds for which a token is valid.
HOLDS = 60 * 60
SIGNER = TimestampSigner(salt="doctor")
#: Seconds after which the page reloads in a browser on the server's own machine.
AGAIN = 2


def origin(scheme: str, host: str) -> str:
    """Return the origin for links to this server: ``PUBLIC_URL`` if it is set, else the request's own.

    At home, a machine may be in two networks: a request by the other LAN address keeps that address.
    """
    here = f"{scheme}://{host}"
    public = settings.PUBLIC_URL
    return here if not public or (_in_a_home(public) and _in_a_home(here)) else public


def origin_of(request: HttpRequest) -> str:
    return origin(request.scheme or "http", request.get_host())


def _in_a_home(origin: str) -> bool:
    """True if the host is a private IP address, but not a loopback one."""
    try:
        ip = ip_address(urlsplit(origin).hostname or "")
    except ValueError:
        return False
    return ip.is_private and not ip.is_loopback


@lru_cache(maxsize=64)
def qr_svg(url: str) -> SafeString:
    """Render a QR code, dark on white with its quiet zone also in dark mode, or phones could not read it."""
    code = segno.make(url, error="m", micro=False)
    return mark_safe(code.svg_inline(border=4, dark="#1d2321", light="#ffffff", omitsize=True))  # noqa: S308


def token() -> str:
    return SIGNER.sign(secrets.token_urlsafe(9))


@never_cache
@require_safe
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm to a phone that it reached us, and record it. On this machine, show whether a phone has."""
    key, address = _key(token), client_address(request)
    own = network.is_own(address)
    # Requests from this machine prove nothing: no firewall filters them.
    if not own:
        cache.set(key, {"phone": address, "host": request.get_host()}, HOLDS)
    context = {"reached": cache.get(key), "own": own, "seconds": AGAIN}
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
