"""``python -m tests.simulation``: evenings of the real code, each played by a seed."""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

real_time = time.perf_counter


def main() -> bool:
    parser = argparse.ArgumentParser(prog="make simulate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", default=str(random.randrange(10_000)))
    parser.add_argument("--evenings", type=int, default=100)
    parser.add_argument("--game", default="", help="this game only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--tell", action="store_true", help="print every event")
    parser.add_argument("--planted", action="store_true", help="look for planted faults instead")
    parser.add_argument("--only", default="", help="only planted faults with these words")
    asked = parser.parse_args()
    from tests.simulation import ground

    ground.set_up()
    return find_planted(asked) if asked.planted else play_evenings(asked)


def play_evenings(asked: argparse.Namespace) -> bool:
    """Play evenings; print the seeds that fail, and what is left of the first of them."""
    from tests.simulation.plan import Wish, planned
    from tests.simulation.playing import play_any
    from tests.simulation.shrinking import shrunk

    began, moves, failed = real_time(), 0, 0
    seeds = [f"{asked.seed}.{number}" for number in range(asked.evenings)]
    plans = [planned(seed, Wish(asked.game)) for seed in (seeds if asked.evenings > 1 else [asked.seed])]
    for plan, result in zip(plans, in_processes(play_any, plans, asked.jobs), strict=True):
        moves += result.moves
        if result.problems:
            failed += 1
            print(f"seed {plan.seed} ({plan.game}) fails: {result.problems[0]}", flush=True)
            if failed == 1:
                smaller, shown = shrunk(plan, result, play_any)
                print(f"of its {len(plan.events)} events {len(smaller.events)} are left:")
                tell(shown)
        elif asked.tell:
            print(f"seed {plan.seed} ({plan.game})")
            tell(result)
    took = real_time() - began
    print(f"{asked.evenings} evenings with {moves} moves, {failed} of them fail.")
    print(f"{60 * asked.evenings / took:.0f} evenings a minute", file=sys.stderr)
    return not failed


def tell(result: Any) -> None:
    """Print what happened, a line an event."""
    for at, words in result.events:
        print(f"{at:8.3f} {words}")
    print(f"all that phones heard: {hashlib.sha256(repr(result.frames).encode()).hexdigest()[:16]}")


def find_planted(asked: argparse.Namespace) -> bool:
    """Print of each planted fault whether it was found, how soon, and by what."""
    from tests.simulation.planted import FAULTS

    began, found = real_time(), 0
    numbers = [number for number, one in enumerate(FAULTS) if asked.only in one.name]
    for one in in_processes(look_for_number, numbers, asked.jobs):
        found += bool(one.problem)
        how = f"{one.evenings:3} evenings {one.seconds:6.1f} s  {one.problem}" if one.problem else "NOT FOUND"
        print(f"{one.name:72} {how}", flush=True)
    print(f"{found} of {len(numbers)} found in {real_time() - began:.0f} s")
    return found == len(numbers)


def look_for_number(number: int) -> Any:
    from tests.simulation.planted import FAULTS, look_for

    return look_for(FAULTS[number])


def in_processes(play: Any, plans: list[Any], jobs: int) -> Iterator[Any]:
    """Play evenings in some processes at a time; yield what came of them in their order."""
    if jobs < 2:
        yield from map(play, plans)
    else:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            yield from pool.imap(play, plans)


if __name__ == "__main__":
    sys.exit(not main())
