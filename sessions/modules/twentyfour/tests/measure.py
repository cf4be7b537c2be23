"""Measure the bot against random play: ``python -m sessions.modules.twentyfour.tests.measure GAMES``."""

from __future__ import annotations

import sys

from companion.fate import Fate
from sessions.engine.step import start, step
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.bot import bot


def wins(games: int, players: int = 3) -> float:
    """Return the share of games that the bot wins, a shared win counted in part; its seat goes round."""
    won = 0.0
    for game in range(games):
        secret, mine = f"measure {game}", f"p{game % players + 1}"
        snapshot, number = start(module, module.seat_list(players), {}, Fate(secret, 0)), 0
        while (result := module.outcome(module.load(snapshot))) is None:
            number += 1
            state, choices = module.load(snapshot), Fate(f"choices of {secret}", number)
            seat = min(module.waiting_for(state))
            legal = module.legal_moves(state, seat)
            move = legal[choices.roll("pick", len(legal)) - 1]
            if seat == mine:
                move = bot(module.view(state, seat), legal, choices)
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += (mine in result.winners) / len(result.winners)
    return won / games


if __name__ == "__main__":
    for count in module.seats:
        sys.stdout.write(f"{count} players: {wins(int(sys.argv[1]), count):.1%}\n")
