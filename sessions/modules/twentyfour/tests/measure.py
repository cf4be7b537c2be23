"""Measure the levels against each other: ``python -m sessions.modules.twentyfour.tests.measure GAMES``."""

from __future__ import annotations

import sys

from sessions.engine import bots
from sessions.engine.step import start, step
from sessions.game import Fate
from sessions.modules.twentyfour import module


def wins(kind: str, other: str, games: int, players: int = 3) -> float:
    """Return the share of games that one bot wins among others of another level; its seat goes round.

    A shared win counts in part.
    """
    won = 0.0
    for game in range(games):
        secret, mine = f"measure {game}", f"p{game % players + 1}"
        snapshot, number = start(module, module.seat_list(players), {}, Fate(secret, 0)), 0
        while (result := module.outcome(state := module.load(snapshot))) is None:
            number += 1
            seat = min(module.waiting_for(state))
            level = kind if seat == mine else other
            move = bots.choose_move(module, level, state, seat, Fate(f"choices of {secret}", number))
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += (mine in result.winners) / len(result.winners)
    return won / games


if __name__ == "__main__":
    for pair in ((bots.STRONG, bots.STEADY), (bots.STEADY, bots.RANDOM)):
        for count in module.seats:
            share = wins(*pair, int(sys.argv[1]), count)
            sys.stdout.write(f"{pair[0]} among {pair[1]}, {count} players: {share:.1%}\n")
            sys.stdout.flush()
