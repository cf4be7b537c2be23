"""A game for tests, with every card where the test wants it."""

from __future__ import annotations

from typing import Any

import msgspec

from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Event, Fate, IllegalMove
from sessions.modules.liarmafia import module
from sessions.modules.liarmafia.state import State

FACINGS = {"^": "up", "v": "down"}
CARDS = {"b": "boss", "p": "police", "h": "hitman"}


def laid(short: str) -> dict[str, str]:
    """A card in two letters: ``b^`` is BOSS upright, ``hv`` HITMAN reversed."""
    return {"card": CARDS[short[0]], "facing": FACINGS[short[1]]}


def slots(short: str) -> list[dict[str, str]]:
    """Two cards: ``b^ hv``."""
    return [laid(one) for one in short.split()]


class Game:
    """Plays one game through ``step``, as everybody does. p1 begins unless options say else."""

    def __init__(
        self, p1: str = "", p2: str = "", *, chips: dict[str, list[int]] | None = None, **options: Any
    ) -> None:
        """``Game("b^ pv", "h^ pv", chips={"p1": [1, 2]})``: both have placed, if cards are given."""
        self.snapshot = start(module, ["p1", "p2"], {"first": "p1", **options}, Fate("tests", 0))
        if p1:
            self.do("p1", "place", slots=slots(p1))
            self.do("p2", "place", slots=slots(p2))
        for seat, owned in (chips or {}).items():
            self.give(seat, owned)

    @property
    def state(self) -> State:
        return module.load(self.snapshot)

    def give(self, seat: str, chips: list[int]) -> None:
        """Let a seat have these chips, and the stock the rest of the four."""
        state = self.state
        state.players[seat].chips = chips
        state.stock = 4 - sum(len(player.chips) for player in state.players.values())
        self.snapshot = encode(state)

    def do(self, seat: str, type_: str, /, **fields: Any) -> list[Event]:
        """Make a move that is accepted."""
        move = decode_move(module, msgspec.json.encode({"type": type_, **fields}))
        self.snapshot, events = step(module, self.snapshot, seat, move, Fate("tests", 1))
        return events

    def play(self, *moves: str) -> list[Event]:
        """Make moves in short: ``p1 declare action=murder``, ``p2 pass``; return the events of the last."""
        events: list[Event] = []
        for short in moves:
            seat, type_, *fields = short.split()
            pairs = (field.split("=") for field in fields)
            events = self.do(
                seat, type_, **{name: int(value) if value.isdigit() else value for name, value in pairs}
            )
        return events

    def refusal(self, seat: str, type_: str, /, **fields: Any) -> str:
        """Make a move that is refused; return the code."""
        before = self.snapshot
        try:
            self.do(seat, type_, **fields)
        except IllegalMove as refusal:
            assert self.snapshot == before
            return refusal.code
        raise AssertionError("the move was accepted")

    def view(self, seat: str | None = None) -> Any:
        """The view as the JSON others read."""
        return msgspec.json.decode(encode(module.view(self.state, seat)))

    def legal(self, seat: str) -> list[Any]:
        return [msgspec.to_builtins(move) for move in module.legal_moves(self.state, seat)]

    def types(self, seat: str) -> list[str]:
        """The types of the legal moves, without ``concede``."""
        return sorted({move["type"] for move in self.legal(seat)} - {"concede"})

    @property
    def phase(self) -> str:
        return str(self.view()["phase"])

    @property
    def waiting(self) -> list[str]:
        return list(self.view()["waiting_for"])

    def chips(self, seat: str) -> list[int]:
        return list(self.view()["players"][seat]["chips"])

    def outcome(self) -> Any:
        return msgspec.json.decode(encode(module.outcome(self.state)))


def kinds(events: list[Event]) -> list[str]:
    """The kinds of the events, in order."""
    return [event.kind for event in events]
