"""Evenings and their live tables.

Scripts from outside, such as benchmarks, lay out a table by ``from sessions import nights, tables``. That is
their way to ``nights.open_session``, ``nights.take_seat`` and ``tables.open_table``, wherever these live.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

_PUBLIC = {"nights": "sessions.evening.nights", "tables": "sessions.table.opening"}


def __getattr__(name: str) -> ModuleType:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(_PUBLIC[name])
