"""The game of the day 今日の一局: one shuffle for everybody on this server, renewed at local midnight.

A day's secret is an HMAC of game and day with the server's key: only the server can predict it. It reveals
nothing about other days. It is published like every table's, but not before the day is over: people who
play later that day must not know it.
"""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.crypto import salted_hmac

from sessions.models import Table


def today() -> date:
    """Return the present day in the server's time zone."""
    return timezone.localdate()


def secret_of(module_key: str, day: date) -> str:
    """Return the secret of every table of this game and day, 64 hexadecimal digits."""
    return salted_hmac("sessions.daily", f"{module_key} {day.isoformat()}", algorithm="sha256").hexdigest()


def keeps_secret(table: Table) -> bool:
    """True if other people can still play the same deal as this table's, so its secret stays unpublished."""
    return table.daily is not None and table.daily >= today()
