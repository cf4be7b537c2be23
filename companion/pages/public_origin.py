"""The origin by which others reach us, for invitations and links back to our pages."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings

from companion.http import HttpRequest


def origin(scheme: str, host: str) -> str:
    """Return the origin to hand out: ``PUBLIC_URL`` where there is one, whatever host a request names.

    At home a machine may be on two networks; under its other address there it stays what it was called.
    """
    here = f"{scheme}://{host}"
    public = settings.PUBLIC_URL
    return here if not public or (_in_a_home(public) and _in_a_home(here)) else public


def origin_of(request: HttpRequest) -> str:
    """Return the origin to hand out on a page that answers this request."""
    return origin(request.scheme or "http", request.get_host())


def _in_a_home(origin: str) -> bool:
    """True if an origin is an address in a local network, that of this very machine aside."""
    try:
        ip = ip_address(urlsplit(origin).hostname or "")
    except ValueError:
        return False
    return ip.is_private and not ip.is_loopback
