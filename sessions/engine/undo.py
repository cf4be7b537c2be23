"""Take moves back: a seat undoes its own last move where that is safe, and the GM rewinds any moves.

Undo and Rewind are moves of every table, in addition to the module's own. They restore an earlier state
under a new version number: the log only grows, and no later move gets the same randomness again. Rows are
never changed; ``History`` tells which moves of a log stand, i.e. were not taken back.

An undo is safe if it gives no seat an advantage. Games do not declare this for each move; we derive it from
what the seats can see:

1. The move is the newest that stands, and the seat's own: no other seat has to repeat a move.
2. It drew nothing from Fate: otherwise it could be repeated until the dice are kind.
3. It revealed nothing hidden to its seat. We test this with twins: states that the seat could not tell from
   the true one before the move. The move is played in these, too; if the seat then gets another view or
   other events, the move revealed something.
4. It revealed nothing to another seat that neither that seat nor the mover knew. The mover may show a card,
   but the GM may not have a seat draw one. We test every other seat in the same way, with twins that
   neither of the two could tell apart. This test also runs in the mover's twins, so that its result does
   not reveal to the mover what the other seat holds. A private event for another seat always counts as
   revealing; this check is cheap enough to run in all of the mover's twins.
5. It opened nothing that had been sealed for a few seats: an undo would seal it again, although it is known.
6. The game has not ended by it.

``is_safe`` is the proof, without which nothing is taken back. It costs many times the move, and people take
few moves back. So ``seems_safe`` decides whether they are offered to: it never says no where the proof says
yes. It says yes where the proof says no only if a move shows something that is alike in ``FEW`` twins, or
tells another seat something in other twins than the first. Such an offer is refused when it is taken.

During the undo window of a move that drew cards, seats see a masked state (``veil`` of the module) and get
no private events: 3 and 4 compare what they see then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import takewhile
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.fate import Fate, Lots
from sessions.engine.blanks import BlankRead, blank_hidden, has_blanks
from sessions.engine.step import encode, read_move
from sessions.game import AnyModule, Event, IllegalMove, Move, Seat

#: The nearest earlier checkpoint of any version is at most this many moves away.
SPAN = 32
GM: Seat = "gm"
KINDS = ("undone", "rewound")  # of the events that an undo and a rewind write
TWINS = 16  # the number of states tested that the mover cannot tell apart
OTHERS = 4  # the number of those in which every other seat is tested, too
FEW = 8  # the number of states that one run with blanks stands for


@dataclass(frozen=True)
class Leg:
    """A part of the way from the deal to a version: a checkpoint, and the moves after it, oldest first."""

    checkpoint: int
    moves: list[int]


@dataclass(frozen=True)
class History:
    """A log of ``version`` rows.

    ``restored`` maps the row of each undo and rewind to the version that it restored. A version is named by
    its newest move that stands, so ``restored`` leads to such a move, or to 0: the table as dealt. ``unseen``
    are the moves that were taken back while screens showed the masked state.
    """

    version: int
    restored: Mapping[int, int]
    unseen: Collection[int] = ()

    @property
    def newest_number(self) -> int:
        """The number of the newest move that stands, 0 when none does."""
        return self._resolve_version(self.version)

    @property
    def before(self) -> int:
        """The move that stood before the newest one."""
        return self._resolve_version(self.newest_number - 1)

    def standing(self) -> Iterator[int]:
        """Yield the numbers of the moves that stand, newest first."""
        number = self.newest_number
        while number:
            yield number
            number = self._resolve_version(number - 1)

    def stands(self, number: int) -> bool:
        """True if the log has a move with this number and it stands."""
        index = bisect_right(self._gaps, number, key=lambda gap: gap.start)
        return 0 < number <= self.version and not (index and number in self._gaps[index - 1])

    def after(self, number: int) -> list[int]:
        """Return the moves that stand after move ``number``, newest first; none if it does not stand."""
        if number and not self.stands(number):
            return []
        return list(takewhile(lambda standing: standing > number, self.standing()))

    def legs(self) -> Iterator[Leg]:
        """Yield the way back from the newest version to the deal, newest leg first.

        A leg has at most ``SPAN`` moves. The first leg has none if the newest version is a checkpoint; the
        last one begins at the deal, 0.
        """
        version, moves, is_due = self.version, list[int](), False
        while True:
            if is_due or version % SPAN == 0:
                yield Leg(version, moves[::-1])
                moves = []
            if version == 0:
                return
            restored = self._resolve_version(version)
            is_due = restored != version and restored in checkpoints_due(version, restored)
            if restored == version:
                moves.append(version)
            version = min(restored, version - 1)

    @cached_property
    def _gaps(self) -> list[range]:
        """The numbers that do not stand: undos, rewinds, and all that they took back."""
        gaps, rows, version = list[range](), sorted(self.restored), self.version
        while index := bisect_right(rows, version):
            newest = rows[index - 1]
            version = self.restored[newest]
            gaps.append(range(version + 1, newest + 1))
        return gaps[::-1]

    def _resolve_version(self, version: int) -> int:
        return self.restored.get(version, version)


def checkpoints_due(number: int, restored: int) -> set[int]:
    """Return the versions at which a checkpoint is due when row ``number`` is written.

    These are every ``SPAN``-th version, and a restored version that is older than the last of those: the way
    back from the row skips that checkpoint.

    :param restored: the version that the row restored; the row's own number for a move of the game.
    """
    newest = number // SPAN * SPAN
    return {one for one in (number, restored) if one and (one % SPAN == 0 or one < newest)}


class Undo(Move, frozen=True, tag="undo"):
    """Take back one's own last move. ``{"type": "undo"}``"""


