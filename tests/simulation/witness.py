"""Who sees all that passes in an evening, and says what must not be."""

from __future__ import annotations

import logging
import uuid
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import translation

from companion.caches import LruCache
from companion.fallback.outages import NO_DATABASE
from companion.fate import Fate
from companion.rendering import markup
from sessions.engine import undo
from sessions.engine.registry import registry
from sessions.engine.step import decode_move
from sessions.live import regions, screen_view
from sessions.live.heartbeats import CHECK_EVERY
from sessions.live.screen_view import view_for
from sessions.models import Move, Table
from sessions.table import replay, table_cache
from tests.simulation.desk import DeskWitness
from tests.simulation.ground import NOON
from tests.simulation.phones import Phone, Watch
from tests.simulation.scheduler import Scheduler
from tests.simulation.threads import Hop

#: Seconds in which a page shows a move where nothing fails.
PROMPT = 1.5
#: Seconds after a move until nothing on its pages changes any more, but for a veil.
PAUSE = 4.0


@dataclass
class Version:
    """A version of the table, as it was committed."""

    number: int
    at: float
    snapshot: bytes
    #: Until when a veil lies over it.
    veiled_until: float | None
    #: When its cards were shown: at once, or when its time, its mover or the next move lifted the veil.
    shown_at: float | None = None


