"""The shelf: the games that can be played, out of those that were brought (``companion/games.py``)."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import NamedTuple

from companion.games import Found, games
from sessions.game import AnyModule, Module

from .failing import guarded

_LOCK = Lock()


class NotOnTheShelf(LookupError):
    """A table's game cannot be played here (any more); the table stays as it is until the game is back."""


class Modules(dict[str, AnyModule]):
    """The games that can be played, by key."""

    def __missing__(self, key: str) -> AnyModule:
        raise NotOnTheShelf(key)


class Shelf(NamedTuple):
    """The games in alphabetical order of their keys, and by package why others are not among them."""

    modules: Modules
    left_out: dict[str, str]


class NoGame(Exception):
    """A package that cannot stand on the shelf; the text says why."""


def shelf() -> Modules:
    """Return the games by key; asking for one that is not there raises NotOnTheShelf."""
    return _stocked().modules


def left_out() -> dict[str, str]:
    return _stocked().left_out


def _stocked() -> Shelf:
    with _LOCK:  # a cache alone would let two threads look at once, and make each module twice
        return _once()


@cache
def _once() -> Shelf:
    return stocked(games())


def stocked(brought: Iterable[Found]) -> Shelf:
    """Put games on a shelf. One that is broken is left out: an evening with the others must begin."""
    modules = Modules()
    left: dict[str, str] = {}
    taken: dict[str, str] = {}
    for game in brought:
        try:
            if taken.setdefault(game.key, game.package) != game.package:
                raise NoGame(f"the key {game.key} is that of {taken[game.key]}")
            modules[game.key] = _loaded(game)
        except NoGame as problem:
            left[game.package] = str(problem)
        except Exception as problem:  # noqa: BLE001 (what runs here is anybody's)
            left[game.package] = f"{type(problem).__name__}: {problem}"
    return Shelf(Modules(sorted(modules.items())), left)


def _loaded(game: Found) -> AnyModule:
    if game.folder is None:
        raise NoGame("there is no such package, or another one has its name")
    module = getattr(importlib.import_module(game.package), "module", None)
    if not isinstance(module, Module):
        raise NoGame("it has no module of the class Module")
    if module.key != game.key:
        raise NoGame(f"its module has the key {module.key}, not {game.key}")
    wanted = ["_title.jinja", "_event.jinja", "phone.html", *["gm.html"] * module.gm]
    templates = game.folder / "templates" / "tables" / game.key
    if lacking := [name for name in wanted if not (templates / name).exists()]:
        raise NoGame(f"it lacks templates/tables/{game.key}/{lacking[0]}")
    return guarded(module)
