"""Play many games in several processes. Their order, and so every statistic, is the same for any number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context

from sessions.engine.shelf import registry
from sessions.game import AnyModule

from .playing import GameRecord, play
from .setting import RunConfig

CHUNK = 4  # games that a worker takes at a time


def run(
    module: AnyModule, setting: RunConfig, processes: int, told: Callable[[int], object] = lambda done: None
) -> list[GameRecord]:
    """Return the games of a run in their order; ``told`` is called with the number of games so far.

    :param processes: 1 plays all games in this process. More need a registered game, which workers look up.
    :raises BadTable: the number of players or the options do not fit the game.
    """
    games: list[GameRecord] = []
    with _playing(module, setting, processes) as played:
        for game in played:
            games.append(game)
            told(len(games))
    return games


@contextmanager
def _playing(module: AnyModule, setting: RunConfig, processes: int) -> Iterator[Iterator[GameRecord]]:
    numbers = range(1, setting.games + 1)
    if processes == 1:
        yield map(partial(play, module, setting), numbers)
        return
    # A spawned process inherits no open database connection and no held lock of this one.
    with get_context("spawn").Pool(processes) as pool:
        yield pool.imap(partial(_play_there, setting), numbers, CHUNK)


def _play_there(setting: RunConfig, number: int) -> GameRecord:
    return play(registry()[setting.key], setting, number)
