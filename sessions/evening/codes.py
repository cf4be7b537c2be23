"""Join codes and free names, as people type them on a phone."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from itertools import count

from companion import names

#: Characters beyond these are ignored: normalizing many accents takes the square of their number.
LOOKED_AT = 200
_HALF_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)}

#: The digits of a code where few evenings are open, and the most that a code ever has.
DIGITS, DIGITS_AT_MOST = 6, 10
#: Wrong codes that the whole server looks up in a day (sessions.views.door keeps to it).
MISSES_A_DAY = 250
#: A guesser who tries codes day and night for so many years may expect to have hit one evening.
YEARS_TO_HIT = 2


def digits_beside(others: int) -> int:
    """Return how many digits a new code needs beside the codes of other open evenings.

    A try hits one of n evenings with a chance of n in 10 ** digits: on average it takes 10 ** digits / n.
    """
    tries = (others + 1) * MISSES_A_DAY * 365 * YEARS_TO_HIT
    return min(max(len(str(tries - 1)), DIGITS), DIGITS_AT_MOST)


def new_code(digits: int = DIGITS) -> str:
    """Return a code of digits: a number pad, no IME, nothing rude."""
    return f"{secrets.randbelow(10**digits):0{digits}}"


def read_code(typed: str) -> str | None:
    """Return the digits that were typed (全角, spaces and hyphens are fine), None if they are no code."""
    digits = "".join(c for c in unicodedata.normalize("NFKC", typed[:LOOKED_AT]) if c.isalnum())
    fits = DIGITS <= len(digits) <= DIGITS_AT_MOST
    return digits if fits and digits.isascii() and digits.isdigit() else None


def free_name(name: str, others: Collection[str], longest: int = 12) -> str:
    """Return the first of ``name2``, ``name3`` … that looks like none of the others."""
    half_width = name.translate(_HALF_WIDTH)
    numbered = (f"{names.clean(half_width[: longest - len(str(n))])}{n}" for n in count(2))
    return next(tried for tried in numbered if not any(names.look_alike(tried, other) for other in others))


def read_number(written: str) -> int:
    """Return the row's number that an address or a form gives; 0, which names no row, if it is malformed."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 19 else 0


def label_key(label: str) -> str:
    """Return a key that is the same for all spellings of a label, whatever their width and case."""
    return unicodedata.normalize("NFKC", label).casefold().replace(" ", "")
