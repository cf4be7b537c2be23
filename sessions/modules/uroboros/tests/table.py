"""A table for tests, with every card where the test wants it."""

from __future__ import annotations

from typing import Any

from companion.cards import standard_deck
from sessions.engine.step import start
from sessions.game import Event, Fate
from sessions.game_tests.fixtures import Arranged
from sessions.modules.uroboros import module

CALL = {"npc": None, "label": "", "skill": False, "q": 0, "tool_missing": False, "chain": False}
ATTACK = {"npc": None, "weapon": None, "skill": None, "chain": False}


class FixedFate(Fate):
    """Shuffles the seating not at all and the deck into the orders given, one after the other."""

    def __init__(self, *decks: list[str]) -> None:
        super().__init__("tests", 0)
        self.decks = list(decks)

    def shuffle(self, name: str, items: Any) -> list[Any]:
        if name == "deck" and self.decks:
            order = self.decks.pop(0)
            return [*order, *(card for card in items if card not in order)]
        return list(items)


class Table(Arranged):
    module = module

    def __init__(
        self,
        hands: dict[str, str],
        *,
        field: str = "h07",
        deck: str = "",
        gm: str | None = None,
        characters: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """``hands`` by player in seating order; HP is the number of cards unless ``characters`` says else."""
        named = " ".join([*hands.values(), gm or "", field, deck]).split()
        spare = [card for card in standard_deck() if card not in named]
        gm_hand = gm.split() if gm else [spare.pop() for _ in range(len(hands) + 1)]
        sheets = {
            seat: {"hp_max": len(cards.split()), "ca": n} | (characters or {}).get(seat, {})
            for n, (seat, cards) in enumerate(hands.items())
        }
        order = [card for cards in hands.values() for card in cards.split()] + [
            *gm_hand,
            field,
            *deck.split(),
        ]
        self.fate = FixedFate(order)
        seats = ["gm", *sorted(hands)]
        self.snapshot = start(module, seats, {"characters": sheets} | options, self.fate)

    def next_shuffle(self, order: str) -> None:
        """Say how the deck comes out of its next shuffle."""
        self.fate = FixedFate(order.split())

    def call(self, seat: str, difficulty: int, **fields: Any) -> list[Event]:
        """The GM calls for a check."""
        return self.do("gm", "call", seat=seat, difficulty=difficulty, **(CALL | fields))

    def contest(self, active: str, passive: str, difficulty: int, **fields: Any) -> list[Event]:
        """The GM sets two figures against each other; ``fields`` are those of the active one."""
        sides = {"active": party(active, **fields), "passive": party(passive)}
        return self.do("gm", "contest", difficulty=difficulty, label="", **sides)

    def treat(self, healer: str, patient: str, difficulty: int = 1) -> list[Event]:
        """The GM asks a healer to treat a patient."""
        return self.do("gm", "treat", patient=patient, difficulty=difficulty, **party(healer))

    def attack(self, who: str, target: str, difficulty: int, **fields: Any) -> list[Event]:
        """A figure attacks in its turn."""
        fields = ATTACK | acting(who) | fields
        return self.do(fields.pop("seat"), "attack", target=target, difficulty=difficulty, **fields)

    def allow(self, seat: str, difficulty: int, **fields: Any) -> list[Event]:
        """The GM allows a seat's request to interrupt."""
        fields = {"skill": False, "q": 0} | fields
        return self.do("gm", "answer_interrupt", seat=seat, allow=True, difficulty=difficulty, **fields)

    def interrupt(self, seat: str, difficulty: int) -> None:
        """A player asks to interrupt, and the GM allows it."""
        self.do(seat, "interrupt", npc=None, text="wait!")
        self.allow(seat, difficulty)

    def add_npc(self, **fields: Any) -> str:
        """Bring an NPC to the table; return its id."""
        self.do("gm", "add_npc", **({"name": "wolf", "rank": 1} | fields))
        return self.state.npcs[-1].id

    def result(self) -> Any:
        """The last result as everybody sees it."""
        return self.view()["results"][-1]

    def debts(self, seat: str) -> tuple[int, bool]:
        """The cards that a seat may keep above its limit, and whether it may not refill."""
        view = self.view()
        if seat == "gm":
            return view["gm_extra"], view["gm_owes"]
        return view["characters"][seat]["extra"], view["characters"][seat]["owes"]

    def refusal(self, seat: str, type_: str, /, **fields: Any) -> str:
        defaults: dict[str, dict[str, Any]] = {"call": CALL, "attack": ATTACK}
        return super().refusal(seat, type_, **defaults.get(type_, {}) | fields)

    def hand(self, seat: str) -> list[str]:
        return self.state.hands[seat].cards

    def asked(self, seat: str) -> Any:
        return module.asked(self.state, seat)


def acting(who: str) -> dict[str, Any]:
    """Seat and NPC of a figure."""
    return {"seat": "gm", "npc": who} if who.startswith("n") else {"seat": who, "npc": None}


def party(who: str, *, skill: bool = False, q: int = 0) -> dict[str, Any]:
    """One side of a contest."""
    return {**acting(who), "skill": skill, "q": q}


def kinds(events: list[Event]) -> list[str]:
    """The kinds of the events, in order."""
    return [event.kind for event in events]


def data(events: list[Event], kind: str) -> dict[str, Any]:
    """The data of the one event of this kind."""
    (event,) = (event for event in events if event.kind == kind)
    return event.data
