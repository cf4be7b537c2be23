"""``python -m tests.simulation``: evenings of the real code, played by a seed, as many as there is time for."""

from __future__ import annotations

import argparse
import random
import sys
import time

real_time = time.perf_counter


def main() -> bool:
    parser = argparse.ArgumentParser(prog="make simulate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", default=str(random.randrange(10_000)))
    parser.add_argument("--evenings", type=int, default=100)
    parser.add_argument("--game", default="")
    parser.add_argument("--tell", action="store_true", help="print every event")
    asked = parser.parse_args()
    from tests.simulation import ground

    ground.set_up()
    from tests.simulation.evening import play
    from tests.simulation.plan import planned

    began, moves, failed = real_time(), 0, 0
    for number in range(asked.evenings):
        seed = asked.seed if asked.evenings == 1 else f"{asked.seed}.{number}"
        plan = planned(seed, asked.game)
        result = play(plan)
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


if __name__ == "__main__":
    sys.exit(not main())
