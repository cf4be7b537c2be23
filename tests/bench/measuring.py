"""Measurements of one stretch of play, and the ratios of several that were played in turns."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tests.bench.client import Room
from tests.bench.running import Running

REPEATS = 3
#: Seconds after the last move until a server has done what it does in a pause.
PAUSE = 2.4


@dataclass(frozen=True)
class Measured:
    """The cost of a stretch of play."""

    moves: int
    seconds: float
    processor: float
    #: Processor time of the pause after the last move of each table.
    pause: float
    tables: int
    waits: list[float]
    received: int

    def __str__(self) -> str:
        cost, wait = f"{1000 * self.cost:.2f} ms a move", f"p50 {1000 * self.wait(50):.1f} ms"
        return f"  {self.moves} moves at {self.tables}: {cost}, {1000 * self.pause_cost:.1f} ms after, {wait}"

    @property
    def moves_a_second(self) -> float:
        return self.moves / self.seconds

    @property
    def cost(self) -> float:
        """Processor time of the server a move."""
        return self.processor / self.moves

    @property
    def pause_cost(self) -> float:
        """Processor time of the server after a move without another one within a second."""
        return self.pause / self.tables

    def wait(self, percent: int) -> float:
        """Seconds from a move until every page shows it, as a percentile."""
        waits = sorted(self.waits)
        return waits[min(len(waits) - 1, len(waits) * percent // 100)]

    def __add__(self, other: Measured) -> Measured:
        return Measured(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.processor + other.processor,
            self.pause + other.pause,
            self.tables + other.tables,
            self.waits + other.waits,
            self.received + other.received,
        )


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    part: str
    ratio_of: str
    values: Sequence[float]
    goal: str = ""


async def connect(running: Running, rooms: list[Room], ports: list[int] | None = None) -> None:
    for room in rooms:
        await room.connect(ports or running.ports)


async def measure(running: Running, rooms: list[Room], *, moves: int = 0, seconds: float = 0) -> Measured:
    """Play at all tables at the same time, for a number of moves each or for some seconds."""
    for room in rooms:
        room.waits.clear()
    played, received = sum(room.played for room in rooms), sum(room.received for room in rooms)
    began, used = time.perf_counter(), running.processor_seconds
    if moves:
        await asyncio.gather(*(room.play(moves) for room in rooms))
    else:
        await asyncio.gather(*(room.play_until(began + seconds) for room in rooms))
    ended, then = time.perf_counter(), running.processor_seconds
    await asyncio.sleep(PAUSE)
    measured = Measured(
        moves=sum(room.played for room in rooms) - played,
        seconds=ended - began,
        processor=then - used,
        pause=running.processor_seconds - then,
        tables=len(rooms),
        waits=[wait for room in rooms for wait in room.waits],
        received=sum(room.received for room in rooms) - received,
    )
    print(measured, file=sys.stderr)
    return measured


def table(rows: list[Row]) -> str:
    """Return rows in Markdown, of each the median and how far its values lie apart."""
    lines = ["| part | ratio | median | lowest to highest | goal |", "| --- | --- | --: | --- | --- |"]
    for row in rows:
        apart = f"{number(min(row.values))} to {number(max(row.values))}"
        middle = number(median(row.values))
        lines.append(f"| {row.part} | {row.ratio_of} | {middle} | {apart} | {row.goal} |")
    return "\n".join(lines)


def number(value: float) -> str:
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"
