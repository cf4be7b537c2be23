"""Each rule of RULES.md, by its id."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine.step import encode, step
from sessions.game import Fate, IllegalMove

from .. import module
from ..moves import (
    Lay,
    Stay,
    # [gm]
    Stop,
    # [/gm]
)
from ..state import CARDS, Options, Player, State

rule = pytest.mark.rule

FATE = Fate("tests", 1)


def game(*hands: list[int], box: tuple[int, ...] = ()) -> State:
    """Return a game of players with these hands; the first is ``p1``."""
    players = {f"p{number}": Player(hand) for number, hand in enumerate(hands, 1)}
    return State(list(players), Options(), list(box), players, turn="p1")


def play(state: State, seat: str, move: Any) -> State:
    snapshot, _ = step(module, encode(state), seat, move, FATE)
    return module.load(snapshot)


@rule("ST-1.1")
def test_every_card_is_there_once(opened: State) -> None:
    hands = [card for player in opened.players.values() for card in player.hand]
    assert sorted([*opened.box, *hands]) == list(CARDS) == list(range(1, 41))


@rule("ST-1.2")
def test_everybody_is_dealt_four_cards(opened: State) -> None:
    assert {len(player.hand) for player in opened.players.values()} == {4}


@rule("ST-2.1")
def test_turns_go_round_and_pass_over_those_who_stay() -> None:
    state = game([1, 2], [3, 4], [5, 6])
    with pytest.raises(IllegalMove, match="not_your_turn"):
        play(state, "p2", Lay(3))
    state = play(play(state, "p1", Lay(1)), "p2", Stay())
    assert module.waiting_for(state) == {"p3"}
    assert module.waiting_for(play(state, "p3", Lay(5))) == {"p1"}


@rule("ST-2.2")
def test_only_cards_of_the_own_hand_are_laid() -> None:
    state = game([1, 2], [3, 4])
    with pytest.raises(IllegalMove, match="not_yours"):
        play(state, "p1", Lay(3))
    assert play(state, "p1", Lay(2)).players["p1"].laid == [2]


@rule("ST-2.3")
def test_above_the_limit_is_out() -> None:
    state = game([31, 30, 1], [3, 4])
    state = play(play(play(state, "p1", Lay(31)), "p2", Stay()), "p1", Lay(30))
    assert module.view(state, None).players["p1"].over
    assert module.outcome(state).winners == ("p2",)


@rule("ST-2.4")
def test_a_player_who_stays_lays_no_more() -> None:
    state = play(play(game([1, 2], [3, 4]), "p1", Stay()), "p2", Lay(3))
    assert module.legal_moves(state, "p1") == []


@rule("ST-3.1")
def test_the_game_ends_when_nobody_can_lay() -> None:
    state = play(game([1], [3]), "p1", Lay(1))
    assert module.outcome(state) is None
    assert module.outcome(play(state, "p2", Stay())) is not None


@rule("ST-3.2")
@pytest.mark.parametrize(
    ("laid", "winners"),
    [([50, 60], ("p2",)), ([60, 60], ("p1", "p2")), ([61, 7], ("p2",)), ([61, 62], ())],
)
def test_the_highest_sum_within_the_limit_wins(laid: list[int], winners: tuple[str, ...]) -> None:
    state = game([], [])
    for player, total in zip(state.players.values(), laid, strict=True):
        player.laid = [total]
    assert module.outcome(state).winners == winners


# [gm]
@rule("ST-4.1")
def test_the_gm_stops_the_game_and_nobody_else_does() -> None:
    state = game([1, 2], [3, 4])
    state.seats.insert(0, "gm")
    with pytest.raises(IllegalMove, match="gm_only"):
        play(state, "p1", Stop())
    assert module.outcome(play(play(state, "p1", Lay(1)), "gm", Stop())).winners == ("p1",)


# [/gm]
def test_a_twin_keeps_what_is_seen() -> None:
    """Other hands and the box change; the own hand and the table do not."""
    state = game([1, 2, 3], [4, 5, 6], box=tuple(range(7, 41)))
    twin = module.load(encode(state))
    module.resample(twin, {"p1"}, FATE)
    assert twin != state
    assert module.view(twin, "p1") == module.view(state, "p1")
