"""The pace of a table with open pages: how soon bots move, and when silence counts as an answer.

Each person sets the tempo of bots on their own device. The slowest choice counts, so bots hurry only if all
want that. The pace depends on no player's hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import proxy

from companion.server.threads import run_in_lane
from sessions.table import bots
from sessions.table.table_cache import CachedTable

if TYPE_CHECKING:
    from sessions.live.hub import LiveTable

Tempo = Literal["slow", "usual", "quick", "now"]
#: How long bots take, as a share of their usual time. "now" lasts until its reader is asked something.
DELAY_FACTORS: dict[Tempo, float] = {"slow": 1.8, "usual": 1.0, "quick": 0.4, "now": 0.05}
#: Seconds until a seat that is still reading is checked again.
CHECK_READING_AFTER = 1.0


@dataclass
class Question:
    """A question that silence answers: its mark, and the loop time from which silence counts."""

    asked: str
    due: float
    #: False while the seat may turn out to play alone with bots and have nothing to play.
    is_real: bool = False


class TableTimers:
    """Plays for bots and for silent seats while pages show a table."""

    def __init__(self, live: LiveTable) -> None:
        #: A proxy: a reference cycle would keep the table's data in memory long after its last page closed.
        self._live: LiveTable = proxy(live)
        self._questions: dict[str, Question] = {}
        self._bots: asyncio.TimerHandle | None = None
        self._silence: asyncio.TimerHandle | None = None
        #: When the wait for bots began, in loop time.
        self._since = 0.0

    def restart(self, cached: CachedTable) -> None:
        """Restart the timers for a table that has changed."""
        self.stop()
        self._since = asyncio.get_running_loop().time()
        for watcher in self._live.watchers:
            if watcher.tempo == "now" and watcher.screen.seat in cached.awaited_seats:
                watcher.reset_tempo()
        self._wait_for_bots(cached)
        self._note_questions(cached)
        self._wait_for_silence(cached)

    def stop(self) -> None:
        for timer in (self._bots, self._silence):
            if timer:
                timer.cancel()
        self._bots = self._silence = None

    def apply_tempos(self) -> None:
        """Apply the tempo that the readers have chosen now."""
        if self._bots and self._live.cached:
            self._bots.cancel()
            self._wait_for_bots(self._live.cached)

    def seconds_to_silence(self, seat: str | None) -> float | None:
        """Return the seconds until a seat's silence counts as its answer; None if it never does."""
        question = self._questions.get(seat or "")
        return max(0.0, question.due - asyncio.get_running_loop().time()) if question else None

    async def delay_timeout(self, seat: str, *, reads: bool) -> None:
        """Delay a seat's timeout while it reads what it could play; resume it when the seat has stopped."""
        question, cached = self._questions.get(seat), self._live.cached
        if question is None or cached is None:
            return
        await run_in_lane(
            self._live.lane,
            bots.note_reading,
            table_pk=self._live.pk,
            seat=seat,
            asked=question.asked,
            reads=reads,
        )
        if not reads:
            soon = asyncio.get_running_loop().time() + bots.AFTER_READING
            question.due = max(question.due, soon)
            self._wait_for_silence(cached)

    def _wait_for_bots(self, cached: CachedTable) -> None:
        if waited := cached.awaited_bots():
            loop = asyncio.get_running_loop()
            due = self._since + bots.bot_delay(cached, waited) * self._delay_factor(cached)
            self._bots = loop.call_later(
                max(0.0, due - loop.time()), self._live.start_job, self._play_bots, cached
            )

    def _delay_factor(self, cached: CachedTable) -> float:
        """Return the factor on the bots' usual delay: the largest that any player here wants."""
        people = {sits.key for sits in cached.table.sitters if not sits.bot}
        playing = [watcher for watcher in self._live.watchers if watcher.screen.seat in people]
        wanted = [DELAY_FACTORS[watcher.tempo] for watcher in playing]
        # Players without a page in this process count with the usual tempo.
        all_here = bool(people) and {watcher.screen.seat for watcher in playing} == people
        return max(wanted if all_here else [1.0, *wanted])

    async def _play_bots(self, cached: CachedTable) -> None:
        await run_in_lane(self._live.lane, bots.play_next, table_pk=self._live.pk, version=cached.version)

    def _note_questions(self, cached: CachedTable) -> None:
        """Record the seats whose silence is an answer. A question that is still open keeps its deadline."""
        present = asyncio.get_running_loop().time()
        before, self._questions = self._questions, {}
        for seat, asked in bots.open_questions(cached).items():
            known = before.get(seat)
            is_same = known is not None and known.asked == asked
            self._questions[seat] = (
                known if known and is_same else Question(asked, present + bots.REACTION_SECONDS)
            )

    def _wait_for_silence(self, cached: CachedTable) -> None:
        if self._silence:
            self._silence.cancel()
            self._silence = None
        if not self._questions:
            return
        loop = asyncio.get_running_loop()
        pause, work = min(one.due for one in self._questions.values()) - loop.time(), self._play_due_silence
        is_alone = sum(not sits.bot for sits in cached.table.sitters) == 1
        if is_alone and not all(one.is_real for one in self._questions.values()):
            pause, work = bots.BREATH * self._delay_factor(cached), self._pass_for_lone_player
        self._silence = loop.call_later(max(0.0, pause), self._live.start_job, work, cached)

    async def _pass_for_lone_player(self, cached: CachedTable) -> None:
        """Pass for a lone player among bots who has no other move; else mark the questions as real."""
        seat = await run_in_lane(self._live.lane, bots.seat_without_options, cached)
        if seat is not None:
            await self._play_silence(cached, {seat})
        elif self._live.cached is cached:
            for question in self._questions.values():
                question.is_real = True
            self._wait_for_silence(cached)

    async def _play_due_silence(self, cached: CachedTable) -> None:
        present = asyncio.get_running_loop().time()
        due = {seat: one for seat, one in self._questions.items() if one.due <= present}
        marks = {seat: one.asked for seat, one in due.items()}
        reading = await run_in_lane(self._live.lane, bots.reading_seats, self._live.pk, marks)
        for seat in reading:
            due[seat].due = present + CHECK_READING_AFTER
        if silent := due.keys() - reading:
            await self._play_silence(cached, silent)
        elif self._live.cached is cached:
            self._wait_for_silence(cached)

    async def _play_silence(self, cached: CachedTable, seats: Collection[str]) -> None:
        await run_in_lane(
            self._live.lane, bots.play_silence, table_pk=self._live.pk, version=cached.version, seats=seats
        )
