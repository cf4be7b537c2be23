"""A journey for tests, with everything where the test wants it."""

from __future__ import annotations

from typing import Any

import msgspec

from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Event, Fate, IllegalMove
from sessions.modules.journey import module
from sessions.modules.journey.state import CARDS, State
from sessions.modules.journey.view import View


class FixedFate(Fate):
    """Lays the locations out in the order of the box, and the deck from the cards given on."""

    def __init__(self, deck: str = "") -> None:
        super().__init__("tests", 0)
        self.deck = deck.split()

    def shuffle(self, name: str, items: Any) -> list[Any]:
        first = self.deck if name == "events" else []
        return [*first, *(item for item in items if item not in first)]


class Journey:
    """Plays one journey through ``step``, as everybody does.

    The days are coast, beach, town, city, station, mine and the tree.
    """

    def __init__(self, deck: str = "", items: str = "", **options: Any) -> None:
        """Packed and laid out: the first cards of ``deck`` are the hand of the first turn."""
        self.fate = FixedFate(deck)
        self.snapshot = start(module, ["p1"], options, self.fate)
        self.do("pack", items=items.split())

    @property
    def state(self) -> State:
        return module.load(self.snapshot)

    @property
    def view(self) -> View:
        view = module.view(self.state, "p1")
        assert isinstance(view, View)
        return view

    def put(self, days: dict[int, str] | None = None, pawns: str = "", **fields: Any) -> Journey:
        """Put the journey where play would need long to bring it; the deck is what lies nowhere else.

        ``days`` holds events, nearest first; ``pawns`` the days of white, a and b.
        """
        state = self.state
        for day, cards in (days or {}).items():
            state.days[day - 1] = cards.split()
        if pawns:
            state.pawns = dict(zip(("white", "a", "b"), map(int, pawns.split()), strict=True))
        for name, value in fields.items():
            setattr(state, name, value.split() if name in ("hand", "discards", "deck") else value)
        if "deck" not in fields:
            out = {*state.hand, *state.discards, *(card for cards in state.days for card in cards)}
            state.deck = [card for card in CARDS if card not in out]
        self.snapshot = encode(state)
        return self

    def do(self, type_: str, /, **fields: Any) -> list[Event]:
        """Make a move that is accepted."""
        move = decode_move(module, msgspec.json.encode({"type": type_, **fields}))
        self.snapshot, events = step(module, self.snapshot, "p1", move, self.fate)
        return events

    def refused(self, type_: str, /, **fields: Any) -> str:
        """Make a move that is refused; return the code."""
        before = self.snapshot
        try:
            self.do(type_, **fields)
        except IllegalMove as refusal:
            assert self.snapshot == before
            return refusal.code
        raise AssertionError("accepted")

    def legal(self, type_: str) -> list[dict[str, Any]]:
        """Return the legal moves of one type, without the type."""
        moves = [msgspec.to_builtins(move) for move in module.legal_moves(self.state, "p1")]
        return [
            {name: value for name, value in move.items() if name != "type"}
            for move in moves
            if move["type"] == type_
        ]
