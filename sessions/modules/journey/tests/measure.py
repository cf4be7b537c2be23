"""The bot's share of won journeys: ``python -m sessions.modules.journey.tests.measure map,rucksack 200``.

A journey takes it a few seconds; ``none`` stands for no items.
"""

from __future__ import annotations

import sys

from sessions.engine.step import start, step
from sessions.game import Fate
from sessions.modules.journey import module
from sessions.modules.journey.bot import imagine_state, plan
from sessions.modules.journey.moves import AnyMove, Pack
from sessions.modules.journey.state import ITEMS, State
from sessions.modules.journey.view import View


def play(items: list[str], secret: str) -> State:
    """Play a whole journey as the bot would, thinking again after each revealed card."""
    moves: list[AnyMove] = [Pack(tuple(item for item in ITEMS if item in items))]
    snapshot, number = start(module, ["p1"], {}, Fate(secret, 0)), 0
    while not module.load(snapshot).reason:
        if not moves:
            view = module.view(module.load(snapshot), "p1")
            assert isinstance(view, View)
            moves = list(plan(imagine_state(view, Fate(f"bot {secret}", number))))
        number += 1
        snapshot, events = step(module, snapshot, "p1", moves.pop(0), Fate(secret, number))
        if any(event.kind in ("drawn", "looped") for event in events):
            moves = []
    return module.load(snapshot)


def main() -> None:
    """Play as many journeys as asked for with the items named; say how many came home, and their scores."""
    items, count = sys.argv[1].replace("none", "").split(","), int(sys.argv[2])
    scores = []
    for number in range(count):
        outcome = module.outcome(play(items, str(number)))
        if outcome and outcome.reason == "home":
            scores.append(outcome.score)
    sys.stdout.write(f"{','.join(items)}: {len(scores)} of {count} came home; scores {sorted(scores)}\n")


if __name__ == "__main__":
    main()
