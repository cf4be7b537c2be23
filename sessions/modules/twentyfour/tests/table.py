"""A table for tests, with every card and every die where the test wants it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Event, Fate, IllegalMove
from sessions.game_tests.fixtures import Arranged
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.state import ACTIONS, JUDGING, State

#: The ten events of a season, column by column, where a test names none.
EVENTS = "red-3a blue-2 red-2 blue-3a green-3a yellow-2 green-2 yellow-3a purple-2 white-2"


class FixedFate(Fate):
    """Puts the named items of a shuffle first and leaves the rest as it was; rolls what it is told."""

    def __init__(self, orders: dict[str, list[str]], rolls: dict[str, list[int]]) -> None:
        super().__init__("tests", 0)
        self.orders, self.rolls = orders, rolls

    def shuffle(self, name: str, items: Sequence[Any]) -> list[Any]:
        rest = list(items)
        first = [card for card in self.orders.get(name, []) if card in rest]
        for card in first:
            rest.remove(card)
        return [*first, *rest]

    def roll(self, name: str, sides: int) -> int:
        return self.rolls[name].pop(0)


class Table(Arranged):
    module = module

    def __init__(
        self,
        detectives: str = "scotch wolf hibachi lloyd",
        *,
        events: str = EVENTS,
        npc: str = "",
        season: int = 1,
        **options: Any,
    ) -> None:
        """``detectives`` by seat, ``npc`` its cards in their order, ``events`` from the top of the pile."""
        names = detectives.split()
        orders = {"events": events.split(), "npc_actions": npc.split(), "detectives": names}
        self.fate = FixedFate(orders, {"green": [], "red": []})
        self.seats = [f"p{n}" for n in range(1, len(names) + 1)]
        if len(names) == 3:
            self.fate.orders["npc_detective"] = []
        options = {"detectives": "random"} | options
        self.snapshot = start(module, self.seats, options, self.fate)
        self.events: list[Event] = []
        with self as state:
            state.season = season

    def __enter__(self) -> State:
        """Change the state by hand: ``with table as state: …``"""
        self._edited = module.load(self.snapshot)
        return self._edited

    def __exit__(self, *_: object) -> None:
        self.snapshot = encode(self._edited)

    def player(self, who: str) -> Any:
        return self.view()["players"][who]

    def legal(self, seat: str) -> Any:
        return msgspec.json.decode(encode(module.legal_moves(self.state, seat)))

    @property
    def waiting(self) -> set[str]:
        return module.waiting_for(self.state)

    @property
    def outcome(self) -> Any:
        found = module.outcome(self.state)
        return msgspec.json.decode(encode(found))

    def move(self, seat: str, kind: str, **fields: Any) -> list[Event]:
        move = decode_move(module, encode({"type": kind, **fields}))
        self.snapshot, self.events = step(module, self.snapshot, seat, move, self.fate)
        return self.events

    def refusal(self, seat: str, kind: str, **fields: Any) -> str:
        """The code of the refusal; nothing has changed."""
        before = self.snapshot
        try:
            self.move(seat, kind, **fields)
        except IllegalMove as refused:
            assert self.snapshot == before
            return refused.code
        return "accepted"

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in self.events if event.kind == kind]

    def rolls(self, green: str = "", red: str = "") -> None:
        for name, faces in (("green", green), ("red", red)):
            self.fate.rolls[name] += [int(face) for face in faces.split()]

    def place(self, **cards: str) -> None:
        """Each seat lays five cards, ``p1="0 1 2 3 4"``; others who have not yet take what comes first."""
        kind = self.state.phase
        for seat in sorted(self.waiting):
            chosen = cards[seat].split() if seat in cards else self.view(seat)["me"]["available"][:5]
            self.move(seat, "place", cards=chosen)
        assert self.state.phase != kind

    def at(self, number: int, **pairs: str) -> None:
        """Place both cards of each seat at one incident, ``p1="5 hero"``, fill up, and go on to it."""
        rows = {seat: _filled(number, pairs.get(seat, "0 1").split()) for seat in sorted(self.waiting)}
        self.place(**{seat: " ".join(first) for seat, (first, _) in rows.items()})
        self.place(**{seat: " ".join(second) for seat, (_, second) in rows.items()})
        self.reach(number)

    def reach(self, number: int) -> None:
        """Decline, and take and set what comes, until this incident is judged."""
        while self.state.phase in JUDGING and self.view()["incident"] < number:
            self.go_on()

    def go_on(self) -> None:
        """Let one who is waited for do the quiet thing."""
        seat = min(self.waiting)
        quiet = {"challenge": {"type": "decline"}, "style": {"type": "set_style", "stand": []}}
        move = dict(quiet.get(self.state.phase) or self.legal(seat)[0])
        self.move(seat, move.pop("type"), **move)

    def finish_season(self) -> None:
        """Go on quietly until the next placement or the end."""
        season = self.state.season
        while self.state.season == season and self.state.phase != "over":
            self.go_on()

    def finish(self) -> None:
        while self.state.phase != "over":
            self.go_on()


def _filled(number: int, pair: list[str]) -> tuple[list[str], list[str]]:
    left = list((Counter(ACTIONS) - Counter(pair)).elements())
    first, second = left[:4], left[4:]
    first.insert(number - 1, pair[0])
    second.insert(number - 1, pair[1])
    return first, second
