"""The registry of games: those that can be played, out of those that were found (``companion/games.py``)."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import NamedTuple

from companion.games import Found, games
from sessions.game import AnyModule, Module

from .failing import guard_module

_LOCK = Lock()


class GameNotRegistered(LookupError):
    """The game of a table is not registered (any more); the table stays unchanged until the game is back."""


class Modules(dict[str, AnyModule]):
    """The games that can be played, by key."""

    def __missing__(self, key: str) -> AnyModule:
        raise GameNotRegistered(key)


class Registry(NamedTuple):
    """The registered games, sorted by key, and by package the reason why others are left out."""

    modules: Modules
    left_out: dict[str, str]


class NoGame(Exception):
    """A package cannot be registered as a game; the text says why."""


def registry() -> Modules:
    """Return the registered games by key; a missing key raises GameNotRegistered."""
    return _load_registry().modules


def left_out() -> dict[str, str]:
    return _load_registry().left_out


def _load_registry() -> Registry:
    with _LOCK:  # the cache alone would let two threads load all games at once, and make each module twice
        return _once()


@cache
def _once() -> Registry:
    return load_games(games())


def load_games(brought: Iterable[Found]) -> Registry:
    """Load games into a registry. A broken one is left out, so that sessions with the others can begin."""
    modules = Modules()
    left: dict[str, str] = {}
    taken: dict[str, str] = {}
    for game in brought:
        try:
            if taken.setdefault(game.key, game.package) != game.package:
                raise NoGame(f"the key {game.key} is that of {taken[game.key]}")
            modules[game.key] = _load_game(game)
        except NoGame as problem:
            left[game.package] = str(problem)
        except Exception as problem:  # noqa: BLE001 (this runs code of any author)
            left[game.package] = f"{type(problem).__name__}: {problem}"
    return Registry(Modules(sorted(modules.items())), left)


def _load_game(game: Found) -> AnyModule:
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
    return guard_module(module)
