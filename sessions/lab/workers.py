"""Many games on many processors. Their order, and so all that is counted, is the same on any number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context

from sessions.engine.shelf import shelf
from sessions.game import AnyModule

from .playing import Game, play
from .setting import Setting

CHUNK = 4  # games that a worker takes at a time


def run(
    module: AnyModule, setting: Setting, processes: int, told: Callable[[int], object] = lambda done: None
) -> list[Game]:
    """Return the games of a run in their order; ``told`` hears how many there are so far.

    :param processes: with 1 all is played here. More want the game on the shelf, where a worker looks for it.
    :raises BadTable: players or options are not those of the game.
    """
    games: list[Game] = []
    with _playing(module, setting, processes) as played:
        for game in played:
            games.append(game)
            told(len(games))
    return games


@contextmanager
def _playing(module: AnyModule, setting: Setting, processes: int) -> Iterator[Iterator[Game]]:
    numbers = range(1, setting.games + 1)
    if processes == 1:
        yield map(partial(play, module, setting), numbers)
        return
    # A fresh process holds no open database and no half-locked lock of this one.
    with get_context("spawn").Pool(processes) as pool:
        yield pool.imap(partial(_play_there, setting), numbers, CHUNK)


def _play_there(setting: Setting, number: int) -> Game:
    return play(shelf()[setting.key], setting, number)
