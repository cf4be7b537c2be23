"""A game for tests, with every card where the test wants it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion.fate import Fate, ScriptedFate
from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Event
from sessions.game_tests.fixtures import Arranged
from sessions.modules.goodcop import module
from sessions.modules.goodcop.moves import Card

FACES = {"H": "honest", "C": "crooked", "A": "agent", "K": "kingpin", "Z": "infector"}
Rolls = dict[str, list[int]]

FOUR = "A H H | K C C | H H C | C C H"
UNDEAD = "A H H | K C C | Z H C | C C H"


class Game(Arranged):
    """One game. Turns go p1, p2 … unless a test says else."""

    module = module

    def __init__(self, cards: str = FOUR, hands: dict[str, str] | None = None, **options: Any) -> None:
        """``Game("A H H | K C C+ | …", {"p2": "coffee"})``.

        ``+`` lies face up, ``!`` is wounded, ``*`` bears an infection token.
        """
        rows = [row.split() for row in cards.split("|")]
        seats = [f"p{number}" for number in range(1, len(rows) + 1)]
        state = module.load(start(module, seats, {"start": "p1", **options}, Fate("tests", 0)))
        state.order, state.turn = list(seats), "p1"
        held = hands or {}
        deck = [card for player in state.players.values() for card in player.hand] + state.deck
        for seat, row in zip(seats, rows, strict=True):
            player = state.players[seat]
            player.cards = [_card(seat, short) for short in row]
            player.hand = held.get(seat, "").split()  # type: ignore[assignment]
            for card in player.hand:
                deck.remove(card)
        state.deck = deck
        self.snapshot, self.number = encode(state), 1

    def set(self, seat: str, **fields: Any) -> None:
        """Set fields of a player: ``armed="gun", aim="p2"``."""
        state = self.state
        for name, value in fields.items():
            setattr(state.players[seat], name, value)
        self.snapshot = encode(state)

    def arm(self, seat: str, aim: str) -> None:
        """Give a gun, or arms to a zombie."""
        self.set(seat, armed="arms" if self.state.players[seat].zombie else "gun", aim=aim)

    def undead(self, *seats: str) -> None:
        """Make zombies, cards as they lie."""
        for seat in seats:
            self.set(seat, zombie=True)

    def do(self, seat: str, type_: str, /, rolls: Rolls | None = None, **fields: Any) -> list[Event]:
        """Make a move that is accepted; fields that are words of Python end with ``_``."""
        raw = {name.rstrip("_"): value for name, value in fields.items()}
        move = decode_move(module, msgspec.json.encode({"type": type_, **raw}))
        fate = ScriptedFate("tests", self.number, {}, rolls or {}, Counter())
        self.snapshot, events = step(module, self.snapshot, seat, move, fate)
        self.number += 1
        return events

    def play(self, seat: str, card: str, /, rolls: Rolls | None = None, **fields: Any) -> list[Event]:
        """Play equipment."""
        return self.do(seat, "play", rolls, card=card, **fields)

    def refused(self, seat: str, card: str, /, **fields: Any) -> str:
        """Play equipment that is refused; return the code."""
        return self.refusal(seat, "play", card=card, **fields)

    def all_pass(self, rolls: Rolls | None = None) -> list[Event]:
        """Everybody who is asked in this window passes; return the events of the last."""
        events: list[Event] = []
        for seat in self.waiting:
            events = self.do(seat, "pass", rolls)
        return events

    def player(self, seat: str, looker: str | None = None) -> Any:
        return self.view(looker)["players"][seat]

    def of(self, seat: str, *names: str) -> list[Any]:
        """Fields of a player as everybody sees them: ``of("p1", "armed", "aim")``."""
        player = self.player(seat)
        return [player[name] for name in names]

    def legal(self, seat: str, card: str | None = None) -> list[Any]:
        """The legal moves as JSON; with a card, those that play it."""
        return [move for move in super().legal(seat) if card is None or move.get("card") == card]

    def types(self, seat: str) -> list[str]:
        return sorted({move["type"] for move in self.legal(seat)})

    def up(self, seat: str) -> list[bool]:
        return [card["up"] for card in self.player(seat)["cards"]]

    def tokens(self, seat: str) -> list[bool]:
        return [card["infected"] for card in self.player(seat)["cards"]]

    def team(self, seat: str) -> str:
        return str(self.view(seat)["me"]["team"])

    @property
    def phase(self) -> str:
        return str(self.view()["phase"])

    @property
    def turn(self) -> str:
        return str(self.view()["turn"])

    @property
    def waiting(self) -> list[str]:
        return sorted(module.waiting_for(self.state))

    @property
    def bottom(self) -> str:
        """The card at the bottom of the deck."""
        return str(self.state.deck[-1])

    def outcome(self) -> Any:
        return msgspec.json.decode(encode(module.outcome(self.state)))


def _card(seat: str, short: str) -> Card:
    marks = short[1:]
    return Card(FACES[short[0]], [seat], "+" in marks or "!" in marks, "!" in marks, "*" in marks)  # type: ignore[arg-type]


def at(seat: str, position: int) -> dict[str, Any]:
    """A place as JSON."""
    return {"seat": seat, "position": position}


def kinds(events: list[Event]) -> list[str]:
    """The kinds of the events, in order."""
    return [event.kind for event in events]
