"""The moves of a table, known before the table is played: the secret decides every shuffle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.step import step
from sessions.game import AnyModule, kind_of

#: A TRPG goes on for ever; of any game so many moves at most.
LONGEST_GAME = 150
#: Moves of a GM that happen once an evening, and that would end every random one early or crowd it.
RARE = {"end", "add_player"}

Scripted = tuple[str, dict[str, Any]]  # the seat and its move


def usual(players: int) -> Iterator[Scripted]:
    """Yield what a TRPG evening does again and again: words, a check, hit points. Legal at a fresh table."""
    for number in cycle(range(1, players + 1)):
        seat = f"p{number}"
        yield seat, {"type": "declare", "text": f"{seat} listens at the door and tries the handle"}
        yield "gm", check(seat)
        yield seat, {"type": "give_up"}
        yield "gm", {"type": "set_hp", "who": seat, "hp": 2}
        yield "gm", {"type": "set_hp", "who": seat, "hp": 3}


def check(seat: str) -> dict[str, Any]:
    """The GM's call for a check."""
    asked: dict[str, Any] = {"type": "call", "seat": seat, "npc": None, "difficulty": 3, "label": "a lock"}
    return asked | {"skill": False, "q": 0, "tool_missing": False, "chain": False}


def game(module: AnyModule, snapshot: bytes, secret: str, bot: str) -> Iterator[Scripted]:
    """Yield a game to its end, played by bots of a kind."""
    for number in range(1, LONGEST_GAME + 1):
        state = module.load(snapshot)
        if module.outcome(state) is not None:
            return
        choices = Fate(f"choices of {secret}", number)
        seats = sorted(module.waiting_for(state))
        seat = seats[choices.roll("seat", len(seats)) - 1]
        if module.gm:
            legal = module.legal_moves(state, seat)
            move = bots.choose_at_random([move for move in legal if kind_of(move) not in RARE], choices)
        else:
            move = bots.choose_move(module, bot, state, seat, choices)
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        yield seat, msgspec.to_builtins(move)
