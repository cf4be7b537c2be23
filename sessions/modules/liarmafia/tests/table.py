"""A game for tests, with every card where the test wants it."""

from __future__ import annotations

from typing import Any

import msgspec

from sessions.engine.step import encode, start
from sessions.game import Event, Fate
from sessions.game_tests.fixtures import Arranged
from sessions.modules.liarmafia import module

FACINGS = {"^": "up", "v": "down"}
CARDS = {"b": "boss", "p": "police", "h": "hitman"}


def laid(short: str) -> dict[str, str]:
    """A card in two letters: ``b^`` is BOSS upright, ``hv`` HITMAN reversed."""
    return {"card": CARDS[short[0]], "facing": FACINGS[short[1]]}


def slots(short: str) -> list[dict[str, str]]:
    """Two cards: ``b^ hv``."""
    return [laid(one) for one in short.split()]


class Game(Arranged):
    """One game. p1 begins unless options say else."""

    module = module

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
    def fate(self) -> Fate:
        return Fate("tests", 1)

    def give(self, seat: str, chips: list[int]) -> None:
        """Let a seat have these chips, and the stock the rest of the four."""
        state = self.state
        state.players[seat].chips = chips
        state.stock = 4 - sum(len(player.chips) for player in state.players.values())
        self.snapshot = encode(state)

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
