"""Join codes and free names, as people type them on a phone."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from itertools import count

from companion import names

#: Further characters are ignored: normalizing a long run of combining accents takes quadratic time.
LOOKED_AT = 200
_HALF_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)}

#: The digits of a code while few sessions are open, and the most that a code ever has.
DIGITS, DIGITS_AT_MOST = 6, 10
#: Wrong codes that the whole server looks up in a day (sessions.views.door enforces this limit).
MISSES_A_DAY = 250
#: The years of continuous guessing after which one hit is expected on average.
YEARS_TO_HIT = 2


def digits_beside(others: int) -> int:
    """Return how many digits a new code needs, given the number of other open sessions.

    A guess hits one of n sessions with probability n / 10 ** digits, so a hit takes 10 ** digits / n guesses
    on average.
    """
    tries = (others + 1) * MISSES_A_DAY * 365 * YEARS_TO_HIT
    return min(max(len(str(tries - 1)), DIGITS), DIGITS_AT_MOST)


def new_code(digits: int = DIGITS) -> str:
    """Return a new code. Digits need no IME, suit a number pad and spell no rude words."""
    return f"{secrets.randbelow(10**digits):0{digits}}"


def read_code(typed: str) -> str | None:
    """Return the digits of a typed code (全角, spaces and hyphens are fine), None if it cannot be a code."""
    digits = "".join(c for c in unicodedata.normalize("NFKC", typed[:LOOKED_AT]) if c.isalnum())
    fits = DIGITS <= len(digits) <= DIGITS_AT_MOST
    return digits if fits and digits.isascii() and digits.isdigit() else None


def free_name(name: str, others: Collection[str], longest: int = 12) -> str:
    """Return the first of ``name2``, ``name3`` … that does not look like any of the others."""
    half_width = name.translate(_HALF_WIDTH)
    numbered = (f"{names.clean(half_width[: longest - len(str(n))])}{n}" for n in count(2))
    return next(tried for tried in numbered if not any(names.look_alike(tried, other) for other in others))


def read_number(written: str) -> int:
    """Return a row's id that a URL or a form contains; 0, which no row has, if it is malformed."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 19 else 0


def label_key(label: str) -> str:
    """Return a key that is the same for all spellings of a label in width, case and spaces."""
    return unicodedata.normalize("NFKC", label).casefold().replace(" ", "")
