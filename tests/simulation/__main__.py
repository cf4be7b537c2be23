"""``python -m tests.simulation``: evenings of the real code, played by a seed, as many as there is time for."""

from __future__ import annotations

import argparse
import multiprocessing
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
    parser.add_argument("--game", default="")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--tell", action="store_true", help="print every event")
    parser.add_argument("--planted", action="store_true", help="look for planted faults instead")
    asked = parser.parse_args()
    from tests.simulation import ground

    ground.set_up()
    from tests.simulation.playing import play_any
    from tests.simulation.plan import Wish, planned

    if asked.planted:
        return find_planted(asked.jobs)
    began, moves, failed = real_time(), 0, 0
    seeds = [f"{asked.seed}.{number}" for number in range(asked.evenings)]
    plans = [planned(seed, Wish(asked.game)) for seed in (seeds if asked.evenings > 1 else [asked.seed])]
    for plan, result in zip(plans, in_processes(play_any, plans, asked.jobs), strict=True):
        seed = plan.seed
        moves += result.moves
        if result.problems or asked.tell:
            print(f"seed {seed}: {plan.game}, {result.moves} moves, {result.problems[:5]}")
            failed += bool(result.problems)
        if asked.tell:
            for at, words in result.events:
                print(f"{at:8.3f} {words}")
    took = real_time() - began
    print(f"{asked.evenings} evenings, {moves} moves, {failed} failed, {60 * asked.evenings / took:.0f} a minute")
    return not failed


def find_planted(jobs: int) -> bool:
    """Print of each planted fault whether it was found, how soon, and by what."""
    from tests.simulation.planted import FAULTS

    began, found = real_time(), 0
    for one in in_processes(look_for_number, list(range(len(FAULTS))), jobs):
        found += bool(one.problem)
        how = f"{one.evenings:3} evenings {one.seconds:6.1f} s  {one.problem}" if one.problem else "NOT FOUND"
        print(f"{one.name:70} {how}", flush=True)
    print(f"{found} of {len(FAULTS)} found in {real_time() - began:.0f} s")
    return found == len(FAULTS)


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
