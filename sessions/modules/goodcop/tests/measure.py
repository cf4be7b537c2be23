"""Measure the bots: ``python -m sessions.modules.goodcop.tests.measure GAMES``."""

from __future__ import annotations

import sys

from sessions.engine import bots
from sessions.engine.step import start, step
from sessions.game import Fate
from sessions.modules.goodcop import module
from sessions.modules.goodcop.bot import strong_bot
from sessions.modules.goodcop.state import team


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
                move = strong_bot(module.view(state, seat), legal, choices)
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += mine in result.winners
    return won / games


def beats(kind: str, other: str, games: int, players: int = 5) -> float:
    """Return the share of games won by a team of one level against one of another, on either side in turn."""
    won = 0
    for game in range(games):
        secret, side = f"measure {game // 2}", ("honest", "crooked")[game % 2]
        snapshot, number = start(module, module.seat_list(players), {}, Fate(secret, 0)), 0
        dealt = module.load(snapshot)
        mine = {seat for seat in dealt.seats if team(dealt, seat) == side}
        while (result := module.outcome(state := module.load(snapshot))) is None:
            number += 1
            seat = min(module.waiting_for(state))
            choices = Fate(f"choices of {secret} {side}", number)
            move = bots.choose_move(module, kind if seat in mine else other, state, seat, choices)
            snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        won += result.reason == side
    return won / games


if __name__ == "__main__":
    for pair in ((bots.STRONG, bots.STEADY), (bots.STEADY, bots.RANDOM)):
        sys.stdout.write(f"{pair[0]} against {pair[1]}: {beats(*pair, int(sys.argv[1])):.1%}\n")
    for with_zombies in (False, True):
        for count in module.seats:
            shares = [
                wins(int(sys.argv[1]), count, zombies=with_zombies, clever=clever) for clever in (True, False)
            ]
            words = "with zombies" if with_zombies else "base game"
            sys.stdout.write(f"{words}, {count} players: {shares[0]:.0%} against {shares[1]:.0%}\n")
