"""What a card lacks, and what it would do in an attack, is told before it is played."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine.step import step
from sessions.game import Event, Fate, Seat
from sessions.modules.uroboros import module
from sessions.modules.uroboros.cards import knows
from sessions.modules.uroboros.checks import Check, Means, Miss
from sessions.modules.uroboros.legal import ATTACK_DIFFICULTIES, AttackOption
from sessions.modules.uroboros.moves import Attack, Play
from sessions.modules.uroboros.state import GM, STANDARD_LADDER, Rung, State
from sessions.modules.uroboros.turns import must_play_card, turn_seat
from tests.rules import rule

from .table import Table
from .test_checks import npc
from .test_ladder import target
from .test_random_games import lively_game


@rule("UC-4.2")
@pytest.mark.parametrize(
    ("level", "card", "q", "missed"),
    [
        (1, "s06", 0, Miss("colour", None, 0)),
        (1, "s04", 2, Miss("colour", 3, 2)),
        (2, "d06", 0, Miss("suit", None, 0)),
        (2, "d10", 1, Miss("suit", 3, 1)),
        (3, "s07", 0, Miss("suit", None, 5)),
        (3, "h13", 0, Miss(None, 6, 5)),
        (4, "h03", 0, Miss(None, 4, 2)),
        (5, "h09", 1, Miss(None, 2, 1)),
    ],
)
def test_a_failing_card_says_which_part_of_the_level_it_lacks(
    level: int, card: str, q: int, missed: Miss
) -> None:
    assert Check(STANDARD_LADDER, level, target("h07"), Means((), False, q)).miss(card) == missed


def test_a_failing_card_is_explained_by_the_lowered_level() -> None:
    """The suit is no reason where a skill lets the colour be enough. [UC-4.3]"""
    assert Check(STANDARD_LADDER, 2, target("h07"), Means((), True, 0)).miss("s06") == Miss("colour", None, 0)
    assert Check(STANDARD_LADDER, 4, target("h07"), Means(("h",), False, 0)).miss("h01") == Miss(None, 6, 5)


def played(snapshot: bytes, seat: Seat, card: str) -> bool:
    move = Play(card, "h") if card[0] == "x" else Play(card)
    _, events = step(module, snapshot, seat, move, Fate("any", 1))
    return bool(next(event for event in events if event.kind == "played").data["success"])


@pytest.mark.parametrize("players", [1, 3, 6])
def test_exactly_the_cards_that_would_fail_have_a_reason(players: int) -> None:
    told = 0
    for seed in range(2):
        for snapshot, _, _ in lively_game(players, seed):
            state = module.load(snapshot)
            for seat in state.seats:
                misses = module.view(state, seat).me.misses
                blind = state.task and not knows(seat, seat, state.task.secrecy)
                asked = state.hands[seat].cards if must_play_card(state, seat) and not blind else []
                assert set(misses) == {card for card in asked if not played(snapshot, seat, card)}
                told += len(misses)
    assert told > 50


def attack(state: State, seat: Seat, way: AttackOption, difficulty: int) -> Attack:
    targets = [*state.seating, *(npc.id for npc in state.npcs)]
    other = next(who for who in targets if who != (way.npc or seat))
    return Attack(way.npc, other, difficulty, way.weapon, 0 if way.skill else None, False)


def arranged(**options: Any) -> Table:
    """Ann holds one card of each sort; her turn has begun."""
    ann = {"suits": ["d"], "skills": ["剣術"], "weapons": [{"name": "杖", "value": 2}]}
    cards = {"p1": "h02 h12 s09 d06 c01 x01", "p2": "s01"}
    table = Table(cards, field="h07", deck="d01 s04", characters={"p1": ann}, **options)
    table.change(npcs=[npc(skills=("bite",), weapon=1), npc(id="n2", name="bat")])
    table.do("gm", "start_combat")
    return table


EVEN = [Rung(False, "any", 0), *(Rung(False, "near", near) for near in (9, 7, 5, 3, 1))]


@rule("UC-8.2")
@pytest.mark.parametrize("ladder", [STANDARD_LADDER, tuple(EVEN)])
@pytest.mark.parametrize("seat", ["p1", GM])
def test_the_forecast_of_an_attack_comes_true(seat: Seat, ladder: tuple[Rung, ...]) -> None:
    table = arranged(ladder=ladder)
    while turn_seat(table.state) != seat:
        table.do("gm", "end_turn")
    state = table.state
    ways = module.view(state, seat).me.ways
    assert len(ways) == (4 if seat == "p1" else 6)  # with a weapon or without, with the skill or without
    for way in ways:
        for difficulty in ATTACK_DIFFICULTIES:
            move = attack(state, seat, way, difficulty)
            begun, events = step(module, table.snapshot, seat, move, table.fate)
            turned = any(event.kind == "turned" for event in events)
            for card, prospects in way.prospects.items():
                foretold = prospects[difficulty - 1]
                if card[0] == "x":
                    assert foretold == "yes"
                elif turned:
                    assert foretold == "turned"
                else:
                    assert foretold == ("yes" if played(begun, seat, card) else "no")


def test_an_attack_forecasts_no_turned_card_without_a_deck() -> None:
    table = arranged()
    table.change(deck=[], pile=["h07"])
    (way, *_) = module.view(table.state, "p1").me.ways
    assert "turned" not in {one for prospects in way.prospects.values() for one in prospects}


def hit(events: list[Event]) -> int | None:
    damage: int | None = next(event for event in events if event.kind == "decided").data["damage"]
    return damage


@rule("UC-8.3")
def test_the_forecast_damage_is_done() -> None:
    table = arranged()
    snapshot = table.snapshot
    anything, *damages = module.view(table.state, "p1").me.damage
    for foretold in damages:
        table.snapshot = snapshot
        table.attack("p1", "n1", 1, skill=0, weapon=0)
        table.do("p1", "play", card=foretold.card, **({"suit": "h"} if foretold.card[0] == "x" else {}))
        events = table.do("gm", "give_up") if table.state.task else []
        assert not events or hit(events) == foretold.plain[0]
    assert [damage.plain for damage in (anything, damages[1], damages[5])] == [
        (1, 2, 3, 4, 5),
        (2, 3, 4, 5, 6),
        (3, 4, 5, 6, 7),
    ]
    assert all(each == plain + 1 for one in damages for each, plain in zip(one.chain, one.plain, strict=True))


def test_a_seats_forecasts_are_hidden_from_other_seats() -> None:
    table = arranged()
    for other in ("p2", GM):
        mine = module.view(table.state, other).me
        assert (mine.ways, mine.damage, mine.misses) == ((), (), {})
    table.attack("p1", "n1", 2)
    assert module.view(table.state, "p1").me.misses
    assert module.view(table.state, GM).me.misses == {}
