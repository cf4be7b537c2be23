"""Limits: of tries per window, of the rate of a visitor (token buckets) and of what runs at a time (places).

Tries are counted in a separate cache, per address, person or target; further ones are refused with the 429
page. Buckets and places are in the memory of one process: buckets make a visitor wait.

Why no library: django-ratelimit has had no release since 2023, and django-axes protects only sign-in forms,
with database tables, while join codes and GM links need limits too. With Redis all processes share the
counters; at home there is only one process.

Wrong passwords are counted per client address and target. A target ("door") is an account or a character
sheet. A limit per target alone would let strangers lock its owner out: however many guess, each address keeps
two tries an hour. A known device is counted by itself.
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from typing import Any, NoReturn

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.connection import ConnectionProxy
from django.utils.translation import ngettext

from companion.observability.metrics import TURNED_AWAY
from companion.shared_time import seconds as now

#: A separate cache: a stranger could fill a shared one until it evicts the counters.
cache = ConnectionProxy(caches, "limits")
MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
#: The number of people behind one address for which the limits of an address are defined.
USUAL_HOUSE = 40


class TooManyRequests(Exception):
    """The next try is allowed in ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def record_try(who: str, scope: str, limit: int, seconds: int) -> bool:
    """Count one try. True if it is within ``limit`` tries in the current window of ``seconds``.

    :param who: the client's address, or another identifier to count by.
    :param scope: the name of the attempt, like "sign-in" or "join".
    """
    key = _key(who, scope, seconds)
    cache.add(key, 0, timeout=seconds)
    try:
        tries: int = cache.incr(key)
    except ValueError:  # the key expired or was evicted between the two calls
        return True
    return tries <= limit


def scale_to_crowd(limit: int) -> int:
    """Scale a limit of one address to the number of people whom the host expects behind it."""
    return limit * max(settings.PEOPLE_PER_ADDRESS, USUAL_HOUSE) // USUAL_HOUSE


@dataclass(frozen=True)
class Windows:
    """Rate limits over several windows, the shortest first: a visitor who keeps trying waits longer."""

    scope: str
    limits: tuple[tuple[int, int], ...]  #: pairs of tries and seconds
    of_an_address: bool = False  #: True if many people may share the key (``scale_to_crowd``)

    def __post_init__(self) -> None:
        TURNED_AWAY.labels(self.scope)  # at zero

    def count(self, who: str = "") -> bool:
        """Record one try. True if it is within every limit; else the caller turns the visitor away."""
        is_within = self.record(who)
        if not is_within:
            TURNED_AWAY.labels(self.scope).inc()
        return is_within

    def record(self, who: str) -> bool:
        """Record one try. True if it is within every limit; longer windows record no refused try."""
        return all(record_try(who, f"{self.scope}.{span}", limit, span) for limit, span in self._limits)

    def demand(self, who: str = "") -> None:
        """Count one try, and raise ``TooManyRequests`` if it exceeds a limit."""
        if not self.record(who):
            self.refuse(who)

    def refuse(self, who: str) -> NoReturn:
        TURNED_AWAY.labels(self.scope).inc()
        raise TooManyRequests(self.wait(who))

    def wait(self, who: str = "") -> int:
        """Return the seconds until the next try is allowed; 0 if it is allowed now."""
        tries = {span: cache.get(_key(who, f"{self.scope}.{span}", span), 0) for _, span in self.limits}
        # The seconds until the windows of the exceeded limits end.
        left = (span - int(now()) % span for limit, span in self._limits if tries[span] >= limit)
        return max(left, default=0)

    def forgive(self, who: str = "") -> None:
        """Undo the count of one recent try."""
        for _, span in self.limits:
            with suppress(ValueError):  # its window has ended
                cache.decr(_key(who, f"{self.scope}.{span}", span))

    @property
    def _limits(self) -> list[tuple[int, int]]:
        return [(scale_to_crowd(limit) if self.of_an_address else limit, span) for limit, span in self.limits]


