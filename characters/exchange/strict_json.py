"""Strict parser for JSON from users, with limits and without duplicate keys."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from characters.exchange.unreadable import UnreadableSheet

DEPTH = 20
DIGITS = 15
#: The number of braces in a text that are tried as the start of an object.
TRIES = 200


def loads(text: str) -> Any:
    """Return the value of a JSON text.

    :raises UnreadableSheet: ``not_json``, ``duplicate_key``, ``not_a_number``, ``number_too_long``,
        ``too_deep``, ``bad_characters``.
    """
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableSheet("not_json", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise UnreadableSheet("too_deep") from error
    _check(value)
    return value


def find_objects(text: str, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Return the JSON objects in any text that satisfy ``wanted``, in its order.

    :raises UnreadableSheet: as ``loads``, but for ``not_json``.
    """
    found, at = [], 0
    for _ in range(TRIES):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, end = DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            at = max(at + 1, error.pos)  # never parse the same text twice
            continue
        except RecursionError as error:
            raise UnreadableSheet("too_deep") from error
        at = end
        if wanted(value):
            _check(value)
            found.append(value)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UnreadableSheet("duplicate_key", key=key)
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise UnreadableSheet("number_too_long", number=digits)
    return int(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _constant(digits)


def _constant(name: str) -> NoReturn:
    raise UnreadableSheet("not_a_number", number=name)


def _check(value: Any) -> None:
    """Refuse values that are nested too deep, and strings with invalid characters."""
    left = [(value, 1)]
    while left:
        found, depth = left.pop()
        if depth > DEPTH:
            raise UnreadableSheet("too_deep")
        if isinstance(found, str):
            check_text(found)
        elif isinstance(found, list):
            left += [(inner, depth + 1) for inner in found]
        elif isinstance(found, dict):
            left += [(inner, depth + 1) for pair in found.items() for inner in pair]


DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)


def check_text(text: str) -> None:
    """Refuse NUL and lone surrogates.

    :raises UnreadableSheet: ``bad_characters``.
    """
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UnreadableSheet("bad_characters")
