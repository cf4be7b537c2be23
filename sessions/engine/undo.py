"""Taking back: a seat's own last move where that is safe, and the GM's word for everything else.

Both are moves of every table, on top of the module's own. They restore an earlier state under a new number:
the log only grows, and no move finds a fate again that another one has used.

An undo is safe when it gives nobody anything. It is never declared move by move; it is found out by what the
seats can see:

1. The move is the newest that stands, and the seat's own: nobody else has to do anything again.
2. It drew nothing from Fate: otherwise it could be repeated until the dice are kind.
3. It told its seat nothing hidden. If it did, then some state that the seat could not tell from the true one
   before the move looks different after it, so we play the move in such states (twins) and compare what the
   seat sees and hears.
4. It told nobody else anything either that neither they nor the mover knew. That a mover shows a card is
   fine; that the GM has a seat draw one is not. So the same is asked of every other seat, with twins that
   neither of the two could tell apart. It is asked in the mover's twins as well, so that the answer itself
   does not tell the mover what the other seat holds. What is said to somebody else in private counts as told,
   whatever it is, and cheap enough to be looked for in all of the mover's twins.
5. It opened nothing that had been sealed for a few: taken back it would be sealed again, and is known.
6. The game has not ended by it.

While a veil lies over what a move drew (``veil`` of the module), seats see the veiled state and hear nothing
that was said in private: 3 and 4 ask what they see and hear then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.fate import Fate, Lots
from sessions.game import AnyModule, Event, IllegalMove, Move, Seat

from .history import History
from .step import encode, read_move

GM: Seat = "gm"
KINDS = ("undone", "rewound")  # of the events that tell of it
TWINS = 16  # so many states the mover cannot tell apart
OTHERS = 4  # in so many of them every other seat is asked, too


class Undo(Move, frozen=True, tag="undo"):
    """Take one's own last move back. ``{"type": "undo"}``"""


class Rewind(Move, frozen=True, tag="rewind"):
    """The GM takes back every move after number ``to``; 0 is the table as dealt.

    ``{"type": "rewind", "to": 12, "reason": "wrong target"}``
    """

    to: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    reason: Annotated[str, Meta(max_length=80, pattern=r"\A[^\x00]*\Z")] = ""


def decode(module: AnyModule, raw: bytes) -> Any:
    """Turn wire bytes into a move of the module, an Undo or a Rewind.

    :raises IllegalMove: ``malformed_move``.
    """
    return read_move(_decoder(module), raw)


@cache
def _decoder(module: AnyModule) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(module.move | Undo | Rewind)


@dataclass(frozen=True)
class TakenBack:
    """An undo or a rewind: the version that comes back, the moves that go, the line for the log."""

    to: int
    numbers: list[int]
    event: Event


def undo(history: History, seat: Seat, *, allowed: bool) -> TakenBack:
    """Take back the newest move that stands.

    :raises IllegalMove: ``cannot_undo``, whatever the reason: the reason could tell what is hidden.
    """
    if not allowed:
        raise IllegalMove("cannot_undo")
    event = Event("undone", {"seat": seat, "number": history.newest})
    return TakenBack(history.before, [history.newest], event)


def rewind(history: History, seat: Seat, move: Rewind) -> TakenBack:
    """Take back every move after ``move.to``.

    :raises IllegalMove: ``gm_only``; ``cannot_rewind`` to a move that does not stand, or to the present.
    """
    if seat != GM:
        raise IllegalMove("gm_only")
    numbers = history.after(move.to)
    if not numbers:
        raise IllegalMove("cannot_rewind")
    event = Event("rewound", {"to": move.to, "count": len(numbers), "reason": move.reason.strip()})
    return TakenBack(move.to, numbers, event)


def veil(module: AnyModule, before: Any, after: Any) -> Any | None:
    """Return the state after a move with what it drew face down; None if nothing is to be veiled."""
    return (
        module.secrets.veil(before, after) if module.secrets.veil and module.outcome(after) is None else None
    )


def is_safe(
    module: AnyModule, before: bytes, seat: Seat, move: Any, fate: Fate, seed: str, *, veiled: bool = False
) -> bool:
    """True if ``seat`` may take back the ``move`` it made on the snapshot ``before``.

    :param fate: the randomness that the move had, unused.
    :param seed: a secret from which the twins are made; the same one gives the same answer.
    :param veiled: True if the veil has lain over what the move drew ever since.
    """
    trial = _Trial(module, seat, move, veiled)
    truth = trial.play(module.load(before), fate)
    if truth is None or module.outcome(truth.state) is not None:
        return False
    if set(module.secrets.opened(truth.state)) - set(module.secrets.opened(module.load(before))):
        return False
    others = [other for other in truth.state.seats if other != seat]
    if truth.told_in_private(others) or not trial.told_nobody(before, truth, others, f"{seed}/truth"):
        return False
    seen = [truth.seen(looker) for looker in (seat, None)]
    for number in range(TWINS):
        twin = trial.twin(before, {seat}, Lots(seed, number))
        snapshot = encode(twin) if others and number < OTHERS else b""
        after = trial.play(twin)
        if after is None or [after.seen(looker) for looker in (seat, None)] != seen:
            return False
        if after.told_in_private(others):
            return False
        if snapshot and not trial.told_nobody(snapshot, after, others, f"{seed}/{number}"):
            return False
    return True


@dataclass(frozen=True)
class _After:
    """A state after the move as it may be seen, and what happened as far as it may be heard."""

    module: AnyModule
    state: Any
    events: list[Event]

    def seen(self, looker: Seat | None) -> bytes:
        """Return all that a seat, or a spectator, sees and hears."""
        heard = [event for event in self.events if event.to is None or looker in event.to]
        return encode([self.module.view(self.state, looker), heard])

    def told_in_private(self, others: list[Seat]) -> bool:
        """True if something was said to some of the others and not to everybody."""
        return any(not set(event.to or ()).isdisjoint(others) for event in self.events)


@dataclass(frozen=True)
class _Trial:
    """One seat's move, to be played in any state."""

    module: AnyModule
    seat: Seat
    move: Any
    veiled: bool

    def play(self, state: Any, fate: Fate | None = None) -> _After | None:
        """Play the move; None when it is refused, or when chance has a part in it."""
        fate = fate or Fate("", 0)
        before = self.module.load(encode(state)) if self.veiled else None
        try:
            events = self.module.apply(state, self.seat, self.move, fate)
        except IllegalMove:
            return None
        if fate.count:
            return None
        after = veil(self.module, before, state) if self.veiled else None
        if after is None:
            return _After(self.module, state, events)
        return _After(self.module, after, [event for event in events if event.to is None])

    def twin(self, snapshot: bytes, seats: Collection[Seat], fate: Fate) -> Any:
        """Return a state that ``seats`` together could not tell from this one."""
        state = self.module.load(snapshot)
        self.module.resample(state, seats, fate)
        return state

    def told_nobody(self, before: bytes, after: _After, others: list[Seat], seed: str) -> bool:
        """True if each of the others sees afterwards only what it or the mover could know."""
        for number, other in enumerate(others):
            again = self.play(self.twin(before, {self.seat, other}, Lots(seed, number)))
            if again is None or again.seen(other) != after.seen(other):
                return False
        return True
