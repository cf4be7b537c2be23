"""Play random legal games of a module, and count their moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.game import AnyModule, Seat

from .bots import concedes
from .step import encode, start, step

MAX_MOVES = 10_000
OUT_OF_TURN = 8  # about one move in 8 comes from any seat that has legal moves, waited for or not
GIVES_UP = 40  # about one choice in 40 includes conceding, where that is legal; more would shorten the games


class Tally(msgspec.Struct, frozen=True):
    """The counts of a run of random games."""

    module: str
    seats: int
    games: int
    finished: int
    moves: int
    moves_per_s: float


class RandomStep(msgspec.Struct, frozen=True):
    """One move of a random game and the snapshot after it; the deal has neither seat nor move."""

    snapshot: bytes
    seat: Seat | None = None
    move: bytes = b""


def random_game(module: AnyModule, players: int, secret: str) -> Iterator[RandomStep]:
    """Yield a random legal game move by move, until it ends or has MAX_MOVES moves.

    :raises BadTable: the module does not allow this number of players.
    :raises LookupError: the game has no outcome, but waits for no seat or has no legal move.
    """
    snapshot = start(module, module.seat_list(players), {}, Fate(secret, 0))
    yield RandomStep(snapshot)
    for number in range(1, MAX_MOVES + 1):
        state = module.load(snapshot)
        if module.outcome(state) is not None:
            return
        seat, move = _choose(module, state, Fate(f"choices of {secret}", number))
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        yield RandomStep(snapshot, seat, encode(move))


def play_games(module: AnyModule, players: int, games: int, seed: str, clock: Callable[[], float]) -> Tally:
    """Play ``games`` random games; ``clock`` returns seconds.

    :raises BadTable: the module does not allow this number of players.
    """
    finished = moves = 0
    began = clock()
    for game in range(games):
        *_, last = enumerate(random_game(module, players, f"{seed}/{game}"))
        moves += last[0]
        finished += module.outcome(module.load(last[1].snapshot)) is not None
    seconds = clock() - began
    return Tally(module.key, players, games, finished, moves, round(moves / seconds, 1) if seconds else 0.0)


def _choose(module: AnyModule, state: Any, choices: Fate) -> tuple[Seat, Any]:
    seats = sorted(module.waiting_for(state))
    if choices.roll("out of turn", OUT_OF_TURN) == 1:
        seats = [seat for seat in state.seats if module.legal_moves(state, seat)] or seats
    seat = _pick(choices, seats)
    legal = module.legal_moves(state, seat)
    playing = [move for move in legal if not concedes(move)]
    if 0 < len(playing) < len(legal) and choices.roll("gives up", GIVES_UP) != 1:
        legal = playing
    return seat, _pick(choices, legal)


def _pick(choices: Fate, items: list[Any]) -> Any:
    if not items:
        raise LookupError("nobody to wait for or nothing to do, and no outcome")
    return items[choices.roll("pick", len(items)) - 1]
