"""Redact logs and error reports: keys in URLs, query strings, email addresses and the texts of errors.

URLs are rewritten by their URL pattern, so that new kinds of keys are covered automatically: every part that
is neither a word of our patterns nor the id of a row becomes "…".
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlsplit

from django.apps import apps
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

#: Text that may be a URL or a path, except the "HTTP/1.1" of an access log.
ADDRESS = re.compile(r"(?<!\bHTTP)(?:https?:/)?/[^\s\"'<>]*")
MAIL = re.compile(r"[^\s\"'<>(]+@[^\s\"'<>)]+")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
#: Websocket paths have no Django URL pattern: numbers in them are ids of rows, and all other parts are keys.
SOCKET = re.compile(r"/ws/(?:[a-z]+/|\d{1,18}/)*")
HIDDEN = "…"


def redact_text(words: str) -> str:
    """Return a line of a log without keys and email addresses."""
    return MAIL.sub(HIDDEN, ADDRESS.sub(lambda found: redact_path(found[0]), words))


def redact_path(address: str) -> str:
    """Return the path of one of our URLs without keys and query string."""
    try:
        asked = urlsplit(address).path or "/"
    except ValueError:  # an incomplete IPv6 address
        return HIDDEN
    if asked.startswith("/ws/"):
        known = SOCKET.match(asked)
        return known[0] if known and known.end() == len(asked) else f"{known[0] if known else '/'}{HIDDEN}"
    return _by_pattern(asked) or "/".join(part if part in _words() else HIDDEN for part in asked.split("/"))


def _by_pattern(asked: str) -> str:
    """Return a path by its URL pattern, with only numeric parameters filled in; "" if no pattern matches."""
    if not apps.ready:
        return ""
    try:
        match = resolve(asked)
    except Resolver404:
        return ""
    if "(?" in match.route:  # a regular expression of a library
        return ""
    values = match.kwargs

    def fill_parameter(found: re.Match[str]) -> str:
        value = values.get(found[1])
        return str(value) if isinstance(value, int) else HIDDEN

    return "/" + PARAMETER.sub(fill_parameter, match.route)


@cache
def _words() -> frozenset[str]:
    """Return the literal words of all URL patterns."""
    if not apps.ready:
        return frozenset([""])
    return frozenset(["", "static", "metrics", "health", "live", "ready", *_parts(get_resolver())])


def _parts(patterns: URLResolver) -> Iterator[str]:
    for each in patterns.url_patterns:
        yield from (part for part in str(each.pattern).split("/") if part.isalpha())
        if not isinstance(each, URLPattern):
            yield from _parts(each)


def redacted_trace(problem: BaseException) -> str:
    """Return the traceback and the type of an error, without its text, which may quote user input."""
    origin = traceback.format_tb(problem.__traceback__)
    told = "".join(["Traceback (most recent call last):\n", *origin, _kind(problem)])
    before = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
    return f"{redacted_trace(before)}\n\nwhich led to\n\n{told}" if before else told


def _kind(problem: BaseException) -> str:
    kind = type(problem)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
