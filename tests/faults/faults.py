"""The faults: each lasts for a while, and is over when its function returns."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from tests.faults.ground import Ground
from tests.faults.lines import Line
from tests.faults.phones import Phone
from tests.servers import IN_THE_GAME

#: Seconds that a fault lasts.
SHORTEST, LONGEST = 0.5, 3.0
#: Seconds that a machine is cut off at most: longer than a phone waits on a silent line.
LONGEST_PARTITION = 20.0


@dataclass(frozen=True)
class Scene:
    """Where a fault strikes."""

    ground: Ground
    phones: list[Phone]
    chance: random.Random

    async def a_while(self) -> None:
        await asyncio.sleep(self.chance.uniform(SHORTEST, LONGEST))


async def kill_9(scene: Scene) -> None:
    """A process dies, and is started again."""
    server = scene.chance.choice(scene.ground.servers)
    server.kill()
    await scene.a_while()
    await asyncio.to_thread(server.start)


async def stop_and_go_on(scene: Scene) -> None:
    """A process stands still: lines stay open and unanswered."""
    server = scene.chance.choice(scene.ground.servers)
    server.freeze()
    await scene.a_while()
    server.thaw()


async def stop_for_good(scene: Scene) -> None:
    """A process stands still, and does not go on."""
    server = scene.chance.choice(scene.ground.servers)
    server.freeze()
    await asyncio.to_thread(server.replace_when_silent)


async def endless_loop(scene: Scene) -> None:
    """The game does not come back from one player's move."""
    phone = scene.chance.choice([phone for phone in scene.phones if phone.plays])
    failed = phone.ledger.count_refused("game_failed")
    phone.next_words = IN_THE_GAME
    # The others' moves are refused while the table is stalled.
    while phone.ledger.count_refused("game_failed") == failed:
        await asyncio.sleep(0.1)


async def cut(scene: Scene) -> None:
    """Lines end without a word, some of them in the midst of a move."""
    for _ in range(3):
        for phone in scene.chance.sample(scene.phones, len(scene.phones) // 2):
            phone.cut()
        await scene.a_while()


async def twice(scene: Scene) -> None:
    """Every frame comes twice."""
    for phone in scene.phones:
        phone.sends_twice = True
    await scene.a_while()
    for phone in scene.phones:
        phone.sends_twice = False


async def locked(scene: Scene) -> None:
    """Another connection writes to the database slowly."""

    def hold(seconds: float) -> None:
        with transaction.atomic():
            # In SQLite a transaction keeps every other writer out as soon as it begins.
            if connection.vendor == "postgresql":
                connection.cursor().execute("LOCK TABLE play_table IN ACCESS EXCLUSIVE MODE")
            time.sleep(seconds)
        connection.close()

    await asyncio.to_thread(hold, scene.chance.uniform(SHORTEST, LONGEST))


async def redis_killed(scene: Scene) -> None:
    """Redis dies, and comes back with nothing in it."""
    assert scene.ground.redis
    scene.ground.redis.stop(signal.SIGKILL)
    await scene.a_while()
    await asyncio.to_thread(scene.ground.redis.start)


async def postgres_killed(scene: Scene) -> None:
    """PostgreSQL breaks off what it does, and comes back."""
    assert scene.ground.postgres
    await asyncio.to_thread(scene.ground.postgres.halt)
    await scene.a_while()
    await asyncio.to_thread(scene.ground.postgres.start)


async def postgres_unreachable(scene: Scene) -> None:
    """One of two machines does not reach PostgreSQL: nobody refuses a connection, and nobody answers."""
    await _interrupt(scene, scene.ground.lines[:1])


async def redis_unreachable(scene: Scene) -> None:
    """One of two machines does not reach Redis."""
    await _interrupt(scene, scene.ground.lines[1:])


async def machine_alone(scene: Scene) -> None:
    """One of two machines reaches neither, and the phones at it know nothing of that."""
    await _interrupt(scene, scene.ground.lines)


async def _interrupt(scene: Scene, lines: Sequence[Line]) -> None:
    for line in lines:
        line.interrupt()
    await asyncio.sleep(scene.chance.uniform(LONGEST, LONGEST_PARTITION))
    for line in lines:
        line.repair()


Fault = Callable[[Scene], Awaitable[None]]
#: The hangs that have to be ended soon.
HANGS: list[Fault] = [stop_for_good, endless_loop]
AT_HOME: list[Fault] = [kill_9, stop_and_go_on, stop_for_good, endless_loop, cut, twice, locked]
PARTITIONS: list[Fault] = [postgres_unreachable, redis_unreachable, machine_alone]
HOSTED: list[Fault] = [*AT_HOME, redis_killed, postgres_killed, *PARTITIONS]
