"""Measure the bot against random play: ``python -m sessions.modules.goodcop.tests.measure GAMES``."""

from __future__ import annotations

import sys

from companion.fate import Fate
from sessions.engine.step import start, step
from sessions.modules.goodcop import module
from sessions.modules.goodcop.bot import bot


def wins(games: int, players: int, *, zombies: bool, clever: bool) -> float:
    """Return the share of games won by a seat that goes round; the others play at random.

    The same games with ``clever`` False, the seat at random too, are what to compare with.
    """
    won = 0
    for game in range(games):
        secret, mine = f"measure {game}", f"p{game % players + 1}"
        options = {"zombies": zombies}
        snapshot, number = start(module, module.seat_list(players), options, Fate(secret, 0)), 0
        while (result := module.outcome(state := module.load(snapshot))) is None:
            number += 1
            choices = Fate(f"choices of {secret}", number)
            seat = min(module.waiting_for(state))
            legal = module.legal_moves(state, seat)
            move = legal[choices.roll("pick", len(legal)) - 1]
            if clever and seat == mine:
                move = bot(module.view(state, seat), legal, choices)
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += mine in result.winners
    return won / games


if __name__ == "__main__":
    for with_zombies in (False, True):
        for count in module.seats:
            shares = [
                wins(int(sys.argv[1]), count, zombies=with_zombies, clever=clever) for clever in (True, False)
            ]
            words = "with zombies" if with_zombies else "base game"
            sys.stdout.write(f"{words}, {count} players: {shares[0]:.0%} against {shares[1]:.0%}\n")
