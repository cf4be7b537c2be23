"""The modules there are: every folder in ``sessions/modules`` that holds a ``module``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from threading import Lock
from typing import Any

from sessions import modules

from .contract import Module

_LOCK = Lock()


def shelf() -> dict[str, Module[Any, Any]]:
    """Return the modules by key, in alphabetical order.

    :raises ValueError: a folder and the key of its module differ.
    """
    with _LOCK:  # a cache alone would let two threads look at once, and make each module twice
        return _found()


@cache
def _found() -> dict[str, Module[Any, Any]]:
    found: dict[str, Module[Any, Any]] = {}
    for folder in pkgutil.iter_modules(modules.__path__):
        module = importlib.import_module(f"{modules.__name__}.{folder.name}").module
        if module.key != folder.name:
            raise ValueError(f"folder {folder.name} holds a module with the key {module.key}")
        found[module.key] = module
    return found
