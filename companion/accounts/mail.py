"""The mail server as one address in the environment, like ``smtp://name:password@host:587``."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings


def goes_out() -> bool:
    """True if letters go out: there is a mail server, and an address of ours for them to lead to."""
    return bool(settings.EMAIL_URL and settings.PUBLIC_URL)


def smtp_options(url: str) -> dict[str, Any]:
    """Return the options of Django's SMTP backend for ``EMAIL_URL``.

    ``smtp://`` speaks TLS from the greeting on (STARTTLS, port 587), ``smtps://`` from the first byte
    (port 465), and ``smtp+plain://`` never (port 25, for a mail server on this very machine).

    :raises ValueError: the address has another scheme, no host or no number as its port.
    """
    parts = urlsplit(url)
    ports = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
    if parts.scheme not in ports or not parts.hostname:
        raise ValueError("EMAIL_URL looks like smtp://name:password@host:587")
    return {
        "host": parts.hostname,
        "port": parts.port or ports[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_tls": parts.scheme == "smtp",
        "use_ssl": parts.scheme == "smtps",
        "timeout": 10,
    }
