"""Phones as live.js lets them behave, and their lines to the processes.

A line is TCP: messages arrive in their order, until it breaks. A phone's frames may come twice,
late, or in another order all the same: pages that come back send again what an older line still carries.
"""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.patching import filled
from tests.simulation.process import Process
from tests.simulation.scheduler import Scheduler

#: As in live.js: between two signs of life, until a silent line is dead, between two tries.
PING_EVERY, DEAD_AFTER, FIRST, LONGEST, LONGEST_SILENCE = 5.0, 12.0, 0.5, 5.0, 30.0
TOO_MANY, OUR_CODES, RELOAD_APART = 4429, 4400, 10.0
#: Seconds in which a move is on its way to the table at most, where nothing fails; the time told is rounded.
ON_THE_WAY = 0.25
#: Seconds until a server notices that a silent line is dead.
NOTICED_AFTER = 30.0
PARTIAL = re.compile(r'<hx-partial hx-target="#([^"]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL)
PULSE = re.compile(r'data-version="(\d+)" data-asked="(\w*)"')


@dataclass
class Weather:
    """What the network does to frames, until when."""

    rough_until: float = 0.0
    twice: float = 0.3
    late: float = 0.3


class Line:
    """One websocket between a phone and a process."""

    def __init__(self, phone: Phone, process: Process) -> None:
        self.phone, self.process, self.scheduler = phone, process, process.scheduler
        self.chance = phone.chance
        self.carries, self.is_open, self.told = True, False, False
        self._to_phone_at = self._to_server_at = 0.0
        self._queue: asyncio.Queue[dict[str, Any]] | None = None
        self._soon(self._begin)

    def say(self, text: str) -> None:
        """Send a frame to the process."""
        weather, now = self.phone.weather, self.scheduler.now
        message = {"type": "websocket.receive", "text": text}
        pause = self.chance.random() * 0.02
        if now >= weather.rough_until:
            self._to_server_at = max(now + pause, self._to_server_at + 1e-6)
            self.scheduler.later(self._to_server_at - now, lambda: self._put(message))
            return
        for _ in range(1 + (self.chance.random() < weather.twice)):
            late = 3.0 if self.chance.random() < weather.late else 0.02
            self.scheduler.later(self.chance.random() * late, lambda: self._put(message))

    def cut(self, *, silently: bool = False) -> None:
        """Break: both ends hear of it soon, or each by its own patience."""
        if not self.carries:
            return
        self.carries = False
        self.scheduler.later(NOTICED_AFTER if silently else 0.01, self._leave)
        if not silently:
            self.scheduler.later(0.01, lambda: self.phone.closed(self, 1006))

    def close(self) -> None:
        """Be closed by the phone."""
        self.carries = False
        self.scheduler.later(0.01, self._leave)

    def _soon(self, act: Callable[[], object]) -> None:
        self.scheduler.later(0.002 + self.chance.random() * 0.02, act)

    def _begin(self) -> None:
        if not self.carries:
            return
        if not self.process.lives:
            self.carries = False
            self.phone.closed(self, 1006)
            return
        self.is_open = True
        self._queue = asyncio.Queue()
        self._queue.put_nowait({"type": "websocket.connect"})
        self.process.run(self.process.app(self.phone.scope(), self._queue.get, self._send))

    def _put(self, message: dict[str, Any]) -> None:
        if self.carries and self.process.lives and self._queue:
            self.process.loop.call_soon(self._queue.put_nowait, message)

    def _leave(self) -> None:
        if not self.told and self.process.lives and self._queue:
            self.told = True
            gone = {"type": "websocket.disconnect", "code": 1006}
            self.process.loop.call_soon(self._queue.put_nowait, gone)

    async def _send(self, message: dict[str, Any]) -> None:
        if not self.carries:
            if self.told:
                raise OSError("the line is closed")
            return
        now = self.scheduler.now
        self._to_phone_at = max(now + self.chance.random() * 0.02, self._to_phone_at + 1e-6)
        match message:
            case {"type": "websocket.accept"}:
                self._to_the_phone(lambda: self.phone.opened(self))
            case {"type": "websocket.send", "text": str(text)}:
                self.phone.watch.sent(self.phone, text)
                self._to_the_phone(lambda: self.phone.heard(self, text))
            case {"type": "websocket.close"}:
                self._to_the_phone(lambda: self._closed_by_server(message.get("code", 1000)))

    def _to_the_phone(self, act: Callable[[], object]) -> None:
        self.scheduler.later(self._to_phone_at - self.scheduler.now, lambda: self.carries and act())

    def _closed_by_server(self, code: int) -> None:
        self.carries = False
        self._leave()
        self.phone.closed(self, code)


class Watch:
    """An observer of all messages; the session's witness."""

    def sent(self, phone: Phone, text: str) -> None: ...
    def arrived(self, phone: Phone, text: str) -> None: ...
    def posted(self, phone: Phone, frame: dict[str, Any]) -> None: ...
    def answered(self, phone: Phone, answer: dict[str, Any]) -> None: ...
    def note(self, words: str) -> None: ...


@dataclass
class Phone:
    """One open page of a seat. It has one move on its way at most, and sends it until it is answered."""

    name: str
    #: The seat at the table whose screen this is; None: a spectator's.
    seat: str | None
    #: Their seat of the evening.
    seat_pk: int
    table_pk: int
    cookie: str
    #: The row of the seat at the table, as the page was drawn with it.
    place: int
    opened_sheets: tuple[str, ...]
    scheduler: Scheduler
    processes: Callable[[], list[Process]]
    watch: Watch
    weather: Weather
    chance: Random
    line: Line | None = None
    version: int = -1
    asked: str = ""
    outbox: dict[str, Any] | None = None
    #: The version whose cards this phone can still take back, and until when, as the server told it.
    grace: tuple[int, float] = (-1, 0.0)
    regions: dict[str, str] = field(default_factory=dict)
    heard_at: float = 0.0
    connected_at: float | None = None
    sleeps: bool = False
    _tries: int = 0
    _patience: float = DEAD_AFTER

    def start(self) -> None:
        self.connect()
        self.scheduler.later(self.chance.random() * PING_EVERY, self._tick)

    def scope(self) -> dict[str, Any]:
        query = f"lang=en&place={self.place}".encode()
        path = f"/ws/tables/{self.table_pk}/"
        headers = [(b"host", b"takujo.test"), (b"cookie", f"takujo={self.cookie}".encode())]
        return {"type": "websocket", "path": path, "query_string": query, "headers": headers}

    def connect(self) -> None:
        """Open a line to the process that accepts it."""
        self.heard_at = self.scheduler.now
        living = self.processes()
        if living:
            self.line = Line(self, self.chance.choice(living))
        else:
            self._again()

    def opened(self, line: Line) -> None:
        if line is not self.line:
            return
        self.heard_at = self.connected_at = self.scheduler.now
        self._tries = 0
        for sheet in self.opened_sheets:
            self._say({"opened": sheet})
        self._post()

    def closed(self, line: Line, code: int) -> None:
        if line is not self.line:
            return
        self.line = self.connected_at = None
        self.watch.note(f"{self.name} line closed {code}")
        if code >= OUR_CODES and code != TOO_MANY:
            self.version, self.regions = -1, {}  # The page is loaded anew, once in a while.
            self.scheduler.later(RELOAD_APART, lambda: self.line or self.connect())
            return
        self._again()

    def heard(self, line: Line, text: str) -> None:
        if line is not self.line or self.sleeps:
            return
        self.heard_at, self._patience = self.scheduler.now, DEAD_AFTER
        self.watch.arrived(self, text)
        if text.startswith("{"):
            self._answered(json.loads(text))
            return
        pulse = PULSE.search(text)
        if pulse and int(pulse[1]) < self.version:
            return  # A late view must not cover a newer one.
        for name, patch in PARTIAL.findall(text):
            self.regions[name] = filled(patch, self.regions.get(name, ""))
        if pulse:
            self.version, self.asked = int(pulse[1]), pulse[2]

    def sleep(self) -> None:
        """Be locked: nothing is read or said, and the line may die meanwhile."""
        self.sleeps = True
        if self.line and self.chance.random() < 0.5:
            self.line.cut(silently=True)

    def wake(self) -> None:
        self.sleeps = False
        # What came meanwhile was not read here: such a line is let go of.
        self.revive()

    def revive(self) -> None:
        """Let go of the line and open another."""
        if self.line:
            self.line.close()
        self.line = self.connected_at = None
        self.connect()

    def send(self, move: dict[str, Any], version: int | None = None) -> str:
        """Send a move, unless another one is under way."""
        if self.outbox or self.sleeps or self.version < 0:
            return ""
        identity = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        version = self.version if version is None else version
        self.outbox = {"id": identity, "version": version, "asked": self.asked, "move": move}
        self.watch.posted(self, self.outbox)
        self._post()
        return identity

    @property
    def may_take_back(self) -> bool:
        """True while the server takes an undo that is sent now, as it has told this phone."""
        version, until = self.grace
        return version == self.version and self.scheduler.now + ON_THE_WAY < until

    def draw_now(self) -> None:
        self._say({"draw": self.version})

    def _post(self) -> None:
        if self.outbox:
            self._say(self.outbox)

    def _say(self, frame: dict[str, Any]) -> None:
        if self.line and self.line.is_open and not self.sleeps:
            self.line.say(json.dumps(frame))

    def _tick(self) -> None:
        self.scheduler.later(PING_EVERY, self._tick)
        if self.sleeps:
            return
        self._say({"ping": 1})
        if self.line and self.scheduler.now - self.heard_at > self._patience:
            self._patience = min(2 * self._patience, LONGEST_SILENCE)
            self.watch.note(f"{self.name} gives up a silent line")
            self.revive()

    def _again(self) -> None:
        pause = min(LONGEST, FIRST * 2**self._tries) * self.chance.uniform(0.5, 1.5)
        self._tries += 1
        self.scheduler.later(pause, lambda: self.line or self.connect())

    def _answered(self, answer: dict[str, Any]) -> None:
        if "go" in answer:
            self.version, self.regions = -1, {}
            self.watch.note(f"{self.name} goes to {answer['go']}")
            self.place += 1_000_000  # It shows what the place has now.
            self.revive()
        if "grace" in answer:
            self.grace = answer["grace"]["version"], self.scheduler.now + answer["grace"]["left"]
        if answer.get("data") == 1:
            self._post()
        if answer.keys() & {"accepted", "refused"}:
            self.watch.answered(self, answer)
            if self.outbox and self.outbox["id"] == answer["id"]:
                self.outbox = None
