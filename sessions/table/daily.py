"""The game of the day 今日の一局: one shuffle for everybody on this server, anew at every midnight there.

The secret of a day comes from the day and the server's own key: nobody else can work it out beforehand, and
it says nothing about any other day's. It is told like every table's, but not before the day is over: people
who play later that day must not know it.
"""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.crypto import salted_hmac

from sessions.models import Table


def today() -> date:
    """Return the day it is where the server is."""
    return timezone.localdate()


def secret_of(module_key: str, day: date) -> str:
    """Return the secret of every table of this game and day, 64 hexadecimal digits."""
    return salted_hmac("sessions.daily", f"{module_key} {day.isoformat()}", algorithm="sha256").hexdigest()


def keeps_secret(table: Table) -> bool:
    """True if others may still be to play the same deal as this table's."""
    return table.daily is not None and table.daily >= today()
