"""Each rule of RULES.md, by its id."""

from __future__ import annotations

import pytest

from sessions.engine.step import encode, step
from sessions.game import Event, Fate, IllegalMove

from .. import module
from ..moves import Choose
from ..state import CARDS, Options, Player, State

rule = pytest.mark.rule

FATE = Fate("tests", 1)


def game(*hands: list[int], rounds: int = 2) -> State:
    """Return a game of players with these hands; the first is ``p1``."""
    players = {f"p{number}": Player(hand) for number, hand in enumerate(hands, 1)}
    return State(list(players), Options(rounds), [], players)


def choose(state: State, *cards: int) -> tuple[State, list[Event]]:
    """Let everybody choose, in the order of the seats; return the state and what came of the last choice."""
    snapshot = encode(state)
    for seat, card in zip(state.players, cards, strict=True):
        snapshot, events = step(module, snapshot, seat, Choose(card), FATE)
    return module.load(snapshot), events


@rule("ST-1.1")
def test_every_card_is_there_once(opened: State) -> None:
    hands = [card for player in opened.players.values() for card in player.hand]
    assert sorted([*opened.box, *hands]) == list(CARDS) == list(range(1, 61))


@rule("ST-1.2")
def test_everybody_is_dealt_six_cards(opened: State) -> None:
    assert {len(player.hand) for player in opened.players.values()} == {6}


@rule("ST-2.1")
def test_a_choice_stands_and_nobody_sees_it() -> None:
    state = game([1, 2], [3, 4])
    snapshot, events = step(module, encode(state), "p1", Choose(1), FATE)
    assert events == [Event("chose", {"seat": "p1"})]
    chosen = module.load(snapshot)
    assert module.waiting_for(chosen) == {"p2"}
    assert module.view(chosen, "p2").chosen is None
    with pytest.raises(IllegalMove, match="has_chosen"):
        step(module, snapshot, "p1", Choose(2), FATE)
    with pytest.raises(IllegalMove, match="not_yours"):
        step(module, snapshot, "p2", Choose(1), FATE)


@rule("ST-2.2")
@pytest.mark.parametrize(
    ("cards", "points"),
    [((12, 40, 3), (0, 40, 0)), ((41, 40, 3), (0, 0, 3)), ((41, 40, 45), (0, 0, 0))],
)
def test_the_highest_that_stands_alone_earns(cards: tuple[int, ...], points: tuple[int, ...]) -> None:
    state, events = choose(game(*([card] for card in cards)), *cards)
    assert tuple(player.points for player in state.players.values()) == points
    assert events[-1].kind == ("earned" if any(points) else "nobody_earned")


@rule("ST-3.1")
def test_most_points_win_after_the_last_round() -> None:
    state, _ = choose(game([12, 50], [31, 2]), 12, 31)
    assert module.outcome(state) is None
    state, _ = choose(state, 50, 2)
    assert module.outcome(state).winners == ("p1",)


def test_a_twin_keeps_what_is_seen() -> None:
    """What others hold and have chosen changes; the own hand and the table do not."""
    state = game([1, 2, 3], [4, 5, 6])
    state.box = list(range(7, 41))
    state.players["p2"].chosen = 60
    twin = module.load(encode(state))
    module.resample(twin, {"p1"}, FATE)
    assert twin.players["p2"] != state.players["p2"]
    assert module.view(twin, "p1") == module.view(state, "p1")
