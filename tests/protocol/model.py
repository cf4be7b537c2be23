"""How a move travels: a model of sessions/table/ and sessions/live/, small enough to try every order.

Phones send frames with ids and keep them in an outbox; two processes hold the table and show it to their
pages; the database commits on a condition; news of a commit reach the other process late, or never. A step is
what the code does with nobody in between: one question to the database, one transaction, one message. A play
draws a card, which lies under a veil. It is taken back before the first tick of the clock; the time of the
veil is over at the second, and between the two is the margin of sessions/table/undo_window.py. The rules are
one: a seat is asked the same for as long as equally many plays of its own stand.

``GUARDS`` are what the code relies on, and each can be left out. Taken for granted is more: a commit that
has the lock takes less than the margin; a row is read in the moment whose clock it is held against; what a
process pushes reaches its pages, or their line ends. How much may happen is in ``Bounds``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

GM = -1
GRACE, VEIL = 1, 2

GUARDS = {
    "version": "a move changes only the version that it was tried on",
    "number": "the log has each number once",
    "seating": "a move counts only at the seating that it was tried at",
    "id": "the log has each id once",
    "lookup": "before it is refused, an id is looked up",
    "current": "only the present table refuses",
    "locked": "what comes back is looked at again under the lock",
    "grace": "and so is the time that is left for it",
    "commit": "news come after the commit",
    "heartbeat": "the database is asked for newer tables every few seconds",
    "lift": "and before a veil is lifted because its time is over",
    "unshown": "what was taken back under its veil stays hidden in the log",
    "order": "a move that was refused is under way no more",
}


class Row(NamedTuple):
    kind: str  # play, undo or rewind
    id: str
    by: int  # the phone


Log = tuple[Row, ...]


class View(NamedTuple):
    """The table as a process knows it."""

    log: Log
    seating: int
    until: int | None  # when the veil over the newest row ends
    veiled: bool

    @property
    def stamp(self) -> tuple[int, int, int | None]:
        return len(self.log), self.seating, self.until

    @property
    def age(self) -> tuple[int, int, bool]:
        return len(self.log), self.seating, not self.veiled


class Frame(NamedTuple):
    phone: int
    kind: str  # play, undo or draw
    id: str
    version: int
    asked: int


class Sending(NamedTuple):
    """A frame on its way to a process, and there."""

    frame: Frame
    process: int
    copy: int = 0
    stage: str = "sent"
    view: View | None = None  # what it was tried on
    then: View | None = None  # what came of it
    number: int = 0  # for the answer
    slow: bool = False  # the clock has ticked while it has the lock


class Phone(NamedTuple):
    process: int | None  # None: its page is closed, for its seat is in other hands
    leave: int = 0  # the seating at which its page asked what it may do
    outbox: Frame | None = None
    sent: int = 0


class Process(NamedTuple):
    held: View | None
    live: View  # what its pages show


class News(NamedTuple):
    process: int
    version: int
    seating: int
    unveiled: bool = False


class World(NamedTuple):
    log: Log
    seating: int
    until: int | None
    now: int
    taken: int | None  # how long the log was when phone 0 lost its seat
    phones: tuple[Phone, ...]
    processes: tuple[Process, ...]
    sendings: frozenset[Sending]
    news: frozenset[News]
    answers: frozenset[tuple[str, int]]  # an id with its number, or with 0 for a refusal
    seen: frozenset[int]  # the rows whose private lines somebody has read, or could have
    too_early: bool  # True if one of them was read for the first time when its row had been taken back
    too_late: bool  # True if an undo took a row back whose private line had been read
    faults: int
    acts: int


Step = tuple[str, World]


@dataclass(frozen=True)
class Bounds:
    """How much may happen."""

    seats: str = "ab"  # the seat of each phone; "aa" are two phones of one seat
    kinds: tuple[str, ...] = ("play",)  # what a phone sends
    moves: int = 1  # of each phone
    #: Frames lost and doubled, answers and news lost, phones that come back elsewhere, processes begun anew.
    faults: int = 1
    ticks: int = 0
    acts: tuple[str, ...] = ()  # what the GM does: rewind, reseat
    acting: int = 1


@cache
def standing(log: Log) -> tuple[int, ...]:
    """Return the numbers of the plays that stand."""
    stack: list[int] = []
    for number, row in enumerate(log, start=1):
        if row.kind == "play":
            stack.append(number)
        else:
            stack.pop()
    return tuple(stack)


def number_of(log: Log, id_: str) -> int:
    return next((number for number, row in enumerate(log, start=1) if row.id == id_), 0)


def read(world: World) -> View:
    """Return the table as the database has it."""
    veiled = world.until is not None and world.now < world.until
    return View(world.log, world.seating, world.until, veiled)


def is_over(view: View, world: World) -> bool:
    """True if a veil still lies in this view whose time is over."""
    return view.veiled and view.until is not None and world.now >= view.until


def takes_back(until: int | None, now: int) -> bool:
    return until is not None and now < until - VEIL + GRACE


def is_as_new(view: View, news: News) -> bool:
    lifted = not news.unveiled or len(view.log) > news.version or not view.veiled
    return len(view.log) >= news.version and view.seating >= news.seating and lifted


def is_locked(world: World) -> bool:
    return any(sending.stage == "locked" for sending in world.sendings)


def put(places: tuple[Any, ...], number: int, thing: Any) -> tuple[Any, ...]:
    return (*places[:number], thing, *places[number + 1 :])


def fault(label: str, then: World) -> Iterator[Step]:
    if then.faults:
        yield label, then._replace(faults=then.faults - 1)


class Model:
    """All that can happen within bounds, with some of the guards left out."""

    def __init__(self, bounds: Bounds, *left_out: str) -> None:
        assert GUARDS.keys() >= set(left_out)
        self.bounds, self.left_out = bounds, left_out

    def has(self, guard: str) -> bool:
        return guard not in self.left_out

    def start(self) -> World:
        dealt, none = View((), 0, None, veiled=False), frozenset[Any]()
        phones = tuple(Phone(number % 2) for number in range(len(self.bounds.seats)))
        at_rest = (phones, (Process(dealt, dealt),) * 2, none, none, none, none)
        return World((), 0, None, 0, None, *at_rest, False, False, self.bounds.faults, self.bounds.acting)

    def steps(self, world: World) -> Iterator[Step]:
        for label, then in self._steps(world):
            yield label, self._looked(then)

    def _steps(self, world: World) -> Iterator[Step]:
        for number in range(len(world.phones)):
            yield from self._of_phone(world, number)
        for sending in world.sendings:
            yield from self._of_sending(world._replace(sendings=world.sendings - {sending}), sending)
        for news in world.news:
            rest = world._replace(news=world.news - {news})
            yield f"process {news.process} hears of version {news.version}", self._heard(rest, news)
            yield from fault(f"process {news.process} never hears of version {news.version}", rest)
        for number in range(len(world.processes)):
            yield from self._of_process(world, number)
        yield from self._of_gm(world)
        if world.now < self.bounds.ticks and not any(sending.slow for sending in world.sendings):
            slow = frozenset(one._replace(slow=one.stage == "locked") for one in world.sendings)
            yield "the clock ticks", world._replace(now=world.now + 1, sendings=slow)

    # --- phones

    def _of_phone(self, world: World, number: int) -> Iterator[Step]:
        phone = world.phones[number]
        if phone.process is None:
            return
        live = world.processes[phone.process].live
        if phone.outbox is None and phone.sent < self.bounds.moves:
            for kind in self.bounds.kinds:
                if kind == "play" or self._has_own_veil(live, number):
                    id_, asked = f"{'ABC'[number]}{phone.sent + 1}", self._asked(live.log, number)
                    frame = Frame(number, kind, id_, len(live.log), asked)
                    outbox = None if kind == "draw" else frame
                    kept = self._with_phone(world, number, outbox=outbox, sent=phone.sent + 1)
                    yield f"phone {number} sends {kind} {id_}", self._sent(kept, frame, phone.process)
        yield from self._sends_again(world, number, phone, phone.process)

    def _sends_again(self, world: World, number: int, phone: Phone, process: int) -> Iterator[Step]:
        frame = phone.outbox
        if frame is None:
            return
        lost = all(sending.frame != frame for sending in world.sendings)
        label, again = f"phone {number} sends {frame.id} again", self._sent(world, frame, process)
        yield from [(label, again)] if lost else fault(label, again)
        elsewhere = self._shown(
            self._with_phone(world, number, process=1 - process), 1 - process, read(world)
        )
        label = f"phone {number} comes back at process {1 - process} and sends {frame.id} again"
        yield from fault(label, self._sent(elsewhere, frame, 1 - process))

    @staticmethod
    def _sent(world: World, frame: Frame, process: int) -> World:
        copies = {sending.copy for sending in world.sendings if sending.frame == frame}
        sending = Sending(frame, process, max(copies, default=-1) + 1)
        return world._replace(sendings=world.sendings | {sending})

    @staticmethod
    def _with_phone(world: World, number: int, **fields: Any) -> World:
        return world._replace(phones=put(world.phones, number, world.phones[number]._replace(**fields)))

    def _asked(self, log: Log, phone: int) -> int:
        return sum(self._seat(log, number) == self.bounds.seats[phone] for number in standing(log))

    def _seat(self, log: Log, number: int) -> str:
        return self.bounds.seats[log[number - 1].by]

    def _has_own_veil(self, view: View, phone: int) -> bool:
        """True if a veil lies over a play of this phone's seat."""
        return view.veiled and self._seat(view.log, len(view.log)) == self.bounds.seats[phone]

    # --- what is read

    def _readable(self, view: View) -> set[int]:
        """Return the rows whose private lines their seats read."""
        told = standing(view.log) if self.has("unshown") else range(1, len(view.log) + 1)
        return {number for number in told if number < len(view.log) or not view.veiled}

    def _looked(self, world: World) -> World:
        """Let everybody look at the open pages, and read the log as the database has it."""
        rows = self._readable(read(world))
        for phone, seat in zip(world.phones, self.bounds.seats, strict=True):
            if phone.process is not None:
                live = world.processes[phone.process].live
                rows |= {number for number in self._readable(live) if self._seat(live.log, number) == seat}
        new = rows - world.seen
        too_early = world.too_early or not new <= set(standing(world.log))
        return world._replace(seen=world.seen | new, too_early=too_early) if new else world

    # --- processes

    def _of_process(self, world: World, number: int) -> Iterator[Step]:
        live = world.processes[number].live
        if is_over(live, world):
            view = read(world) if self.has("lift") else live._replace(veiled=False)
            label = f"at process {number} the time of the veil over version {len(live.log)} is over"
            yield label, self._shown(world, number, view)
        if world.faults:
            anew = Process(None, read(world))
            left = frozenset(one for one in world.sendings if one.process != number)
            deaf = frozenset(news for news in world.news if news.process != number)
            lost = world._replace(processes=put(world.processes, number, anew), sendings=left, news=deaf)
            yield from fault(f"process {number} begins anew", self._shown(lost, number, read(world)))

    def _known(self, world: World, process: int) -> View | None:
        held = world.processes[process].held
        if held and is_over(held, world):
            return None if self.has("lift") else held._replace(veiled=False)
        return held

    def _shown(self, world: World, number: int, view: View) -> World:
        """Let a process hold a view and show it. At a new seating its pages ask what they may do."""
        held, live = world.processes[number]
        held = view if held is None or held.age <= view.age else held
        live = view if live.age <= view.age else live
        world = world._replace(processes=put(world.processes, number, Process(held, live)))
        for phone, known in enumerate(world.phones):
            if known.process == number and live.seating > known.leave:
                world = self._with_leave(world, phone)
        return world

    def _forgotten(self, world: World, number: int) -> World:
        process = world.processes[number]._replace(held=None)
        return world._replace(processes=put(world.processes, number, process))

    def _with_leave(self, world: World, phone: int) -> World:
        if phone == 0 and world.taken is not None:
            return self._with_phone(world, phone, process=None, outbox=None)
        return self._with_phone(world, phone, leave=world.seating)

    def _heard(self, world: World, news: News) -> World:
        known = self._known(world, news.process)
        if known and is_as_new(known, news):
            return self._shown(world, news.process, known)
        live = world.processes[news.process].live
        return world if is_as_new(live, news) else self._shown(world, news.process, read(world))

    def beat(self, world: World) -> World:
        """Let each process ask the database for something newer than its pages show."""
        for number, process in enumerate(world.processes):
            is_old = self.has("heartbeat") and process.live.stamp != read(world).stamp
            if is_old or is_over(process.live, world):
                world = self._shown(world, number, read(world))
        return world

    @staticmethod
    def _told(world: World, processes: Iterable[int], view: View, *, unveiled: bool = False) -> World:
        told = {News(number, len(view.log), view.seating, unveiled) for number in processes}
        return world._replace(news=world.news | told)

    # --- the GM

    def _of_gm(self, world: World) -> Iterator[Step]:
        if not world.acts or is_locked(world):
            return
        then = world._replace(acts=world.acts - 1)
        if "rewind" in self.bounds.acts and standing(world.log):
            back = then._replace(log=(*world.log, Row("rewind", f"G{world.acts}", GM)), until=None)
            yield "the GM takes the newest move back", self._told(back, (0, 1), read(back))
        if "reseat" in self.bounds.acts and world.taken is None:
            other = then._replace(seating=world.seating + 1, taken=len(world.log))
            yield "the GM takes the seat of phone 0 away", self._told(other, (0, 1), read(other))

    # --- a move at a process; ``rest`` is the world without it

    def _of_sending(self, rest: World, move: Sending) -> Iterator[Step]:
        id_, at = move.frame.id, f"process {move.process}"
        match move.stage:
            case "sent":
                yield f"{at} tries {id_}", self._tried(rest, move)
                yield from fault(f"{id_} is lost on its way to {at}", rest)
            case "commit" if not is_locked(rest):
                yield f"{at} writes {id_} if it may", self._committed(rest, move)
            case "lift" if not is_locked(rest):
                yield f"{at} lifts the veil for {id_} if it may", self._lifted(rest, move)
            case "lock" if not is_locked(rest):
                yield f"{at} locks the table for {id_}", self._locked(rest, move)
            case "locked":
                yield f"{at} writes {id_}", self._taken_back(rest, move)
            case "publish":
                yield f"{at} tells of {id_}", self._published(rest, move)
            case "lookup":
                yield f"{at} looks {id_} up", self._looked_up(rest, move)
            case "refuse":
                yield f"{at} refuses {id_} if its table is the present one", self._refused(rest, move)
            case "answer":
                said = rest._replace(answers=rest.answers | {(id_, move.number)})
                yield f"{at} answers {id_}: accepted", self._answered(said, move.frame)
                yield from fault(f"the answer to {id_} is lost: accepted", said)

    @staticmethod
    def _goes_on(world: World, move: Sending, stage: str, **fields: Any) -> World:
        return world._replace(sendings=world.sendings | {move._replace(stage=stage, **fields)})

    def _doubted(self, world: World, move: Sending) -> World:
        return self._goes_on(world, move, "lookup" if self.has("lookup") else "refuse")

    def _tries_again(self, world: World, move: Sending) -> World:
        world = self._forgotten(world, move.process)
        return self._goes_on(world, Sending(move.frame, move.process, move.copy), "sent")

    def _tried(self, world: World, move: Sending) -> World:
        frame = move.frame
        if frame.kind == "draw":
            view = read(world)
            own = self._has_own_veil(view, frame.phone) and len(view.log) == frame.version
            return self._goes_on(world, move, "lift", view=view) if own else world
        view = self._known(world, move.process) or read(world)
        world = self._shown(world, move.process, view)
        leave = world.phones[frame.phone].leave
        if world.phones[frame.phone].process is None:
            return world
        if leave < view.seating:
            return self._goes_on(self._with_leave(world, frame.phone), move, "sent")
        if leave > view.seating:
            return self._tries_again(world, move)
        if frame.kind == "undo":
            own = self._has_own_veil(view, frame.phone) and takes_back(view.until, world.now)
            fits, stage, then = own and frame.version == len(view.log), "lock", None
        else:
            fits = frame.version == len(view.log) or frame.asked == self._asked(view.log, frame.phone)
            log = (*view.log, Row("play", frame.id, frame.phone))
            stage, then = "commit", View(log, view.seating, world.now + VEIL, veiled=True)
        if not fits:
            return self._doubted(world, move._replace(view=view))
        if then and not self.has("commit"):
            world = self._told(self._shown(world, move.process, then), [1 - move.process], then)
        return self._goes_on(world, move, stage, view=view, then=then)

    def _committed(self, world: World, move: Sending) -> World:
        assert move.view
        assert move.then
        if self.has("version") and len(move.view.log) != len(world.log):
            return self._tries_again(world, move)
        if self.has("seating") and move.view.seating != world.seating:
            return self._tries_again(world, move)
        has_number = self.has("number") and len(world.log) >= len(move.then.log)
        if has_number or (self.has("id") and number_of(world.log, move.frame.id)):
            return self._doubted(world, move)
        world = world._replace(log=move.then.log, until=move.then.until)
        return self._goes_on(world, move, "publish", number=len(world.log))

    def _locked(self, world: World, move: Sending) -> World:
        assert move.view
        if self.has("locked") and move.view.stamp != read(world).stamp:
            return self._tries_again(world, move)
        if self.has("grace") and not takes_back(move.view.until, world.now):
            return self._doubted(world, move)
        return self._goes_on(world, move, "locked")

    def _taken_back(self, world: World, move: Sending) -> World:
        assert move.view
        log = (*move.view.log, Row("undo", move.frame.id, move.frame.phone))
        too_late = world.too_late or len(log) - 1 in world.seen
        world = world._replace(log=log, until=None, too_late=too_late)
        return self._goes_on(world, move, "publish", slow=False, number=len(log), then=read(world))

    def _lifted(self, world: World, move: Sending) -> World:
        if len(world.log) != move.frame.version:
            return world
        world = world._replace(until=None)
        return self._goes_on(world, move, "publish", then=read(world))

    def _published(self, world: World, move: Sending) -> World:
        assert move.then
        drawn = move.frame.kind == "draw"
        if move.frame.kind == "undo":
            world = self._forgotten(world, move.process)
            world = self._shown(world, move.process, read(world))
        elif drawn or self.has("commit"):
            world = self._shown(world, move.process, move.then)
        if drawn or self.has("commit"):
            world = self._told(world, [1 - move.process], move.then, unveiled=drawn)
        return world if drawn else self._goes_on(world, move, "answer", view=None, then=None)

    def _looked_up(self, world: World, move: Sending) -> World:
        number = number_of(world.log, move.frame.id)
        if number:
            return self._goes_on(world, move, "answer", number=number, view=None, then=None)
        return self._goes_on(world, move, "refuse")

    def _refused(self, world: World, move: Sending) -> World:
        assert move.view
        if self.has("current") and move.view.stamp != read(world).stamp:
            return self._tries_again(world, move)
        if self.has("order"):
            left = frozenset(one for one in world.sendings if one.frame.id != move.frame.id)
            world = world._replace(sendings=left)
        said = world._replace(answers=world.answers | {(move.frame.id, 0)})
        return self._answered(said, move.frame)

    def _answered(self, world: World, frame: Frame) -> World:
        kept = world.phones[frame.phone].outbox == frame
        return self._with_phone(world, frame.phone, outbox=None) if kept else world
