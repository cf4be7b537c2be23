"""Values in the hands of a drawing: their parts, and how they stand in a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import markupsafe
from django.utils.safestring import SafeString
from jinja2 import ChainableUndefined
from markupsafe import Markup

#: A value that is not there: false, empty, without parts, and nothing in a page.
NOTHING = ChainableUndefined()
#: The kinds of texts that are escaped.
ESCAPED = frozenset({Markup, SafeString})


def text(value: Any) -> str:
    """Return a value as it stands in a page."""
    kind = type(value)
    if kind is str and value.isalnum():
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    return value if kind in ESCAPED else markupsafe.escape(value)


def item(value: Any, key: Any) -> Any:
    """Return a part of a value by its key, its place or its name; ``NOTHING`` where there is none."""
    try:
        return value[key]
    except (LookupError, TypeError, AttributeError):
        return getattr(value, key, NOTHING) if isinstance(key, str) else NOTHING


def sized(values: Iterable[Any]) -> Collection[Any]:
    """Return values to go through, of which the number is known."""
    return values if isinstance(values, Collection) else list(values)
