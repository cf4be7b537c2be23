"""Settings of the mail server from one URL, like ``smtp://name:password@host:587``."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings


def can_send_emails() -> bool:
    """True if emails can be sent: there is a mail server, and a public URL for their links."""
    return bool(settings.EMAIL_URL and settings.PUBLIC_URL)


def smtp_options(url: str) -> dict[str, Any]:
    """Return the options of Django's SMTP backend for ``EMAIL_URL``.

    ``smtp://`` uses STARTTLS (port 587), ``smtps://`` TLS from the first byte (port 465), and
    ``smtp+plain://`` no TLS (port 25, for a mail server on the same machine).

    :raises ValueError: the URL has another scheme, no host or an invalid port.
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