class Rewind(Move, frozen=True, tag="rewind"):
    """The GM takes back every move after number ``to``; 0 is the table as dealt.

    ``{"type": "rewind", "to": 12, "reason": "wrong target"}``
    """

    to: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    reason: Annotated[str, Meta(max_length=80, pattern=r"\A[^\x00]*\Z")] = ""


def decode_table_move(module: AnyModule, raw: bytes) -> Any:
    """Decode wire bytes into a move of the module, Undo or Rewind; refuse others as ``malformed_move``."""
    return read_move(_decoder(module), raw)


@cache
def _decoder(module: AnyModule) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(module.move | Undo | Rewind)


@dataclass(frozen=True)
class TakenBack:
    """The result of an undo or a rewind: the restored version, the moves taken back, the log's event."""

    to: int
    numbers: list[int]
    event: Event


def undo(history: History, seat: Seat, *, allowed: bool) -> TakenBack:
    """Take back the newest move that stands.

    :raises IllegalMove: ``cannot_undo`` for every reason, because the reason could reveal what is hidden.
    """
    if not allowed:
        raise IllegalMove("cannot_undo")
    number = history.newest_number
    return TakenBack(history.before, [number], Event("undone", {"seat": seat, "number": number}))


def rewind(history: History, seat: Seat, move: Rewind) -> TakenBack:
    """Take back every move after ``move.to``.

    :raises IllegalMove: ``gm_only``; ``cannot_rewind`` if ``move.to`` does not stand or is the newest move.
    """
    if seat != GM:
        raise IllegalMove("gm_only")
    numbers = history.after(move.to)
    if not numbers:
        raise IllegalMove("cannot_rewind")
    event = Event("rewound", {"to": move.to, "count": len(numbers), "reason": move.reason.strip()})
    return TakenBack(move.to, numbers, event)


def masked_state(module: AnyModule, before: Any, after: Any) -> Any | None:
    """Return the state after a move with what it drew masked; None if there is nothing to mask."""
    veil = module.secrets.veil
    return veil(before, after) if veil and module.outcome(after) is None else None


def is_safe(
    module: AnyModule, before: bytes, seat: Seat, move: Any, fate: Fate, seed: str, *, veiled: bool = False
) -> bool:
    """True if ``seat`` may take back the ``move`` it made on the snapshot ``before``.

    :param fate: the Fate of the move, before anything was drawn from it.
    :param seed: a secret from which the twins are made; the same seed gives the same answer.
    :param veiled: True if what the move drew has been masked ever since.
    """
    trial = _Trial(module, before, seat, move, seed, veiled)
    truth = trial.play_truth(fate)
    if truth is None or not trial.told_nobody(before, truth, f"{seed}/truth"):
        return False
    return all(trial.is_alike(truth, number, with_others=number < OTHERS) for number in range(TWINS))


def seems_safe(
    module: AnyModule, before: bytes, seat: Seat, move: Any, fate: Fate, seed: str, *, veiled: bool = False
) -> bool:
    """Answer like ``is_safe`` at a fraction of the cost: good enough to offer an undo, not to grant it.

    What the other seats see is tested in the first twin alone. It is not tested in the true state, so the
    offer tells the mover nothing about their secrets.
    """
    trial = _Trial(module, before, seat, move, seed, veiled)
    truth = trial.play_truth(fate)
    if truth is None or not trial.is_alike(truth, 0, with_others=True):
        return False
    alike = None if veiled else trial.is_alike_with_blanks(FEW)
    return all(trial.is_alike(truth, number) for number in range(1, TWINS)) if alike is None else alike


