"""The pace of a table that pages look at: how soon bots move, and how long silence takes to be an answer.

People set the pace, each on their own device: the slowest of them is waited for, and bots hurry when all of
them want that. Nothing of it depends on what anybody holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import proxy

from channels.db import database_sync_to_async

from sessions.table import bots, silence
from sessions.table.held import Held

if TYPE_CHECKING:
    from sessions.screen.live_table import LiveTable

Tempo = Literal["slow", "usual", "quick", "now"]
#: How long bots take, as a share of their usual time. "now" lasts until its reader is asked something.
SHARES: dict[Tempo, float] = {"slow": 1.8, "usual": 1.0, "quick": 0.4, "now": 0.05}
#: Seconds until it is asked again whether somebody reads on.
READ_AGAIN = 1.0


@dataclass
class Question:
    """A question to which silence is an answer, and when it is one, by the loop's clock."""

    asked: str
    due: float
    #: False until it is known that its seat is not alone with bots and has nothing to play.
    is_real: bool = False


class Pacing:
    """Lets bots move, and silence be an answer, while pages look at a table."""

    def __init__(self, live: LiveTable) -> None:
        #: A circle of the two would hold all that the table remembers, long after its last page has gone.
        self._live: LiveTable = proxy(live)
        self._questions: dict[str, Question] = {}
        self._bots: asyncio.TimerHandle | None = None
        self._silence: asyncio.TimerHandle | None = None
        #: When the bots began to be waited for, by the loop's clock.
        self._since = 0.0

    def begin(self, now: Held) -> None:
        """Go on from a table that has changed."""
        self.stop()
        self._since = asyncio.get_running_loop().time()
        for watcher in self._live.watchers:
            if watcher.tempo == "now" and watcher.screen.seat in now.waited_for:
                watcher.rest()
        self._wait_for_bots(now)
        self._note_questions(now)
        self._wait_for_silence(now)

    def stop(self) -> None:
        for timer in (self._bots, self._silence):
            if timer:
                timer.cancel()
        self._bots = self._silence = None

    def set_again(self) -> None:
        """Go on at the pace that readers want by now."""
        if self._bots and self._live.held:
            self._bots.cancel()
            self._wait_for_bots(self._live.held)

    def left(self, seat: str | None) -> float | None:
        """Return the seconds until a seat's silence is its answer; None where it never is."""
        question = self._questions.get(seat or "")
        return max(0.0, question.due - asyncio.get_running_loop().time()) if question else None

    async def hold(self, seat: str, *, reads: bool) -> None:
        """Let a seat read what it could play, or go on when it has stopped."""
        question, now = self._questions.get(seat), self._live.held
        if question is None or now is None:
            return
        await database_sync_to_async(silence.hold)(
            table_pk=self._live.pk, seat=seat, asked=question.asked, reads=reads
        )
        if not reads:
            soon = asyncio.get_running_loop().time() + silence.AFTER_READING
            question.due = max(question.due, soon)
            self._wait_for_silence(now)

    def _wait_for_bots(self, now: Held) -> None:
        if waited := now.bots_waited_for():
            loop = asyncio.get_running_loop()
            due = self._since + bots.pace(now, waited) * self._share(now)
            self._bots = loop.call_later(max(0.0, due - loop.time()), self._live.start, self._play_bots, now)

    def _share(self, now: Held) -> float:
        """Return the share of their usual time that bots take: the longest that any player here wants."""
        people = {sits.key for sits in now.table.sitters if not sits.bot}
        playing = [watcher for watcher in self._live.watchers if watcher.screen.seat in people]
        wanted = [SHARES[watcher.tempo] for watcher in playing]
        # Those whose page is elsewhere, or is none, want the usual one.
        all_here = bool(people) and {watcher.screen.seat for watcher in playing} == people
        return max(wanted if all_here else [1.0, *wanted])

    async def _play_bots(self, now: Held) -> None:
        await database_sync_to_async(bots.play_next)(table_pk=self._live.pk, version=now.version)

    def _note_questions(self, now: Held) -> None:
        """Note whose silence is an answer; the time runs on from where a question began."""
        present = asyncio.get_running_loop().time()
        before, self._questions = self._questions, {}
        for seat, asked in silence.open_questions(now).items():
            known = before.get(seat)
            is_same = known is not None and known.asked == asked
            self._questions[seat] = known if known and is_same else Question(asked, present + silence.WINDOW)

    def _wait_for_silence(self, now: Held) -> None:
        if self._silence:
            self._silence.cancel()
            self._silence = None
        if not self._questions:
            return
        loop = asyncio.get_running_loop()
        pause, work = min(one.due for one in self._questions.values()) - loop.time(), self._take_silence
        if sum(not sits.bot for sits in now.table.sitters) == 1 and not all(
            one.is_real for one in self._questions.values()
        ):
            pause, work = bots.BREATH * self._share(now), self._pass_alone
        self._silence = loop.call_later(max(0.0, pause), self._live.start, work, now)

    async def _pass_alone(self, now: Held) -> None:
        """Pass for somebody who plays with bots and has nothing to say; else the question is a real one."""
        seat = await database_sync_to_async(silence.alone_with_nothing)(now)
        if seat is not None:
            await self._take(now, {seat})
        elif self._live.held is now:
            for question in self._questions.values():
                question.is_real = True
            self._wait_for_silence(now)

    async def _take_silence(self, now: Held) -> None:
        present = asyncio.get_running_loop().time()
        due = {seat: one for seat, one in self._questions.items() if one.due <= present}
        marks = {seat: one.asked for seat, one in due.items()}
        reading = await database_sync_to_async(silence.reading)(self._live.pk, marks)
        for seat in reading:
            due[seat].due = present + READ_AGAIN
        if silent := due.keys() - reading:
            await self._take(now, silent)
        elif self._live.held is now:
            self._wait_for_silence(now)

    async def _take(self, now: Held, seats: Collection[str]) -> None:
        await database_sync_to_async(silence.take)(table_pk=self._live.pk, version=now.version, seats=seats)
