"""Rate limits per address, person or target, counted in a separate cache.

Why no library: django-ratelimit has had no release since 2023, and django-axes protects only sign-in forms,
with database tables, while join codes and GM links need limits too. With Redis all processes share the
counters; at home there is only one process.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import time as now
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest
from django.utils.connection import ConnectionProxy

#: A separate cache: a stranger could fill a shared one until it evicts the counters.
cache = ConnectionProxy(caches, "limits")


class TooManyRequests(Exception):
    """Too many tries. The next one is allowed in ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def record_try(who: str, scope: str, limit: int, seconds: int) -> bool:
    """Count one try. True if it is within ``limit`` tries in the current window of ``seconds``.

    :param who: the client's address, see ``client_address``, or another identifier to count by.
    :param scope: the name of the attempt, like "sign-in" or "join".
    """
    key = _key(who, scope, seconds)
    cache.add(key, 0, timeout=seconds)
    try:
        tries: int = cache.incr(key)
    except ValueError:  # the key expired or was evicted between the two calls
        return True
    return tries <= limit


#: The number of people behind one address for which the limits of an address are defined.
USUAL_HOUSE = 40


def of_a_crowd(limit: int) -> int:
    """Scale a limit of one address to the number of people whom the host expects behind it."""
    return limit * max(settings.PEOPLE_PER_ADDRESS, USUAL_HOUSE) // USUAL_HOUSE


def seconds_to_window_end(seconds: int) -> int:
    """Return the seconds until the current window ends."""
    return seconds - int(now()) % seconds


@dataclass(frozen=True)
class Windows:
    """Rate limits over several windows, the shortest first: a visitor who keeps trying waits longer."""

    scope: str
    limits: tuple[tuple[int, int], ...]  #: pairs of tries and seconds
    of_an_address: bool = False  #: True if many people may share the key (``of_a_crowd``)

    def count(self, who: str = "") -> bool:
        """Count one try. True if it is within every limit; a refused try is not counted in longer windows.

        :param who: the identifier to count by; "" for one common count.
        """
        return all(record_try(who, f"{self.scope}.{span}", limit, span) for limit, span in self._limits)

    def demand(self, who: str = "") -> None:
        """Count one try.

        :raises TooManyRequests: it exceeds a limit.
        """
        if not self.count(who):
            raise TooManyRequests(self.wait(who))

    def wait(self, who: str = "") -> int:
        """Return the seconds until the next try is allowed; 0 if it is allowed now."""
        full = (
            seconds_to_window_end(span)
            for limit, span in self._limits
            if self._count_tries(who, span) >= limit
        )
        return max(full, default=0)

    def forgive(self, who: str = "") -> None:
        """Undo the count of one recent try."""
        for _, span in self.limits:
            with suppress(ValueError):  # its window has ended
                cache.decr(_key(who, f"{self.scope}.{span}", span))

    @property
    def _limits(self) -> list[tuple[int, int]]:
        return [(of_a_crowd(limit) if self.of_an_address else limit, span) for limit, span in self.limits]

    def _count_tries(self, who: str, span: int) -> int:
        counted: int = cache.get(_key(who, f"{self.scope}.{span}", span), 0)
        return counted


def client_address(request: HttpRequest) -> str:
    """Return the client address of a request, as the unit of rate limits (``network_of``).

    Clients can forge X-Forwarded-For: only the entries of the nearest ``TRUSTED_PROXIES`` are trusted.
    """
    return _trusted_address(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def socket_address(scope: Mapping[str, Any]) -> str:
    """Return the client address of an ASGI scope, as ``client_address`` does."""
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return _trusted_address((scope.get("client") or [""])[0], ",".join(forwarded))


def _trusted_address(nearest: str, forwarded: str) -> str:
    hops = [hop.strip() for hop in forwarded.split(",")] + [nearest]
    return network_of(hops[-1 - min(settings.TRUSTED_PROXIES, len(hops) - 1)] or nearest)


def _key(who: str, scope: str, seconds: int) -> str:
    # Identifiers are hashed: they may be long, or contain characters that a cache key must not have.
    return f"throttle:{scope}:{hashlib.sha256(who.encode()).hexdigest()}:{int(now()) // seconds}"


def network_of(address: str) -> str:
    """Return the unit of rate limits: an IPv4 address, or the /64 network of an IPv6 customer."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return str(ip)
