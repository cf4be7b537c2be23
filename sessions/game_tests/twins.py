"""Two states that some seats cannot tell apart, and what a phone learns of either."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from companion.fate import Fate
from sessions.engine.step import decode_move, encode, step
from sessions.game import AnyModule, IllegalMove, Seat


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
