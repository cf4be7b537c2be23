"""Bots of any game, the chance of first games, and random games. Pure Python.

A bot gets only the view and the legal moves of its own seat. In a first game a newcomer plays five minutes
against scripted seats. A random game is played by legal moves alone, for tests and for the lab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.engine.step import encode, start, step
from sessions.game import AnyModule, Move, Seat, kind_of

#: The levels. RANDOM makes any legal move; STEADY is the game's plain bot, which a beginner does not always
#: beat; STRONG plays as well as the game's author can make it.
RANDOM, STEADY, STRONG = "random", "steady", "strong"
#: Plays the GM and the companions of a practice session, or the other seats of a first game.
SCRIPT = "script"
#: The seat of the newcomer. Scripts play all others.
NEWCOMER: Seat = "p1"
MAX_MOVES = 10_000
OUT_OF_TURN = 8  # about one move in 8 comes from any seat that has legal moves, waited for or not
GIVES_UP = 40  # about one choice in 40 includes conceding, where that is legal; more would shorten the games


def kinds(module: AnyModule) -> list[str]:
    """Return the kinds of bots that can play a module, the best first; none if the game has a GM."""
    return [] if module.gm else [kind for kind in trial_kinds(module) if kind != SCRIPT]


def trial_kinds(module: AnyModule) -> list[str]:
    """Return the kinds for games in which nothing is at stake: in a practice session or a rehearsal."""
    return [*_own_bots(module), RANDOM]


def default_kind(module: AnyModule) -> str:
    """Return the kind of bot to propose by default: the game's plain one, or random without one."""
    return STEADY if module.bots.plain else RANDOM


def choose_move(module: AnyModule, kind: str, state: Any, seat: Seat, fate: Fate) -> Any:
    """Return the move of a bot on ``seat``. It sees the seat's view and legal moves, and nothing else.

    :raises LookupError: the seat has no legal move.
    """
    legal = module.legal_moves(state, seat)
    if not legal:
        raise LookupError(f"{module.key}: {seat} has nothing to do")
    bot = _own_bots(module).get(kind)
    return bot(module.view(state, seat), legal, fate) if bot else choose_at_random(legal, fate)


def _own_bots(module: AnyModule) -> dict[str, Callable[[Any, Sequence[Any], Fate], Any]]:
    """Return the bots that the game brings itself, by kind, the best first."""
    bots = {STRONG: module.bots.strong, STEADY: module.bots.plain, SCRIPT: module.bots.script}
    return {kind: bot for kind, bot in bots.items() if bot}


def choose_at_random(legal: Sequence[Any], fate: Fate) -> Any:
    """Return a random legal move; it concedes only if there is no other move."""
    playing = [move for move in legal if not concedes(move)] or legal
    return playing[fate.roll("bot", len(playing)) - 1]


def concedes(move: Move) -> bool:
    """True if a move gives up the game; every game calls that move ``concede``."""
    return kind_of(move) == "concede"


def first_game_secret(module: AnyModule) -> str:
    """Return the secret that determines all chance of a module's first game."""
    assert module.first_game
    return sha256(f"first game of {module.key}: {module.first_game.deal}".encode()).hexdigest()


class Tally(msgspec.Struct, frozen=True):
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
