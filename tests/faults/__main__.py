"""``python -m tests.faults``: a session goes on through faults, and loses or doubles no acknowledged move.

In every round phones play, something fails and comes back, and the phones play on for a moment. Then every
answer that a phone got is held against the log, and the log against the snapshot. A seed fixes the faults and
their order; how they meet the moves is new every time.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.ground import Ground, ground

#: Seconds of play before a fault and after it, and until a phone that is still behind counts as lost.
BEFORE, AFTER, PATIENCE = 1.0, 1.0, 90.0
#: Seconds until a hang is ended. The start of a new process comes on top, which takes its processor time.
ENDED_WITHIN = 15.0
#: The first so many phones are the GM's and the players'.
PLAYERS = 6


async def main(playing_on: Ground, *, seed: int, rounds: int, phones: int) -> bool:
    """Play rounds of faults; return whether everything held."""
    # Django is set up by now.
    from tests.bench.lay_out import lay_out
    from tests.bench.wanted import Wanted
    from tests.faults import faults
    from tests.faults.ledger import Ledger
    from tests.faults.phones import Phone

    chance, ledger = random.Random(seed), Ledger()
    laid_out = await asyncio.to_thread(lay_out, Wanted(pages=phones, people=phones), "faults")
    table_pk = int(laid_out["pages"][0]["path"].split("/")[3])
    ports = [server.port for server in playing_on.servers]
    seats = ["gm", *(f"p{number}" for number in range(1, phones))]
    pages = zip(seats, laid_out["pages"], strict=True)
    crowd = [Phone(seat, page, ports, ledger, chance.getrandbits(32)) for seat, page in pages]
    for phone in crowd:
        phone.start()
    scene = faults.Scene(playing_on, crowd, chance)
    every = faults.HOSTED if playing_on.postgres else faults.AT_HOME
    await behind(crowd, table_pk)
    held = True
    for number, fault in zip(range(1, rounds + 1), in_turn(every, chance), strict=False):
        # The players play, the GM and the others watch.
        for phone in crowd[1:PLAYERS]:
            phone.plays = True
        await asyncio.sleep(BEFORE)
        began = time.monotonic()
        await fault(scene)
        over = time.monotonic()
        await asyncio.sleep(AFTER)
        for phone in crowd:
            phone.plays = False
        problems = await behind(crowd, table_pk)
        took = time.monotonic() - over
        if fault in faults.HANGS and over - began > ENDED_WITHIN:
            problems.append(f"the hang was ended after {over - began:.1f} s")
        problems += await asyncio.to_thread(ledger.check, table_pk)
        answers = f"{len(ledger.accepted)} moves accepted, {len(ledger.refused)} refused"
        lasted = f"lasted {over - began:4.1f} s, up to date after {took:4.1f} s"
        print(f"{number:3} {fault.__name__:15} {lasted}; {answers} so far", flush=True)
        for problem in problems:
            print(f"    {problem}", flush=True)
        held = held and not problems
    for phone in crowd:
        await phone.stop()
    return held


async def behind(crowd: list[Any], table_pk: int) -> list[str]:
    """Wait until every phone shows the newest table and has no move on its way; return what is amiss else."""
    from tests.faults.ledger import version_of

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = {phone.version for phone in crowd}
        calm = len(shown) == 1 and all(phone.is_calm for phone in crowd)
        if calm and await asyncio.to_thread(version_of, table_pk) in shown:
            return []
        await asyncio.sleep(0.02)
    late = [phone for phone in crowd if not phone.is_calm or phone.version != max(shown)]
    return [f"{phone.seat} is behind: at {phone.version} of {max(shown)}, {phone.outbox}" for phone in late]


def in_turn(every: list[Any], chance: random.Random) -> Iterator[Any]:
    """Yield all faults in a random order, again and again."""
    while True:
        yield from chance.sample(every, len(every))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make faults", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--phones", type=int, default=24)
    parser.add_argument("--hosted", action="store_true", help="PostgreSQL, Redis and two machines")
    asked = parser.parse_args()
    where = "hosted" if asked.hosted else "at home"
    print(f"{asked.rounds} rounds {where}, seed {asked.seed}, {asked.phones} phones", flush=True)
    with tempfile.TemporaryDirectory(prefix="takujo-faults-") as folder:
        with ground(Path(folder), hosted=asked.hosted) as playing_on:
            held = asyncio.run(main(playing_on, seed=asked.seed, rounds=asked.rounds, phones=asked.phones))
        if not held:
            for log in sorted(Path(folder).glob("log-*")):
                print(f"--- {log.name}", log.read_text()[-4000:], sep="\n")
    print("Nothing lost, nothing doubled." if held else "Not everything held.")
    sys.exit(not held)
