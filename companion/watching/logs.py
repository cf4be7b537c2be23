"""Logging: plain text, or JSON lines with ``LOG_FORMAT=json``; secrets are redacted in both."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from types import TracebackType

from django.conf import settings

from companion.steady.outages import NO_DATABASE
from companion.watching import redaction
from companion.watching.context import REQUEST, TABLE

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Redacted(logging.Filter):
    """Redact keys in each record, and add the ids of its request and table."""

    def filter(self, record: logging.LogRecord) -> bool:
        words = record.getMessage()
        if record.name == "asyncio":
            # Its further lines quote a task with its error's text.
            words = words.partition("\n")[0]
        record.msg, record.args = redaction.redact_text(words), ()
        record.request, record.table = REQUEST.get(), TABLE.get()
        return True


class NoOutage(logging.Filter):
    """Drop Django's record of each request that fails in an outage; companion.steady.outages logs it once."""

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        return not isinstance(problem, NO_DATABASE)


class Plain(logging.Formatter):
    """Plain text for people, with an error's traceback below."""

    def format(self, record: logging.LogRecord) -> str:
        words = super().format(record)
        about = [f"{name} {value}" for name, value in _about(record).items()]
        first, _, rest = words.partition("\n")
        return "\n".join(filter(None, [f"{first} [{', '.join(about)}]" if about else first, rest]))

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return super().formatException(ei) if settings.DEBUG else _trace(ei)


class Json(logging.Formatter):
    """One line of JSON for programs."""

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
    return redaction.redacted_trace(problem) if problem else ""
