"""How often one address may try something: counters in Django's cache, nothing else.

Why our own few lines: django-ratelimit has had no release since 2023, and django-axes guards sign-in forms
only, with tables of its own, while join codes and GM links want guarding too. With Redis the counters are
shared by all processes; at home there is only one.
"""

from __future__ import annotations

import ipaddress
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest


def allowed(address: str, scope: str, limit: int, seconds: int) -> bool:
    """Count one try. True if it is within ``limit`` tries in the present window of ``seconds``.

    :param address: the client's address, see ``client_address``.
    :param scope: the name of the attempt, like "sign-in" or "join".
    """
    window = int(time.time()) // seconds
    key = f"throttle:{scope}:{_group(address)}:{window}"
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key) <= limit
    except ValueError:  # the window ended, or a full cache dropped it, between the two lines
        return True


def client_address(request: HttpRequest) -> str:
    """Return the address a request came from.

    Anybody can write an X-Forwarded-For header: only what the nearest ``TRUSTED_PROXIES`` added to it counts.
    """
    nearest: str = request.META.get("REMOTE_ADDR", "")
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")] + [nearest]
    return hops[-1 - min(settings.TRUSTED_PROXIES, len(hops) - 1)] or nearest


def _group(address: str) -> str:
    """Return the unit that is counted: an IPv4 address, or the /64 network of one IPv6 customer."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return str(ip)
