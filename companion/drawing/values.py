"""Runtime helpers of compiled templates: attribute access and escaping."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import markupsafe
from django.utils.safestring import SafeString
from jinja2 import ChainableUndefined
from markupsafe import Markup

#: A missing value: false, empty, without attributes, and rendered as "".
NOTHING = ChainableUndefined()
#: The types of text that are already escaped.
ESCAPED = frozenset({Markup, SafeString})


def text(value: Any) -> str:
    """Return a value as escaped text."""
    kind = type(value)
    if kind is str and value.isalnum():
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    return value if kind in ESCAPED else markupsafe.escape(value)


def item(value: Any, key: Any) -> Any:
    """Return an item or attribute of a value by key, index or name; ``NOTHING`` if there is none."""
    try:
        return value[key]
    except (LookupError, TypeError, AttributeError):
        return getattr(value, key, NOTHING) if isinstance(key, str) else NOTHING


def as_collection(values: Iterable[Any]) -> Collection[Any]:
    """Return an iterable as a collection, so that its length is known."""
    return values if isinstance(values, Collection) else list(values)