class Bucket:
    """The token bucket of one visitor: ``at_once`` tokens, refilled with ``a_second`` per second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self.at_once, self.a_second = at_once, a_second
        self._full_at = 0.0

    def spend(self) -> None:
        self._full_at = max(self._full_at, time.monotonic()) + 1 / self.a_second

    @property
    def wait(self) -> float:
        return max(0.0, self._full_at - time.monotonic() - (self.at_once - 1) / self.a_second)

    @property
    def full_in(self) -> float:
        return max(0.0, self._full_at - time.monotonic())


class Buckets:
    """Token buckets by key, of which at most ``most`` are kept before full ones are dropped."""

    def __init__(self, at_once: float, a_second: float, most: int = 10_000) -> None:
        self.at_once, self.a_second, self.most = at_once, a_second, most
        self._known: dict[Hashable, Bucket] = {}

    def bucket_for(self, key: Hashable) -> Bucket:
        if len(self._known) >= self.most:
            # Drop full buckets: they equal new ones.
            self._known = {key: bucket for key, bucket in self._known.items() if bucket.full_in}
        return self._known.setdefault(key, Bucket(self.at_once, self.a_second))


class Places:
    """A counting semaphore per key: at most ``at_most`` places are taken at a time under one key."""

    def __init__(self, at_most: int) -> None:
        self.at_most, self.taken = at_most, Counter[Hashable]()

    @contextmanager
    def take_place(self, key: Hashable) -> Iterator[bool]:
        """Take a place until the block ends, and yield True; yield False if none is free."""
        free = self.taken[key] < self.at_most
        self.taken[key] += free
        try:
            yield free
        finally:
            self.taken[key] -= free
            if not self.taken[key]:
                del self.taken[key]


def client_address(request: HttpRequest) -> str:
    """Return the client address of a request, as the unit of rate limits (``network_of``).

    Clients can forge X-Forwarded-For: only the entries of the nearest ``TRUSTED_PROXIES`` are trusted.
    """
    return _trusted_address(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def socket_address(scope: Mapping[str, Any]) -> str:
    """Return ``client_address`` for an ASGI scope."""
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


def retry_sentence(seconds: int) -> str:
    if seconds > 2 * HOUR:
        hours = ceil(seconds / HOUR)
        return ngettext(
            "Too many tries. Please try again in %(count)s hour.",
            "Too many tries. Please try again in %(count)s hours.",
            hours,
        ) % {"count": hours}
    minutes = ceil(seconds / MINUTE)
    return ngettext(
        "Too many tries. Please try again in %(count)s minute.",
        "Too many tries. Please try again in %(count)s minutes.",
        minutes,
    ) % {"count": minutes}


def set_retry_after(response: HttpResponse, seconds: int) -> HttpResponse:
    response["Retry-After"] = str(seconds)
    return response


def too_many_requests_page(request: HttpRequest, seconds: int = MINUTE) -> HttpResponse:
    """The 429 page, also ``handler429`` of allauth, whose limits are per minute."""
    page = render(request, "429.html", {"sentence": retry_sentence(seconds)}, status=429)
    return set_retry_after(page, seconds)


#: Wrong passwords of one address, or of one known device, for one target.
AT_ONE_DOOR = Windows("guess", ((5, 300), (50, DAY)))
#: Wrong passwords of one address for all targets of a kind.
FROM_ONE_ADDRESS = Windows("guesses-from", ((20, HOUR), (100, DAY)), of_an_address=True)
#: Wrong passwords of all addresses for one target; once exceeded, each address has the second, lower limit.
AT_THE_DOOR, WHILE_MANY_GUESS = Windows("guesses-at", ((50, HOUR),)), Windows("guess-of-many", ((2, HOUR),))
#: Invalid keys, recovery codes and one-time links of one address.
WRONG_KEYS = Windows("wrong-key", ((20, HOUR), (100, DAY)), of_an_address=True)


def count_wrong_key(request: HttpRequest) -> None:
    """Count an invalid key that a form sent, and raise ``TooManyRequests`` if the address sent too many.

    A valid key works regardless of the count: keys have 59 bits or more and cannot be found by trying. A GET
    is not counted, because other sites could make a visitor's browser send one.
    """
    WRONG_KEYS.demand(client_address(request))


@dataclass(frozen=True)
class PasswordAttempt:
    kind: str
    door: str
    address: str
    #: The identifier of a device that signed in to this target before; "" for other devices.
    device: str = ""

    def record_attempt(self) -> None:
        """Count this as a wrong password before it is verified, or raise ``TooManyRequests``."""
        # Check this limit before counting: a guesser can invent any number of targets.
        if not self.device and FROM_ONE_ADDRESS.wait(self._from):
            FROM_ONE_ADDRESS.refuse(self._from)
        AT_ONE_DOOR.demand(self._target_and_guesser)
        if self.device:
            return
        FROM_ONE_ADDRESS.demand(self._from)
        many, few = not AT_THE_DOOR.record(self._at), WHILE_MANY_GUESS.record(self._target_and_guesser)
        if many and not few:
            WHILE_MANY_GUESS.refuse(self._target_and_guesser)

    def forgive(self) -> None:
        """Undo ``record_attempt`` because the password was right."""
        AT_ONE_DOOR.forgive(self._target_and_guesser)
        if not self.device:
            FROM_ONE_ADDRESS.forgive(self._from)
            AT_THE_DOOR.forgive(self._at)
            WHILE_MANY_GUESS.forgive(self._target_and_guesser)

    @property
    def who(self) -> str:
        return self.device or self.address

    @property
    def _at(self) -> str:
        return f"{self.kind} {self.door}"

    @property
    def _target_and_guesser(self) -> str:
        return f"{self._at} {self.who}"

    @property
    def _from(self) -> str:
        return f"{self.kind} {self.address}"
