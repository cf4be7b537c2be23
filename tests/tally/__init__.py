"""A board game as small as one can be, for tests of what every board game relies on.

Each player holds some numbers and lays one at a time; the highest sum wins. It stands on the shelf only in
tests that ask for the fixture ``tally``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.fate import Fate
from sessions.game import Bots, Event, IllegalMove, Module, Move, Outcome, Seat

NUMBERS = range(1, 41)


class Lay(Move, frozen=True, tag="lay"):
    number: int


class Concede(Move, frozen=True, tag="concede"):
    """Give the game up: the others are counted as they stand."""


AnyMove = Lay | Concede


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=1, le=5)] = 2
    open: bool = False
    order: Literal["ring", "random"] = "ring"
    extra: dict[str, int] = {}


class State(Struct):
    seats: list[Seat]
    hands: dict[Seat, list[int]]
    laid: dict[Seat, list[int]]
    turn: int = 0
    out: list[Seat] = []


class View(Struct, frozen=True):
    turn: Seat
    laid: dict[Seat, list[int]]
    counts: dict[Seat, int]
    hand: list[int] | None


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    deck = fate.shuffle("deck", list(NUMBERS))
    hands = {seat: [deck.pop() for _ in range(options.rounds)] for seat in seats}
    return State(seats=seats, hands=hands, laid={seat: [] for seat in seats})


def waiting_for(state: State) -> set[Seat]:
    return set() if outcome(state) else {state.seats[state.turn]}


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    if seat not in waiting_for(state):
        return []
    return [*(Lay(number) for number in state.hands[seat]), Concede()]


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    if seat not in waiting_for(state):
        raise IllegalMove("not_your_turn")
    if isinstance(move, Concede):
        state.out.append(seat)
        return [Event("conceded", {"seat": seat})]
    if move.number not in state.hands[seat]:
        raise IllegalMove("not_yours")
    state.hands[seat].remove(move.number)
    state.laid[seat].append(move.number)
    state.turn = (state.turn + 1) % len(state.seats)
    return [Event("laid", {"seat": seat, "number": move.number})]


def view(state: State, seat: Seat | None) -> View:
    counts = {other: len(hand) for other, hand in state.hands.items()}
    return View(state.seats[state.turn], state.laid, counts, state.hands[seat] if seat else None)


def asked(state: State, seat: Seat) -> object:
    return state.laid if seat in waiting_for(state) else None


def outcome(state: State) -> Outcome | None:
    if any(state.hands.values()) and not state.out:
        return None
    sums = {seat: sum(laid) for seat, laid in state.laid.items() if seat not in state.out}
    return Outcome(tuple(seat for seat in sums if sums[seat] == max(sums.values())), "counted")


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    seen = {number for seat in seats for number in state.hands[seat]}
    seen |= {number for laid in state.laid.values() for number in laid}
    unseen = fate.shuffle("unseen", [number for number in NUMBERS if number not in seen])
    for seat, hand in state.hands.items():
        if seat not in seats:
            hand[:] = [unseen.pop() for _ in hand]


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """The highest number."""
    return max((move for move in legal if isinstance(move, Lay)), key=lambda move: move.number)


module = Module[State, AnyMove](
    contract=2,
    key="tally",
    seats=range(2, 5),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=waiting_for,
    legal_moves=legal_moves,
    apply=apply,
    outcome=outcome,
    view=view,
    asked=asked,
    resample=resample,
    bots=Bots(plain=bot),
)
