"""Measure the levels against each other: ``python -m sessions.modules.liarmafia.tests.measure GAMES``."""

from __future__ import annotations

import sys

from sessions.engine import bots
from sessions.engine.step import start, step
from sessions.game import Fate
from sessions.modules.liarmafia import module


def wins(kind: str, other: str, games: int) -> float:
    """Return the share of games that one level wins against another, each seat half of the time."""
    won = 0
    for game in range(games):
        secret, mine = f"measure {game // 2}", ("p1", "p2")[game % 2]
        snapshot, number = start(module, ["p1", "p2"], {}, Fate(secret, 0)), 0
        while (result := module.outcome(state := module.load(snapshot))) is None:
            number += 1
            seat = min(module.waiting_for(state))
            level = kind if seat == mine else other
            move = bots.choose_move(module, level, state, seat, Fate(f"choices of {secret} {mine}", number))
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += mine in result.winners
    return won / games


if __name__ == "__main__":
    for pair in ((bots.STRONG, bots.STEADY), (bots.STEADY, bots.RANDOM), (bots.STRONG, bots.RANDOM)):
        sys.stdout.write(f"{pair[0]} against {pair[1]}: {wins(*pair, int(sys.argv[1])):.1%}\n")
