"""Bots of any game. A bot gets only the view and the legal moves of its own seat. Pure Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.fate import Fate
from sessions.game import AnyModule, Move, Seat, kind_of

#: The levels. RANDOM makes any legal move; STEADY is the game's plain bot, which a beginner does not always
#: beat; STRONG plays as well as the game's author can make it.
RANDOM, STEADY, STRONG = "random", "steady", "strong"
#: Plays the GM and the companions of a practice session, or the other seats of a first game.
SCRIPT = "script"


def kinds(module: AnyModule) -> list[str]:
    """Return the kinds of bots that can play a module, the best first; none if the game has a GM."""
    return [] if module.gm else [kind for kind in of_trials(module) if kind != SCRIPT]


def of_trials(module: AnyModule) -> list[str]:
    """Return the kinds for games in which nothing is at stake: in a practice session or a rehearsal."""
    return [*_own_bots(module), RANDOM]


def usual(module: AnyModule) -> str:
    """Return the kind of bot to propose by default: the game's plain one, or random without one."""
    return STEADY if module.bots.plain else RANDOM


def choose(module: AnyModule, kind: str, state: Any, seat: Seat, fate: Fate) -> Any:
    """Return the move of a bot on ``seat``. It sees the seat's view and legal moves, and nothing else.

    :raises LookupError: the seat has no legal move.
    """
    legal = module.legal_moves(state, seat)
    if not legal:
        raise LookupError(f"{module.key}: {seat} has nothing to do")
    bot = _own_bots(module).get(kind)
    return bot(module.view(state, seat), legal, fate) if bot else at_random(legal, fate)


def _own_bots(module: AnyModule) -> dict[str, Callable[[Any, Sequence[Any], Fate], Any]]:
    """Return the bots that the game brings itself, by kind, the best first."""
    bots = {STRONG: module.bots.strong, STEADY: module.bots.plain, SCRIPT: module.bots.script}
    return {kind: bot for kind, bot in bots.items() if bot}


def at_random(legal: Sequence[Any], fate: Fate) -> Any:
    """Return a random legal move; it concedes only if there is no other move."""
    playing = [move for move in legal if not concedes(move)] or legal
    return playing[fate.roll("bot", len(playing)) - 1]


def concedes(move: Move) -> bool:
    """True if a move gives up the game; every game calls that move ``concede``."""
    return kind_of(move) == "concede"