class Witness(Watch):
    """The ledger of answers, the times of versions, and the problems."""

    def __init__(self, scheduler: Scheduler, session_pk: int, table_pk: int, phones: list[Phone]) -> None:
        self.scheduler, self.table_pk, self.phones = scheduler, table_pk, phones
        self.desk = DeskWitness(session_pk, self.problem)
        self.events: list[tuple[float, str]] = []
        self.problems: list[str] = []
        self.frames: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        self.versions: list[Version] = [Version(0, 0.0, b"", None, 0.0)]
        self.ask: Callable[[str], Any] = lambda sql: None
        self.accepted: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.posts: dict[str, Phone] = {}
        #: True while a phone sends a move that the table offers it; how many acts of the evening there were.
        self.offered, self.acts, self.running = False, 0, 0
        self.newest_poster: Phone | None = None
        #: The seats of the evening that are taken from their people in the end.
        self.gone: set[int] = set()
        self._offers: dict[str, tuple[int, int, int]] = {}
        #: The versions that a phone asked to be unveiled.
        self.drawn: set[int] = set()
        #: Whether the table and its evening have ended.
        self._over = False, False
        #: The log in the end: who moved, what, and what was told.
        self.rows: list[tuple[str, bytes, bytes]] = []
        #: Until then something fails, or may have.
        self.trouble_until = 0.0

    def note(self, words: str) -> None:
        self.events.append((self.scheduler.now, words))

    def problem(self, words: str) -> None:
        self.note(f"PROBLEM {words}")
        self.problems.append(words)

    def trouble(self, seconds: float) -> None:
        self.trouble_until = max(self.trouble_until, self.scheduler.now + seconds)

    # --- what passes ---

    def posted(self, phone: Phone, frame: dict[str, Any]) -> None:
        self.posts[frame["id"]] = phone
        self.newest_poster = phone
        if self.offered and not self.running and frame["version"] == self.versions[-1].number:
            self._offers[frame["id"]] = len(self.versions), self.acts, len(self.drawn)
        self.note(f"{phone.name} → {frame['move']} on {frame['version']} id={frame['id'][:8]}")

    def sent(self, phone: Phone, text: str) -> None:
        self.desk.sent(phone.name, text)
        if text.startswith('{"accepted"'):
            number = int(text.split(":")[1].split(",")[0])
            if number > self.versions[-1].number:
                self.problem(f"{phone.name} is told of move {number} before it is committed")

    def arrived(self, phone: Phone, text: str) -> None:
        self.frames[phone.name].append((self.scheduler.now, text))
        self.desk.heard(phone.name, text)

    def answered(self, phone: Phone, answer: dict[str, Any]) -> None:
        identity = answer["id"]
        if "accepted" in answer:
            number = answer["accepted"]
            self.note(f"{phone.name} ← accepted {number} id={identity[:8]}")
            if self.accepted.setdefault(identity, number) != number:
                self.problem(f"{identity[:8]} accepted as {self.accepted[identity]} and as {number}")
            if phone.version < number and self.scheduler.now > self.trouble_until:
                self.problem(f"{phone.name} is told of move {number} and shows {phone.version}")
        else:
            self.note(f"{phone.name} ← refused {answer['refused']} id={identity[:8]}")
            self.refused[identity] = answer["refused"]
            if answer["refused"] == "our_fault":
                self.problem(f"{phone.name} is told that it was our fault")
            if self._offers.get(identity) == (len(self.versions), self.acts, len(self.drawn)):
                self.problem(f"{phone.name} is refused what the table offers, as {answer['refused']}")
        if identity in self.accepted and identity in self.refused:
            self.problem(f"{identity[:8]} accepted, and refused as {self.refused[identity]}")

    def committed(self) -> None:
        """See what a commit has changed."""
        self._see_desk()
        number, veiled_until, snapshot = self.ask(
            f"SELECT version, veiled_until, snapshot FROM play_table WHERE id = {self.table_pk}"
        )
        now, last = self.scheduler.now, self.versions[-1]
        until = None if veiled_until is None else _seconds(veiled_until)
        if number != last.number:
            if number < last.number:
                self.problem(f"version {last.number} is followed by {number}")
            self._check_mover(number)
            # Bots that are asked together answer in one transaction.
            self.versions += [Version(among, now, b"", None, now) for among in range(last.number + 1, number)]
            taken_back = self.row(number, "restores") != (None,)
            if until is not None and until < now + 5.0:
                self.problem(f"the veil over {last.number} goes on over {number}")
            if last.shown_at is None and last.veiled_until is not None:
                if last.veiled_until <= now:
                    last.shown_at = last.veiled_until
                elif not taken_back:
                    last.shown_at = now
            self.versions.append(Version(number, now, snapshot, until, now if until is None else None))
            self.note(f"database: version {number}" + (" under a veil" if until else ""))
            self._expect(number)
        elif last.veiled_until is not None and until is None and last.shown_at is None:
            last.shown_at = now
            self.note(f"database: the veil over {number} is gone")
            if number not in self.drawn:
                self.problem(f"the veil over {number} is gone, and nobody asked for that")
        self._over = self.ask(
            "SELECT t.ended_at IS NOT NULL, s.ended_at IS NOT NULL FROM play_table t "
            f"JOIN play_session s ON s.id = t.session_id WHERE t.id = {self.table_pk}"
        )

    def _see_desk(self) -> None:
        """See what a commit has changed at the GM's desk, and look soon whether every page has its cut-in."""
        hop = Hop.current
        words = self.desk.committed(self.ask, hop.intent if hop else None)
        if hop:
            hop.intent = None
        if not words:
            return
        self.note(f"database: the cut-in {words}")
        before = {phone.name: self.desk.arrived[phone.name][words] for phone in self.phones}

        def check(phone: Phone) -> None:
            if self.desk.arrived[phone.name][words] == before[phone.name]:
                self.problem(f"{phone.name} has no cut-in {words} after {PROMPT} s")

        self._look_soon(check)

    def row(self, number: int, columns: str) -> Any:
        where = f"table_id = {self.table_pk} AND number = {number}"
        return self.ask(f"SELECT {columns} FROM play_move WHERE {where}")

    def _check_mover(self, number: int) -> None:
        """See whether a phone's move was still that phone's to make when it was committed."""
        identity, seat, restores = self.row(number, "client_id, seat, restores") or ("", "", None)
        table_over, night_over = self._over
        if night_over or (table_over and restores is None):
            self.problem(f"move {number} came after the end")
        phone = self.posts.get(str(uuid.UUID(identity)) if identity else "")
        if phone is None:
            return
        bot, seat_pk, stand_in = self.ask(
            "SELECT s.bot, s.seat_id, e.stand_in_id FROM play_tableseat s "
            f"JOIN play_seat e ON e.id = s.seat_id WHERE s.table_id = {self.table_pk} AND s.key = '{seat}'"
        )
        gone = self.ask(f"SELECT removed_at IS NOT NULL FROM play_seat WHERE id = {phone.seat_pk}")[0]
        if bot or gone or phone.seat_pk not in (seat_pk, stand_in):
            self.problem(f"move {number} was not {phone.name}'s to make any more")

    def begin(self) -> None:
        """See the table as it was dealt."""
        self.desk.begin(self.ask)
        self.versions[0].snapshot = self.ask(f"SELECT snapshot FROM play_table WHERE id = {self.table_pk}")[0]

    def _expect(self, number: int) -> None:
        """Look soon whether every page shows a version."""

        def check(phone: Phone) -> None:
            if phone.version < number:
                self.problem(f"{phone.name} shows {phone.version} and not {number} after {PROMPT} s")

        self._look_soon(check)

    def _look_soon(self, check: Callable[[Phone], None]) -> None:
        """Let every page be looked at that has its line until then, unless something fails meanwhile."""
        now = self.scheduler.now
        if now < self.trouble_until:
            return
        here = [(phone, phone.line) for phone in self.phones if is_settled(phone, now - 2.0)]

        def look() -> None:
            if self.trouble_until > now:
                return
            for phone, line in here:
                if phone.line is line:
                    check(phone)

        self.scheduler.later(PROMPT, look)

    def expect_one_heartbeat(self) -> None:
        """Look after one heartbeat whether every page shows what the table is now."""
        now, number = self.scheduler.now, self.versions[-1].number
        here = [(phone, phone.line) for phone in self.phones if is_settled(phone, now - 2.0)]

        def look() -> None:
            for phone, line in here:
                if phone.line is line and phone.version < number:
                    self.problem(f"{phone.name} shows {phone.version} of {number} after a heartbeat")

        self.scheduler.later(CHECK_EVERY + 1.0, look)

    # --- how it ends ---

    def check(self) -> None:
        """Look at everything when the evening is over."""
        table = Table.objects.select_related("session__campaign").get(pk=self.table_pk)
        rows = list(table.moves.order_by("number"))
        self.rows = [(row.seat, bytes(row.move), bytes(row.events)) for row in rows]
        if last := self.versions[-1]:
            last.shown_at = last.shown_at or last.veiled_until
        removed = table.session.seats.exclude(removed_at=None)
        self.gone = set(removed.values_list("pk", flat=True))
        self._check_log(table, rows)
        self._check_answers(rows)
        self._check_taking_back(table, rows)
        self._check_pages(table)
        if (
            table_cache.read_table(table.pk).awaited_bots()
            and self.scheduler.now - self.versions[-1].at > 10.0
        ):
            self.problem("the table waits for a bot")

    def _check_log(self, table: Table, rows: list[Move]) -> None:
        if [row.number for row in rows] != list(range(1, table.version + 1)):
            self.problem(f"version {table.version} with moves {[row.number for row in rows]}")
            return
        played = [(row.seat, bytes(row.move)) for row in rows]
        try:
            made = replay.rebuild_table(
                table.module, table.opening_seats, table.options, table.secret, played
            )
        except Exception as problem:  # noqa: BLE001 (whatever it is)
            self.problem(f"the log does not play on: {problem!r}")
            return
        if made.snapshot != bytes(table.snapshot):
            self.problem("the log does not lead to the snapshot")
        if table.before is not None and bytes(table.before) != made.before:
            self.problem("the log does not lead to the snapshot before")
        if made.restores != [row.restores for row in rows]:
            self.problem("the log brings back other versions")
        if made.events != [bytes(row.events) for row in rows]:
            self.problem("the log tells other events")
        for milestone in table.milestones.all():
            self._check_milestone(table, milestone, played)

    def _check_milestone(self, table: Table, milestone: Any, played: list[tuple[str, bytes]]) -> None:
        import zlib

        upto = played[: milestone.number]
        made = replay.rebuild_table(table.module, table.opening_seats, table.options, table.secret, upto)
        if made.snapshot != zlib.decompress(milestone.snapshot):
            self.problem(f"milestone {milestone.number} is another state")

    def _check_answers(self, rows: list[Move]) -> None:
        written: defaultdict[str, list[int]] = defaultdict(list)
        for row in rows:
            written[str(row.client_id)].append(row.number)
        for identity, number in self.accepted.items():
            if written.get(identity) != [number]:
                self.problem(f"{identity[:8]} accepted as {number} and written as {written.get(identity)}")
        for identity, code in self.refused.items():
            if identity in written:
                self.problem(f"{identity[:8]} refused as {code} and written as {written[identity]}")
        for identity, phone in self.posts.items():
            if identity in written and identity not in self.accepted and phone.seat_pk not in self.gone:
                self.problem(f"{identity[:8]} written as {written[identity]} and never answered")

    def _check_taking_back(self, table: Table, rows: list[Move]) -> None:
        for row in rows:
            if row.restores is None or b'"undo"' not in bytes(row.move) or row.number < 2:
                continue
            taken = self.versions[row.number - 1] if row.number - 1 < len(self.versions) else None
            if taken is None or taken.veiled_until is None or not self._was_seen(taken, row):
                continue
            if not self._is_safe(table, rows[row.number - 2]):
                self.problem(f"move {taken.number} was taken back after its cards were shown")

    def _was_seen(self, taken: Version, row: Move) -> bool:
        """True if a veil was lifted before its move was taken back."""
        return taken.shown_at is not None and taken.shown_at < self.versions[row.number].at

    @staticmethod
    def _is_safe(table: Table, move: Move) -> bool:
        module = registry()[table.module]
        rows = table.moves.filter(number__lt=move.number).order_by("number")
        played = [(row.seat, bytes(row.move)) for row in rows]
        before = replay.rebuild_table(table.module, table.opening_seats, table.options, table.secret, played)
        decoded = decode_move(module, bytes(move.move))
        fate = Fate(table.secret, move.number)
        return undo.is_safe(module, before.snapshot, move.seat, decoded, fate, seed="witness")

    def _check_pages(self, table: Table) -> None:
        """Hold every page against one that is drawn now."""
        if self.scheduler.now - self.versions[-1].at < PAUSE:
            return  # Bots play on among themselves.
        now = table_cache.read_table(table.pk)
        for phone in self.phones:
            if phone.seat_pk in self.gone:
                continue
            if phone.outbox:
                self.problem(f"{phone.name} still waits for an answer to id={phone.outbox['id'][:8]}")
            if phone.line is None or phone.connected_at is None:
                self.problem(f"{phone.name} has no line")
            elif phone.version != table.version:
                self.problem(f"{phone.name} shows {phone.version} of {table.version}")
            else:
                self._check_page(phone, now)

    def _check_page(self, phone: Phone, now: table_cache.CachedTable) -> None:
        assert phone.line
        # Of what its process remembers, the lines of the log alone: they are drawn once, for ever.
        phone.line.process.enter()
        screen_view._tables = LruCache(screen_view.TABLES_KEPT)
        sits = next((sits for sits in now.table.sitters if sits.seat_id == phone.seat_pk), None)
        runs = phone.name.startswith("gm")
        screen = regions.screen_of(now.table, sits.key if sits else None, runs=runs)
        with translation.override("en"):
            sight = view_for(now, screen)
            for name in sight.visible_regions(phone.opened_sheets):
                if name in phone.regions and phone.regions[name] != markup.strip_markers(
                    sight.render_region(name)
                ):
                    self.problem(f"{phone.name} shows an old {name}")


def is_settled(phone: Phone, since: float) -> bool:
    """True if a phone has had its line for a while, and shows something."""
    came = phone.connected_at
    has_line = phone.line is not None and phone.line.carries and came is not None and came < since
    return has_line and not phone.sleeps and phone.version >= 0


def _seconds(written: datetime) -> float:
    return (written.replace(tzinfo=UTC) - NOON).total_seconds()


class Complaints(logging.Handler):
    """What the server's log complains about, besides a database that is away."""

    def __init__(self, witness: Witness) -> None:
        super().__init__(logging.ERROR)
        self._witness = witness
        self.is_over = False

    def emit(self, record: logging.LogRecord) -> None:
        if self.is_over:
            return
        problem = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if isinstance(problem, NO_DATABASE) or record.getMessage().startswith("the database"):
            return
        self._witness.problem(f"logged: {record.getMessage()} {problem!r}")
