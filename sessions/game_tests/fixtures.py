"""Helpers for the tests of any game, without a database.

These are seeds of random games, a table that a test arranges, two states that some seats cannot tell apart,
and first games that scripts play against any newcomer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.bots import NEWCOMER, first_game_secret
from sessions.engine.step import decode_move, encode, start, step
from sessions.game import AnyModule, Event, FirstGame, IllegalMove, Seat

#: More moves than a first game of five minutes has.
MOST = 200
#: The newcomer: what they see, the step they are told, and their legal moves become a move.
Newcomer = Callable[[Any, str, Sequence[Any]], Any]


def seeds(plain: int, of: int) -> list[Any]:
    """Return the seeds below ``of``, all but the first ``plain`` for the long run only."""
    return [*range(plain), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(plain, of))]


class Arranged:
    """Plays one table of ``module`` through ``step``, as everybody does."""

    module: AnyModule
    fate: Fate
    snapshot: bytes

    @property
    def state(self) -> Any:
        return self.module.load(self.snapshot)

    def change(self, **fields: Any) -> None:
        """Put the state where play would need long to bring it: ``deck=[…]``."""
        state = self.state
        for name, value in fields.items():
            setattr(state, name, value)
        self.snapshot = encode(state)

    def do(self, seat: str, type_: str, /, **fields: Any) -> list[Event]:
        """Make a move that is accepted."""
        move = decode_move(self.module, encode({"type": type_, **fields}))
        self.snapshot, events = step(self.module, self.snapshot, seat, move, self.fate)
        return events

    def refusal(self, seat: str, type_: str, /, **fields: Any) -> str:
        """Make a move that is refused; return the code."""
        before = self.snapshot
        with pytest.raises(IllegalMove) as refused:
            self.do(seat, type_, **fields)
        assert self.snapshot == before
        return refused.value.code

    def view(self, seat: str | None = None) -> Any:
        """The view as the JSON others read."""
        return msgspec.json.decode(encode(self.module.view(self.state, seat)))

    def legal(self, seat: str) -> list[Any]:
        """The legal moves as JSON."""
        return [msgspec.to_builtins(move) for move in self.module.legal_moves(self.state, seat)]


def twin(module: AnyModule, snapshot: bytes, seats: Set[Seat], fate: Fate) -> bytes:
    """Return another state that these seats together cannot tell from this one."""
    state: Any = module.load(snapshot)
    module.resample(state, seats, fate)
    return encode(state)


def assert_alike(module: AnyModule, snapshot: bytes, other: bytes, seats: Set[Seat]) -> None:
    """These seats see, are asked and may do the same in both. Without a seat, a spectator sees the same."""
    one, two = module.load(snapshot), module.load(other)
    for looker in seats or (None,):
        assert encode(module.view(two, looker)) == encode(module.view(one, looker))
    for seat in seats:
        assert module.asked(two, seat) == module.asked(one, seat)
        assert module.legal_moves(two, seat) == module.legal_moves(one, seat)


def verdict(module: AnyModule, snapshot: bytes, seat: Seat, raw: bytes) -> str:
    """Return the answer to a phone: the reason of a refusal, "" for none."""
    try:
        step(module, snapshot, seat, decode_move(module, raw), Fate("any", 99))
    except IllegalMove as refusal:
        return f"{refusal.code} {refusal.details}"
    return ""


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
            move = bots.choose_move(module, bots.SCRIPT, state, seat, Fate(f"bots of {secret}", number))
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
