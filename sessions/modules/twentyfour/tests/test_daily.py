"""The game of the day: its score, and signs that tell of no card."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.engine.bots import random_game
from sessions.engine.step import decode_move, step
from sessions.game import Event
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.state import EVENTS, INCIDENTS, SEASONS
from sessions.modules.twentyfour.telling import daily_score, signs


def whole() -> tuple[Any, list[Event]]:
    """A random game: its last state, and all that was told."""
    played, events = list(random_game(module, 3, "a day")), list[Event]()
    for number, (before, after) in enumerate(pairwise(played), 1):
        move = decode_move(module, after.move)
        assert after.seat
        snapshot, told = step(module, before.snapshot, after.seat, move, Fate("a day", number))
        assert snapshot == after.snapshot
        events += told
    return module.load(played[-1].snapshot), events


def test_a_result_has_a_square_for_each_incident_and_the_vp_as_score() -> None:
    state, events = whole()
    assert daily_score(module.load(next(iter(random_game(module, 3, "a day"))).snapshot), "p1") is None
    for seat in state.seats:
        line = signs(events, seat)
        assert [len(season) for season in line.split(" ")] == [INCIDENTS] * SEASONS
        assert set(line) <= set("🟩🟨⬜🟥⬛ ")
        assert daily_score(state, seat) == state.result.vp[seat]
    # A main card goes to one seat at most.
    for one, two, three in zip(*(signs(events, seat) for seat in state.seats), strict=True):
        assert (one, two, three).count("🟩") <= 1


def test_the_signs_of_a_result_do_not_depend_on_the_cards() -> None:
    state, events = whole()
    words = msgspec.json.encode(events).decode()
    for place, card in enumerate(EVENTS):
        words = words.replace(f'"{card}"', f'"#{place}"')
    for place, card in enumerate(reversed(EVENTS)):
        words = words.replace(f'"#{place}"', f'"{card}"')
    other = msgspec.json.decode(words, type=list[Event])
    assert other != events
    assert [signs(other, seat) for seat in state.seats] == [signs(events, seat) for seat in state.seats]
