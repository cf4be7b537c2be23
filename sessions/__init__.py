"""Sessions and their live tables.

External scripts, such as benchmarks, set up a table by ``from sessions import nights, tables``. They
get ``open_session`` and ``take_seat`` of ``nights`` and ``open_table`` of ``tables``, wherever these are
defined.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

_PUBLIC = {"nights": "sessions.evening.nights", "tables": "sessions.table.opening"}


def __getattr__(name: str) -> ModuleType:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(_PUBLIC[name])