@dataclass(frozen=True)
class _After:
    """The state after the move, masked if it is masked on screens, and the events that go with it."""

    module: AnyModule
    state: Any
    events: list[Event]
    _shown: dict[Seat | None, bytes] = field(default_factory=dict)

    def what_is_shown(self, looker: Seat | None) -> Any:
        """Return the view and the events that a seat, or a spectator (None), gets."""
        heard = [event for event in self.events if event.to is None or looker in event.to]
        return [self.module.view(self.state, looker), heard]

    def encode_shown(self, *lookers: Seat | None) -> list[bytes]:
        """Return the same for several lookers, encoded."""
        for looker in lookers:
            if looker not in self._shown:
                self._shown[looker] = encode(self.what_is_shown(looker))
        return [self._shown[looker] for looker in lookers]

    def told_in_private(self, mover: Seat) -> bool:
        """True if an event went to another seat than the mover's, but not to everybody."""
        return any(not set(event.to or ()) <= {mover} for event in self.events)


@dataclass(frozen=True)
class _Trial:
    """One seat's move, to be played in different states."""

    module: AnyModule
    before: bytes
    seat: Seat
    move: Any
    seed: str
    veiled: bool

    def play_truth(self, fate: Fate) -> _After | None:
        """Play the move as it was made; return None if that alone forbids to take it back."""
        state = self.module.load(self.before)
        opened = set(self.module.secrets.opened(state))
        truth = self.play(state, fate)
        if truth is None or truth.told_in_private(self.seat) or self.module.outcome(truth.state) is not None:
            return None
        return None if set(self.module.secrets.opened(truth.state)) - opened else truth

    def play(self, state: Any, fate: Fate | None = None) -> _After | None:
        """Play the move; return None if it is refused or draws from Fate."""
        fate = fate or Fate("", 0)
        before = self.module.load(encode(state)) if self.veiled else None
        try:
            events = self.module.apply(state, self.seat, self.move, fate)
        except IllegalMove:
            return None
        if fate.count:
            return None
        after = masked_state(self.module, before, state) if self.veiled else None
        if after is None:
            return _After(self.module, state, events)
        return _After(self.module, after, [event for event in events if event.to is None])

    def twin(self, number: int) -> Any:
        """Return a state that the mover cannot tell from the true one."""
        return self._resample(self.before, {self.seat}, Lots(self.seed, number))

    def is_alike(self, truth: _After, number: int, *, with_others: bool = False) -> bool:
        """True if the move shows the mover and a spectator the same in a twin, and tells no other seat more.

        :param with_others: test what the views of the other seats tell them, not only private events.
        """
        twin = self.twin(number)
        snapshot = encode(twin) if with_others else b""
        after = self.play(twin)
        if after is None or after.told_in_private(self.seat):
            return False
        if after.encode_shown(self.seat, None) != truth.encode_shown(self.seat, None):
            return False
        return not snapshot or self.told_nobody(snapshot, after, f"{self.seed}/{number}")

    def is_alike_with_blanks(self, count: int) -> bool | None:
        """True if ``count`` twins are alike, as one run with blanks tells; None if that run tells nothing."""
        twins = [self.twin(number) for number in range(count)]
        try:
            after = self.play(blank_hidden(self.module.load(self.before), twins))
            shown = after and [after.what_is_shown(looker) for looker in (self.seat, None)]
        except (BlankRead, Exception):  # noqa: BLE001 (code that gets a blank may fail in any way)
            return None
        return None if shown is None else not has_blanks(shown)

    def told_nobody(self, before: bytes, after: _After, seed: str) -> bool:
        """True if each other seat now sees only what it or the mover could know before."""
        others = [other for other in after.state.seats if other != self.seat]
        for number, other in enumerate(others):
            again = self.play(self._resample(before, {self.seat, other}, Lots(seed, number)))
            if again is None or again.encode_shown(other) != after.encode_shown(other):
                return False
        return True

    def _resample(self, snapshot: bytes, seats: Collection[Seat], fate: Fate) -> Any:
        """Return a state that ``seats`` together cannot tell from this one."""
        state = self.module.load(snapshot)
        self.module.resample(state, seats, fate)
        return state
