"""The registry of games: those that can be played, out of those that were found (``companion/games.py``).

``preload_types`` uses every msgspec type of every game in one thread before other threads start: msgspec
completes its data about a class at the first use, without a lock, and a thread that decodes while another
one is still doing this crashes the process. See docs/msgspec-threads.md.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from companion.fate import Fate
from companion.games import FoundGame, games
from sessions.engine.game_errors import guard_module
from sessions.engine.step import decode_move, encode, start
from sessions.engine.undo import Undo, decode_table_move
from sessions.game import AnyModule, Event, GameFailed, Module

_LOCK = Lock()
logger = logging.getLogger(__name__)


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


def load_games(brought: Iterable[FoundGame]) -> Registry:
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


def _load_game(game: FoundGame) -> AnyModule:
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


def preload_types(*kinds: Any) -> None:
    """Use all types of all modules, and ``kinds``, once. Call this before the first thread starts."""
    for kind in (list[Event], *kinds):
        msgspec.json.Decoder(kind)
    for module in registry().values():
        try:
            _rehearse(module)
        except GameFailed as failure:
            # Its tables show the failure; sessions with other games must be able to begin.
            logger.exception("not rehearsed: %s", failure)


def _rehearse(module: AnyModule) -> None:
    """Open the smallest table, and call once each function that threads call."""
    seats = module.seat_list(module.seats.start)
    state = module.load(start(module, seats, {}, Fate("rehearsal", 0)))
    decode_table_move(module, encode(Undo()))
    for seat in seats:
        encode(module.asked(state, seat))
        for move in module.legal_moves(state, seat):
            decode_move(module, encode(move))
    for looker in (*seats, None):
        encode(module.view(state, looker))
    encode(module.outcome(state))
    if module.telling.digest:
        encode(module.telling.digest([], msgspec.convert({}, module.options)))
    if module.telling.marks:
        encode(module.telling.marks(module.view(state, None), []))
