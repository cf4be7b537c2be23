"""A table for a game's own tests, with everything where the test wants it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.fate import Fate
from sessions.engine.step import decode_move, encode, step
from sessions.game import AnyModule, Event, IllegalMove


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
