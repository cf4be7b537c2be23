"""The modules there are: every folder in ``sessions/modules`` that holds a ``module``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from threading import Lock

from sessions import modules

from .contract import AnyModule

_LOCK = Lock()


def shelf() -> dict[str, AnyModule]:
    """Return the modules by key, in alphabetical order.

    :raises ValueError: a folder and the key of its module differ.
    """
    with _LOCK:  # a cache alone would let two threads look at once, and make each module twice
        return _found()


@cache
def _found() -> dict[str, AnyModule]:
    found: dict[str, AnyModule] = {}
    for folder in pkgutil.iter_modules(modules.__path__):
        module = importlib.import_module(f"{modules.__name__}.{folder.name}").module
        if module.key != folder.name:
            raise ValueError(f"folder {folder.name} holds a module with the key {module.key}")
        found[module.key] = module
    return found
