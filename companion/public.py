"""The origin by which others reach us, for invitations and links back to our pages."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings

from companion.http import HttpRequest


def origin(scheme: str, host: str) -> str:
    """Return the origin to hand out.

    A GM who works on the serving machine sees it as localhost, which phones cannot reach. In that case it is
    the address that ``manage.py play`` printed.
    """
    name = host.rsplit(":", 1)[0].strip("[]")
    return settings.PUBLIC_URL if settings.PUBLIC_URL and _is_loopback(name) else f"{scheme}://{host}"


def origin_of(request: HttpRequest) -> str:
    """Return the origin to hand out on a page that answers this request."""
    return origin(request.scheme or "http", request.get_host())


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
