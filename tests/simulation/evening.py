"""One evening, played from its plan: the same plan, the same evening to the byte."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from companion.fate import Fate, commitment
from sessions.engine import undo
from sessions.engine.bots import concedes
from sessions.engine.registry import registry
from sessions.engine.step import encode, start
from sessions.game import IllegalMove, kind_of
from sessions.live.page_base import RenderedPage
from sessions.live.pages import TablePage
from sessions.models import Table
from sessions.table import undo_window
from tests.evening import clear_caches
from tests.simulation import acts, ground
from tests.simulation.acts import ACTS, REFUSALS
from tests.simulation.database import Database
from tests.simulation.layer import HomeLayer, Layer, Wire
from tests.simulation.phones import Phone, Weather
from tests.simulation.plan import CALM, CALM_AFTER_TROUBLE, PAGES, Event, Plan
from tests.simulation.process import Process
from tests.simulation.scheduler import Scheduler
from tests.simulation.threads import Hop
from tests.simulation.witness import Complaints, Version, Witness

#: Moves that would end the game before anything has happened, and so are made seldom.
ENDINGS = {"end", "concede"}


@dataclass(frozen=True)
class Result:
    """The results of a session."""

    problems: list[str]
    events: list[tuple[float, str]]
    moves: int
    frames: dict[str, list[tuple[float, str]]]
    versions: list[Version]
    rows: list[tuple[str, bytes, bytes]]


class Evening:
    """The ground of one evening, and what happens on it."""

    def __init__(self, planned: Plan) -> None:
        self.plan = planned
        self.scheduler = Scheduler(f"{planned.seed}/order")
        self.out = ground.laid_out(planned.game, planned.players, planned.clock)
        self.table_pk = self.out.table_pk
        self.weather = Weather()
        self.phones: list[Phone] = []
        self.witness = Witness(self.scheduler, self.out.session_pk, self.table_pk, self.phones)
        self.complaints = Complaints(self.witness)
        self.wire = Wire(planned.seed)
        self.processes: list[Process] = []
        self._dead: list[Process] = []
        self._births = 0

    def play(self) -> Result:
        root = logging.getLogger()
        before, root.handlers = root.handlers, [self.complaints]
        gc.disable()
        try:
            drawing = nullcontext() if self.plan.with_room else without_room()
            with ground.time_and_chance(self.scheduler, self.plan.seed), drawing:
                self._play()
        finally:
            root.handlers = before
            gc.enable()
        witness = self.witness
        moves = witness.versions[-1].number
        return Result(
            witness.problems, witness.events, moves, dict(witness.frames), witness.versions, witness.rows
        )

    def _play(self) -> None:
        self.database = Database(self.out.file, ground.new_file(), self.witness.committed)
        self.witness.ask = lambda sql: self.database.own.connection.execute(sql).fetchone()
        try:
            clear_caches()
            self._deal()
            self.witness.begin()
            for _ in range(2 if self.plan.hosted else 1):
                self._begin_process()
            self._open_pages()
            for event in self.plan.events:
                self.scheduler.later(event.at, lambda event=event: self._happen(event))
            self.scheduler.run(self.plan.end)
            self._heal()
            self.scheduler.run(self.scheduler.now + 0.1)
            self.witness.expect_one_heartbeat()
            self.scheduler.run(self.scheduler.now + (CALM if self.plan.is_calm else CALM_AFTER_TROUBLE))
            if Process.present:
                Process.present.leave()
            self.witness.check()
        finally:
            self._clear_away()

    def _deal(self) -> None:
        """Deal by the seed of this evening."""
        secret = commitment(f"cards of {self.plan.seed}")
        table = Table.objects.get(pk=self.table_pk)
        table.secret, table.commitment = secret, commitment(secret)
        module = registry()[table.module]
        table.snapshot = start(module, table.opening_seats, table.options, Fate(secret, 0))
        table.save()

    def _begin_process(self) -> None:
        self._births += 1
        number = self._births
        name = f"process {number}"
        hosted = self.plan.hosted
        process = Process(
            name,
            self.scheduler,
            self.database,
            (lambda process: Layer(process, self.wire)) if hosted else HomeLayer,
            lambda words: self.witness.problem(f"{name}: {words}"),
            self.plan.seed,
            self.plan.haste,
        )
        self.processes.append(process)
        if not hosted:
            clear_caches()

    def _open_pages(self) -> None:
        pages = {person.name: person for person in self.out.people}
        pages |= {"gm too": pages["gm"], "p1 too": pages["p1"]}
        for number, (name, person) in enumerate(pages.items()):
            if name in PAGES and name not in self.plan.pages:
                continue
            chance = Random(f"{self.plan.seed}/phone {number}")
            phone = Phone(
                name=name,
                seat=person.key,
                seat_pk=person.seat_pk,
                table_pk=self.table_pk,
                cookie=person.cookie,
                place=person.place,
                opened_sheets=("log-sheet",) if chance.random() < 0.5 else (),
                scheduler=self.scheduler,
                processes=lambda: self.processes,
                watch=self.witness,
                weather=self.weather,
                chance=chance,
            )
            self.phones.append(phone)
            self.scheduler.later(chance.random() * 0.5, phone.start)

    # --- what happens ---

    def _happen(self, event: Event) -> None:
        chance = Random(event.lot)
        match event.kind:
            case "think":
                self._think(chance)
            case "take back":
                phone = self._newest_mover(chance)
                may_still = phone.may_take_back and phone.version not in self.witness.drawn
                self.witness.offered = self.plan.is_calm and may_still
                phone.send({"type": "undo"})
                self.witness.offered = False
            case "draw now":
                phone = self._newest_mover(chance)
                self.witness.note(f"{phone.name} → draw now on {phone.version}")
                self.witness.drawn.add(phone.version)
                phone.draw_now()
            case "read log":
                self._read_log(chance)
            case kind if kind in ACTS:
                self._act(kind, chance)
            case kind:
                self._trouble(kind, chance)

    def _table(self) -> Table:
        return Table.objects.select_related("session__campaign").get(pk=self.table_pk)

    def _think(self, chance: Random) -> None:
        """Let a seat make a move that the table offers it."""
        table = self._table()
        module, state = registry()[table.module], undo_window.visible_state(table)
        awaited = module.waiting_for(state)
        lent = {sits.key for sits in table.sitters if sits.bot}
        if self.plan.collides or chance.random() < 0.5:
            lent = set()
        with_moves = [phone for phone in self.phones if phone.seat in state.seats and phone.seat not in lent]
        able = [phone for phone in with_moves if phone.seat in awaited]
        if not able or chance.random() < 0.12:
            able = with_moves
        if not able:
            return
        phone = chance.choice(able)
        legal = module.legal_moves(state, phone.seat)
        calm = [move for move in legal if kind_of(move) not in ENDINGS and not concedes(move)]
        if calm and chance.random() < 0.98:
            legal = calm
        if self.plan.draws and chance.random() < 0.8:
            legal = [move for move in legal if self._draws(table, phone.seat, move)] or legal
        if legal:
            lent = {sits.key for sits in table.sitters if sits.bot}
            over = table.ended_at or table.session.ended_at
            self.witness.offered = not over and phone.seat not in lent
            phone.send(msgspec.json.decode(encode(chance.choice(legal))))
            self.witness.offered = False

    @staticmethod
    def _draws(table: Table, seat: str, move: Any) -> bool:
        """True if a move brings a seat a card that could still be taken back."""
        module = registry()[table.module]
        before, after = module.load(bytes(table.snapshot)), module.load(bytes(table.snapshot))
        try:
            module.apply(after, seat, move, Fate(table.secret, table.version + 1))
        except IllegalMove:
            return False
        return undo.masked_state(module, before, after) is not None

    def _newest_mover(self, chance: Random) -> Phone:
        """Return a phone of who moved last, or now and then anybody's."""
        newest = self._table().moves.order_by("number").last()
        theirs = [phone for phone in self.phones if newest and phone.seat == newest.seat]
        phones = theirs if theirs and chance.random() < 0.9 else [one for one in self.phones if one.seat]
        return chance.choice(phones)

    def _read_log(self, chance: Random) -> None:
        phone = self._newest_mover(chance) if chance.random() < 0.7 else chance.choice(self.phones)

        def done(hop: Hop) -> None:
            if hop.result is not None:
                self.witness.arrived(phone, "log " + hop.result.decode())

        if self.processes:
            process = chance.choice(self.processes)
            process.ask(lambda: acts.read_log(self._table(), phone.seat), done)

    def _act(self, kind: str, chance: Random) -> None:
        def work() -> None:
            # What happens is settled when it begins: another table by then is another table.
            with suppress(*REFUSALS):
                ACTS[kind](self._table(), chance)

        def done(hop: Hop) -> None:
            self.witness.running -= 1
            if hop.problem and "OperationalError" not in repr(hop.problem):
                self.witness.problem(f"{kind} failed: {hop.problem!r}")

        if self.processes:
            process = chance.choice(self.processes)
            self.witness.acts += 1
            self.witness.running += 1
            self.witness.note(f"somebody: {kind}, at {process.name}")
            process.ask(work, done)

    def _trouble(self, kind: str, chance: Random) -> None:
        seconds = chance.choice([0.3, 1.0, 3.0, 8.0])
        now, phone = self.scheduler.now, chance.choice(self.phones)
        if self.witness.newest_poster and chance.random() < 0.5:
            phone = self.witness.newest_poster
        process = chance.choice(self.processes) if self.processes else None
        self.witness.trouble(seconds + 20.0)
        where = f" {process.name}" if process else ""
        self.witness.note(f"trouble: {kind}, {phone.name}{where}, {seconds} s")
        match kind:
            case "cut" | "silent":
                if phone.line:
                    phone.line.cut(silently=kind == "silent")
            case "sleep":
                phone.sleep()
                self.scheduler.later(seconds, phone.wake)
            case "rough":
                self.weather.rough_until = now + seconds
            case "layer loses":
                self.wire.loses_until = now + seconds
            case "layer delays":
                self.wire.delays_until = now + seconds
        if process is None:
            return
        match kind:
            case "kill":
                self._kill(process)
                self.scheduler.later(seconds, self._begin_process)
            case "freeze":
                process.loop.frozen_until = now + seconds
            case "database away":
                process.database_away_until = now + seconds
            case "lost before commit":
                process.commit_fault = "before"
            case "lost after commit":
                process.commit_fault = "after"

    def _kill(self, process: Process) -> None:
        process.kill()
        self.processes.remove(process)
        self._dead.append(process)
        for phone in self.phones:
            if phone.line and phone.line.process is process:
                phone.line.cut()

    def _heal(self) -> None:
        """Let all trouble be over."""
        self.weather.rough_until = self.wire.loses_until = self.wire.delays_until = 0.0
        for process in self.processes:
            process.loop.frozen_until = process.database_away_until = 0.0
            process.commit_fault = ""
        for phone in self.phones:
            if phone.sleeps:
                phone.wake()

    def _clear_away(self) -> None:
        self.complaints.is_over = True
        if Process.present:
            Process.present.leave()
        for process in (*self.processes, *self._dead):
            process.lives = False
            process.bury()
        self.database.close()
        Database.present = None


@contextmanager
def without_room() -> Iterator[None]:
    """Let pages show their table alone."""
    draw = TablePage._render_session, TablePage._render_own
    TablePage._render_session = lambda *arguments, **options: RenderedPage({}, {})
    TablePage._render_own = lambda *arguments: {}
    try:
        yield
    finally:
        TablePage._render_session, TablePage._render_own = draw


def play(planned: Plan) -> Result:
    return Evening(planned).play()
