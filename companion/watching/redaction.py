"""What no log and no report holds: the keys in addresses, queries, and the texts of errors.

Addresses are told by their pattern, so that a page with a new kind of key cannot be forgotten: what is no
word of our own and no number of a row becomes "…".
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlsplit

from django.apps import apps
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

#: Whatever may be an address, with or without a host, but for the "HTTP/1.1" of an access log.
ADDRESS = re.compile(r"(?<!\bHTTP)(?:https?:/)?/[^\s\"'<>]*")
MAIL = re.compile(r"[^\s\"'<>(]+@[^\s\"'<>)]+")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
#: The sockets' addresses are no pages: numbers in them are rows, and all else is a key.
SOCKET = re.compile(r"/ws/(?:[a-z]+/|\d{1,18}/)*")
HIDDEN = "…"


def text(words: str) -> str:
    """Return a line of a log without keys and addresses of people."""
    return MAIL.sub(HIDDEN, ADDRESS.sub(lambda found: path(found[0]), words))


def path(address: str) -> str:
    """Return an address of ours without keys and without its query."""
    try:
        asked = urlsplit(address).path or "/"
    except ValueError:  # half an IPv6 address
        return HIDDEN
    if asked.startswith("/ws/"):
        known = SOCKET.match(asked)
        return known[0] if known and known.end() == len(asked) else f"{known[0] if known else '/'}{HIDDEN}"
    return _by_pattern(asked) or "/".join(part if part in _words() else HIDDEN for part in asked.split("/"))


def _by_pattern(asked: str) -> str:
    """Return the pattern of a page with the numbers of its rows; "" if there is no such page."""
    if not apps.ready:
        return ""
    try:
        match = resolve(asked)
    except Resolver404:
        return ""
    if "(?" in match.route:  # a pattern of a library
        return ""
    values = match.kwargs

    def filled(found: re.Match[str]) -> str:
        value = values.get(found[1])
        return str(value) if isinstance(value, int) else HIDDEN

    return "/" + PARAMETER.sub(filled, match.route)


@cache
def _words() -> frozenset[str]:
    """Return the words of all addresses."""
    if not apps.ready:
        return frozenset([""])
    return frozenset(["", "static", "metrics", "health", "live", "ready", *_parts(get_resolver())])


def _parts(patterns: URLResolver) -> Iterator[str]:
    for each in patterns.url_patterns:
        yield from (part for part in str(each.pattern).split("/") if part.isalpha())
        if not isinstance(each, URLPattern):
            yield from _parts(each)


def trace(problem: BaseException) -> str:
    """Return where an error came from and its kind. Its text may quote anything that people wrote."""
    origin = traceback.format_tb(problem.__traceback__)
    told = "".join(["Traceback (most recent call last):\n", *origin, _kind(problem)])
    before = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
    return f"{trace(before)}\n\nwhich led to\n\n{told}" if before else told


def _kind(problem: BaseException) -> str:
    kind = type(problem)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
