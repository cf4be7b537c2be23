"""The public origin of this server, for invitations and links to our pages."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings

from companion.http import HttpRequest


def origin(scheme: str, host: str) -> str:
    """Return the origin for links to this server: ``PUBLIC_URL`` if it is set, else the request's own.

    At home, a machine may be in two networks: a request by the other LAN address keeps that address.
    """
    here = f"{scheme}://{host}"
    public = settings.PUBLIC_URL
    return here if not public or (_in_a_home(public) and _in_a_home(here)) else public


def origin_of(request: HttpRequest) -> str:
    """Return the origin for links on the page that responds to this request."""
    return origin(request.scheme or "http", request.get_host())


def _in_a_home(origin: str) -> bool:
    """True if the host of an origin is a private IP address, but not a loopback one."""
    try:
        ip = ip_address(urlsplit(origin).hostname or "")
    except ValueError:
        return False
    return ip.is_private and not ip.is_loopback
