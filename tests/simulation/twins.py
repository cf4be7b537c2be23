"""Twins: the same session with two hidden cards exchanged, which no person can know.

Until the rules show a seat a difference, every phone must get the same, at the same time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.game import AnyModule, Event
from tests.simulation.evening import Result, play
from tests.simulation.plan import Plan
from tests.simulation.scheduler import NEVER
from tests.simulation.witness import Version

#: The fields of states in which cards lie face down, the top first, and how deep the two lie at most.
PILES, DEEP = ("deck", "pile"), 8


def play_twins(plan: Plan) -> Result:
    """Play an evening twice; what tells them apart too early is among the problems of the first."""
    first = play(plan)
    with dealt_otherwise(plan):
        second = play(plan)
    if not first.problems:
        first.problems.extend(differences(plan, first, second))
    return first


@contextmanager
def dealt_otherwise(plan: Plan) -> Iterator[None]:
    """Let the game of an evening be dealt with two hidden cards the other way round."""
    module = registry()[plan.game]

    def setup(seats: list[str], options: Any, fate: Fate) -> Any:
        return twin(module, module.setup(seats, options, fate), Random(f"{plan.seed}/twins"))

    registry()[plan.game] = dataclasses.replace(module, setup=setup)
    try:
        yield
    finally:
        registry()[plan.game] = module


def twin(module: AnyModule, state: Any, chance: Random) -> Any:
    """Return a state that all seats together cannot tell from this one."""
    before = module.load(encode(state))
    for name in PILES:
        pile = getattr(state, name, None)
        if isinstance(pile, list) and len(pile) > DEEP:
            one, other = sorted(chance.sample(range(DEEP), 2))
            pile[one], pile[other] = pile[other], pile[one]
            break
    else:
        module.resample(state, state.seats, Fate("twin", chance.getrandbits(32)))
    seats = [None, *state.seats]
    return state if seen(module, state, seats) == seen(module, before, seats) else before


def seen(module: AnyModule, state: Any, seats: Collection[str | None]) -> list[bytes]:
    return [encode([module.view(state, seat), module.asked(state, seat) if seat else None]) for seat in seats]


def differences(plan: Plan, first: Result, second: Result) -> list[str]:
    """Return what was heard differently before the rules showed a difference."""
    until = shown_at(registry()[plan.game], first, second)
    for name, frames in first.frames.items():
        here = [frame for frame in frames if frame[0] < until]
        there = [frame for frame in second.frames.get(name, []) if frame[0] < until]
        if here != there:
            pairs = zip([*here, (NEVER, "")], [*there, (NEVER, "")], strict=False)
            at = min(next(one for one in pairs if one[0] != one[1]))[0]
            return [f"{name} hears at {at:.3f} what nobody can know before {until:.3f}"]
    return []


def shown_at(module: AnyModule, first: Result, second: Result) -> float:
    """Return when the rules first show a seat a difference."""
    moments = [NEVER]
    for number, (here, there) in enumerate(zip(first.versions, second.versions, strict=False)):
        if (
            here.at != there.at
            or not here.snapshot
            or (number and first.rows[number - 1][:2] != second.rows[number - 1][:2])
        ):
            moments.append(min(here.at, there.at))
            break
        moments += [
            at
            for (at, one), (_, other) in zip(
                showings(module, first, number), showings(module, second, number), strict=False
            )
            if one != other
        ]
    return min(moments)


def showings(module: AnyModule, result: Result, number: int) -> Iterator[tuple[float, list[bytes]]]:
    """Yield what a version shows to everybody, and when: as it came, and without its veil."""
    version: Version = result.versions[number]
    state, seats = module.load(version.snapshot), [None, *module.load(version.snapshot).seats]
    told = events_of(result, number)
    public = [encode(event) for event in told if event.to is None]
    veiled = None
    if version.veiled_until is not None and module.secrets.veil:
        veiled = module.secrets.veil(module.load(result.versions[number - 1].snapshot), state)
    if version.veiled_until is None or veiled is None:
        yield version.at, seen(module, state, seats) + [encode(event) for event in told]
        return
    yield version.at, seen(module, veiled, seats) + public
    if version.shown_at is not None:
        yield version.shown_at, seen(module, state, seats) + [encode(event) for event in told]


def events_of(result: Result, number: int) -> list[Event]:
    return msgspec.json.decode(result.rows[number - 1][2], type=list[Event]) if number else []
