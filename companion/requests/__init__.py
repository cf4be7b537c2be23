"""Requests: the numbers that URLs and forms contain, rate limits, quotas, and queues that are fair."""

from __future__ import annotations

from django.urls.converters import IntConverter

#: The digits of the largest number that is read; every number with as many is a possible id of a row.
DIGITS_AT_MOST = 18


def read_number(written: str) -> int:
    """Return a number of a URL or a form, such as a row's id; 0, which no row has, if it is malformed."""
    fits = written.isascii() and written.isdigit() and len(written) <= DIGITS_AT_MOST
    return int(written) if fits else 0


class RowConverter(IntConverter):
    """The same numbers as a part of a path."""

    regex = f"[0-9]{{1,{DIGITS_AT_MOST}}}"
