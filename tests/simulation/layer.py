"""The channel layer between processes: it may lose, delay and disorder what one tells the other."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from copy import deepcopy
from itertools import count
from typing import TYPE_CHECKING, Any

from channels.layers import BaseChannelLayer, InMemoryChannelLayer

if TYPE_CHECKING:
    from tests.simulation.process import Process


class Wire:
    """What the processes have in common, as they have Redis."""

    def __init__(self, seed: str) -> None:
        from random import Random

        self.chance = Random(f"{seed}/wire")
        self.groups: defaultdict[str, dict[str, Layer]] = defaultdict(dict)
        #: Until then messages are lost, and until then they come late and in any order.
        self.loses_until = self.delays_until = 0.0
        self.numbers = count(1)

    def carry(self, layer: Layer, channel: str, message: dict[str, Any]) -> None:
        scheduler = layer.process.scheduler
        if scheduler.now < self.loses_until and self.chance.random() < 0.9:
            return
        late = scheduler.now < self.delays_until
        pause = self.chance.random() * (4.0 if late else 0.003)
        if not late:
            # In their order.
            layer.last_at = pause = max(scheduler.now + pause, layer.last_at + 1e-6)
            pause -= scheduler.now
        scheduler.later(pause, lambda: layer.put(channel, message))


class Layer(BaseChannelLayer):
    """The wire as one process has it."""

    extensions = ("groups",)

    def __init__(self, process: Process, wire: Wire) -> None:
        super().__init__()
        self.process, self._wire = process, wire
        self._queues: dict[str, asyncio.Queue[dict[str, Any]]] = {}
        self.last_at = 0.0

    async def new_channel(self, prefix: str = "specific") -> str:
        return f"{prefix}.{self.process.name}!{next(self._wire.numbers)}"

    async def group_add(self, group: str, channel: str) -> None:
        self._wire.groups[group][channel] = self

    async def group_discard(self, group: str, channel: str) -> None:
        self._wire.groups[group].pop(channel, None)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        for channel, layer in list(self._wire.groups[group].items()):
            if layer.process.lives:
                self._wire.carry(layer, channel, deepcopy(message))

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self._wire.carry(self, channel, deepcopy(message))

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self._queue(channel).get()

    def put(self, channel: str, message: dict[str, Any]) -> None:
        if self.process.lives:
            self.process.loop.call_soon(self._queue(channel).put_nowait, message)

    def _queue(self, channel: str) -> asyncio.Queue[dict[str, Any]]:
        if channel not in self._queues:
            self._queues[channel] = asyncio.Queue()
        return self._queues[channel]


class HomeLayer(InMemoryChannelLayer):
    """Channels' own layer of a single process, as it is at home."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        self.process, self._numbers = process, count(1)

    async def new_channel(self, prefix: str = "specific") -> str:
        return f"{prefix}.inmemory!{next(self._numbers)}"
