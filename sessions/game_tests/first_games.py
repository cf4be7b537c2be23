"""First games as they are played, without a database: the scripts against any newcomer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.first_games import NEWCOMER, first_game_secret
from sessions.engine.step import start, step
from sessions.game import AnyModule, FirstGame, Seat

#: More moves than a first game of five minutes has.
MOST = 200
#: The newcomer: what they see, the step they are told, and their legal moves become a move.
Newcomer = Callable[[Any, str, Sequence[Any]], Any]


class Played(NamedTuple):
    """A move of a first game: the step at which the newcomer was before it, and the state after it."""

    told: str
    seat: Seat
    move: Any
    state: Any


def first_of(module: AnyModule) -> FirstGame[Any]:
    assert module.first_game, module.key
    return module.first_game


def play(module: AnyModule, newcomer: Newcomer) -> Iterator[Played]:
    """Yield a first game move by move, until it ends."""
    first, secret = first_of(module), first_game_secret(module)
    snapshot = start(module, module.seat_list(first.players), dict(first.options), Fate(secret, 0))
    for number in range(1, MOST):
        state = module.load(snapshot)
        view, waited = module.view(state, NEWCOMER), module.waiting_for(state)
        told = first.step(view)
        # Scripts are quick: they answer first where several are asked.
        seat = next((seat for seat in sorted(waited) if seat != NEWCOMER), NEWCOMER)
        if seat == NEWCOMER:
            move = newcomer(view, told, module.legal_moves(state, seat))
        else:
            move = bots.choose(module, bots.SCRIPT, state, seat, Fate(f"bots of {secret}", number))
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        after = module.load(snapshot)
        yield Played(told, seat, move, after)
        if module.outcome(after) is not None or first.ends(after):
            return
    raise AssertionError(f"{module.key}: a first game has no end")


def anybody(seed: int) -> Newcomer:
    """Return a newcomer who makes any legal move, and gives up now and then."""
    chances = iter(range(10_000))
    return lambda view, told, legal: legal[
        Fate(f"newcomer {seed}", next(chances)).roll("any", len(legal)) - 1
    ]
