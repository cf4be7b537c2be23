"""Optional error reports to Sentry (``SENTRY_DSN``).

A report contains only what an error in the log does: type and traceback of the error, the redacted message,
and the ids of request and table. It has no request, cookie, body, variable, name or text of an error.
"""

from __future__ import annotations

import logging
from typing import Any

from companion.observability import logs

KEPT = ("event_id", "timestamp", "level", "logger", "platform", "sdk")
FRAME = ("filename", "module", "function", "lineno", "pre_context", "context_line", "post_context", "in_app")


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
        "logentry": {"message": logs.redact_text(words.partition("\n")[0])},
        "exception": {"values": [_reduce_error(error) for error in errors]},
        "tags": {"request": logs.REQUEST.get(), "table": str(logs.TABLE.get() or "")},
    }


def _reduce_error(error: Any) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "stacktrace": {"frames": [{key: frame[key] for key in FRAME if key in frame} for frame in frames]},
    }
