"""Join codes and display names, as people type them on a phone."""

from __future__ import annotations

import secrets
import unicodedata

#: No more is looked at of what anybody typed: normalizing many accents takes the square of their number.
LOOKED_AT = 200


#: Where a few evenings are open, a code has so many digits; and never more than so many.
DIGITS, DIGITS_AT_MOST = 6, 10
#: Wrong codes that the whole server looks up in a day (sessions.views.door keeps to it).
MISSES_A_DAY = 250
#: Whoever tries codes day and night for so many years may expect to have hit one evening.
YEARS_TO_HIT = 2


def digits_beside(others: int) -> int:
    """Return how many digits a new code needs beside so many that open something already.

    A try hits one of n evenings with a chance of n in 10 ** digits: on average it takes 10 ** digits / n.
    """
    tries = (others + 1) * MISSES_A_DAY * 365 * YEARS_TO_HIT
    return min(max(len(str(tries - 1)), DIGITS), DIGITS_AT_MOST)


def new_code(digits: int = DIGITS) -> str:
    """Return a code of digits: a number pad, no IME, nothing rude."""
    return f"{secrets.randbelow(10**digits):0{digits}}"


def read_code(typed: str) -> str | None:
    """Return the digits somebody typed (全角, spaces and hyphens are fine), None if it is no code."""
    digits = "".join(c for c in unicodedata.normalize("NFKC", typed[:LOOKED_AT]) if c.isalnum())
    fits = DIGITS <= len(digits) <= DIGITS_AT_MOST
    return digits if fits and digits.isascii() and digits.isdigit() else None


def clean_name(typed: str) -> str:
    """Return a display name in one line: NFKC, spaces folded, control and direction marks dropped."""
    kept = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFKC", typed[:LOOKED_AT]))
    return " ".join(kept.split())


def name_key(name: str) -> str:
    """Return what two equal names share, whatever their width and case."""
    return clean_name(name).casefold().replace(" ", "")


def free_name(name: str, taken: set[str], longest: int = 12) -> str:
    """Return ``name``, or the first free one of ``name2``, ``name3`` …, at most ``longest`` characters."""
    number, tried = 1, name
    while name_key(tried) in taken:
        number += 1
        tried = f"{name[: longest - len(str(number))]}{number}"
    return tried


def read_number(written: str) -> int:
    """Return the number that an address or a form names a row by; 0, which names none, if it is no such."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 19 else 0


def label_key(label: str) -> str:
    """Return what two spellings of one label share, whatever their width and case."""
    return unicodedata.normalize("NFKC", label).casefold().replace(" ", "")
