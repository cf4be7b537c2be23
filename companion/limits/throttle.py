"""Limits of tries by one address, person or door: counters in a cache of their own, nothing else.

Why our own few lines: django-ratelimit has had no release since 2023, and django-axes guards sign-in forms
only, with tables of its own, while join codes and GM links want guarding too. With Redis the counters are
shared by all processes; at home there is only one.
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

#: Other caches drop what is old when they are full, and a stranger may fill them.
cache = ConnectionProxy(caches, "limits")


class TooOften(Exception):
    """Too many tries. ``seconds`` says in how many there is room for another one."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def allowed(who: str, scope: str, limit: int, seconds: int) -> bool:
    """Count one try. True if it is within ``limit`` tries in the present window of ``seconds``.

    :param who: the client's address, see ``client_address``, or the words for somebody else who is counted.
    :param scope: the name of the attempt, like "sign-in" or "join".
    """
    key = _key(who, scope, seconds)
    cache.add(key, 0, timeout=seconds)
    try:
        tries: int = cache.incr(key)
    except ValueError:  # the window ended, or a full cache dropped it, between the two lines
        return True
    return tries <= limit


#: The people behind one address for whom its limits are made.
USUAL_HOUSE = 40


def of_a_crowd(limit: int) -> int:
    """Return a limit of one address for as many people as the host expects there."""
    return limit * max(settings.PEOPLE_PER_ADDRESS, USUAL_HOUSE) // USUAL_HOUSE


def rest(seconds: int) -> int:
    """Return how many seconds the present window goes on."""
    return seconds - int(now()) % seconds


@dataclass(frozen=True)
class Windows:
    """Limits of tries in several spans, the shortest first: a visitor who goes on waits longer."""

    scope: str
    limits: tuple[tuple[int, int], ...]  #: how often, in how many seconds
    of_an_address: bool = False  #: which many people may share (``of_a_crowd``)

    def count(self, who: str = "") -> bool:
        """Count one try and say whether it is within every limit; a try that is refused counts no further.

        :param who: who tries; "" for everybody together.
        """
        return all(allowed(who, f"{self.scope}.{span}", limit, span) for limit, span in self._limits)

    def demand(self, who: str = "") -> None:
        """Count one try.

        :raises TooOften: it is beyond a limit.
        """
        if not self.count(who):
            raise TooOften(self.wait(who))

    def wait(self, who: str = "") -> int:
        """Return in how many seconds there is room for a try; 0 for now."""
        full = (rest(span) for limit, span in self._limits if self._counted(who, span) >= limit)
        return max(full, default=0)

    def forgive(self, who: str = "") -> None:
        """Take back one try that was counted just now."""
        for _, span in self.limits:
            with suppress(ValueError):  # its window has ended
                cache.decr(_key(who, f"{self.scope}.{span}", span))

    @property
    def _limits(self) -> list[tuple[int, int]]:
        return [(of_a_crowd(limit) if self.of_an_address else limit, span) for limit, span in self.limits]

    def _counted(self, who: str, span: int) -> int:
        counted: int = cache.get(_key(who, f"{self.scope}.{span}", span), 0)
        return counted


def client_address(request: HttpRequest) -> str:
    """Return the address a request came from, as the unit that is counted.

    Anybody can write an X-Forwarded-For header: only what the nearest ``TRUSTED_PROXIES`` added to it counts.
    """
    return _believed(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def socket_address(scope: Mapping[str, Any]) -> str:
    """Return the address a websocket came from, by the same rule."""
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return _believed((scope.get("client") or [""])[0], ",".join(forwarded))


def _believed(nearest: str, forwarded: str) -> str:
    hops = [hop.strip() for hop in forwarded.split(",")] + [nearest]
    return network_of(hops[-1 - min(settings.TRUSTED_PROXIES, len(hops) - 1)] or nearest)


def _key(who: str, scope: str, seconds: int) -> str:
    # Names may be long, or have signs that a cache does not take.
    return f"throttle:{scope}:{hashlib.sha256(who.encode()).hexdigest()}:{int(now()) // seconds}"


def network_of(address: str) -> str:
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
