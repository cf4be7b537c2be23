"""Logging: plain text, or JSON lines with ``LOG_FORMAT=json``; and optional error reports to Sentry.

Ids of the current request or websocket and of its table connect the lines of a log.

Logs and error reports lose keys in URLs, query strings, email addresses and the texts of errors. URLs are
rewritten by their URL pattern, so that new kinds of keys are covered automatically: every part that is
neither a word of our patterns nor the id of a row becomes "…".

A report (``SENTRY_DSN``) contains only what an error in the log does: type and traceback of the error, the
redacted message, and the ids of request and table. It has no request, cookie, body, variable, name or text
of an error.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import traceback
from asyncio import CancelledError
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from companion.fallback.outages import NO_DATABASE

REQUEST: ContextVar[str] = ContextVar("request", default="")
TABLE: ContextVar[int | None] = ContextVar("table", default=None)
HEADER = b"x-request-id"
TABLE_PATH = re.compile(r"/(?:ws/tables|t)/(\d{1,18})/")
#: Text that may be a URL or a path, except the "HTTP/1.1" of an access log.
ADDRESS = re.compile(r"(?<!\bHTTP)(?:https?:/)?/[^\s\"'<>]*")
MAIL = re.compile(r"[^\s\"'<>(]+@[^\s\"'<>)]+")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
#: Websocket paths have no Django URL pattern: numbers in them are ids of rows, and all other parts are keys.
SOCKET = re.compile(r"/ws/(?:[a-z]+/|\d{1,18}/)*")
HIDDEN = "…"
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
KEPT = ("event_id", "timestamp", "level", "logger", "platform", "sdk")
FRAME = ("filename", "module", "function", "lineno", "pre_context", "context_line", "post_context", "in_app")


class RequestIdMiddleware:
    """ASGI middleware that gives each request and websocket an id. Threads that work for it inherit the id.

    An id that a client sends is ignored, as it could write any text into the log.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        number = secrets.token_hex(6)
        table = TABLE_PATH.match(scope.get("path", ""))
        REQUEST.set(number)
        TABLE.set(int(table[1]) if table else None)

        async def send_with_number(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (HEADER, number.encode())]
            await send(message)

        # Static files get no header: a page has a dozen of them, and they are not logged.
        is_page = scope["type"] == "http" and not scope["path"].startswith(settings.STATIC_URL)
        await self.inner(scope, receive, send_with_number if is_page else send)


def redact_text(words: str) -> str:
    """Remove keys and email addresses."""
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
    """Return a path by its URL pattern with only numeric parameters; "" if no pattern matches."""
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
    """Return a traceback without the error's text, which may quote user input."""
    origin = traceback.format_tb(problem.__traceback__)
    kind = type(problem)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    trace = "".join(["Traceback (most recent call last):\n", *origin, name])
    before = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
    return f"{redacted_trace(before)}\n\nwhich led to\n\n{trace}" if before else trace


class Redacted(logging.Filter):
    """Redact keys, and add the ids of request and table."""

    def filter(self, record: logging.LogRecord) -> bool:
        words = record.getMessage()
        if record.name == "asyncio":
            # Its further lines quote a task with its error's text.
            words = words.partition("\n")[0]
        record.msg, record.args = redact_text(words), ()
        record.request, record.table = REQUEST.get(), TABLE.get()
        return True


class NoOutage(logging.Filter):
    """Drop Django's records of requests that fail in an outage: companion.fallback.outages logs it once."""

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        return not isinstance(problem, NO_DATABASE)


class NoCancelled(logging.Filter):
    """Drop uvicorn's tracebacks of pages and requests that it cancels at its end; a warning counts them."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, str) and record.msg.startswith("Cancel %s running task"):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return not (record.exc_info and isinstance(record.exc_info[1], CancelledError))


class Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        words = super().format(record)
        about = [f"{name} {value}" for name, value in _about(record).items()]
        first, _, rest = words.partition("\n")
        return "\n".join(filter(None, [f"{first} [{', '.join(about)}]" if about else first, rest]))

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return super().formatException(ei) if settings.DEBUG else _trace(ei)


class Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_about(record),
        }
        if record.exc_info:
            line["error"] = _trace(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _about(record: logging.LogRecord) -> dict[str, object]:
    about = {"request": getattr(record, "request", None), "table": getattr(record, "table", None)}
    return {name: value for name, value in about.items() if value}


def _trace(info: ExcInfo | bool | None) -> str:
    problem = info[1] if isinstance(info, tuple) else sys.exception()
    return redacted_trace(problem) if problem else ""


def start_reporting(dsn: str) -> None:
    """Start sending error reports. Without a DSN, Sentry is not even imported."""
    if not dsn:
        return
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn,
        before_send=reduce_report,
        # No integration that reads requests: unexpected errors are logged, and thereby reported.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            DedupeIntegration(),
            AtexitIntegration(callback=lambda _pending, _timeout: None),
        ],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
    )


def reduce_report(event: Any, hint: Any) -> Any:
    """Reduce a report to allowed fields, so that no user's text is sent, also by later versions of Sentry."""
    logged, errors = event.get("logentry", {}), (event.get("exception") or {}).get("values", [])
    words = hint["log_record"].getMessage() if "log_record" in hint else logged.get("message", "")
    return {
        **{name: event[name] for name in KEPT if name in event},
        "logentry": {"message": redact_text(words.partition("\n")[0])},
        "exception": {"values": [_reduce_error(error) for error in errors]},
        "tags": {"request": REQUEST.get(), "table": str(TABLE.get() or "")},
    }


def _reduce_error(error: Any) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "stacktrace": {"frames": [{key: frame[key] for key in FRAME if key in frame} for frame in frames]},
    }
