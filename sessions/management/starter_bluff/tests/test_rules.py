"""Each rule of RULES.md, by its id."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sessions.engine.step import encode, step
from sessions.game import Event, Fate, IllegalMove

from .. import module
from ..moves import Believe, Doubt, Lay
from ..state import COPIES, OpenClaim, Options, Player, State, number_on

rule = pytest.mark.rule

FATE = Fate("tests", 1)


def game(*hands: list[str]) -> State:
    """Return a game of players with these hands; the first is ``p1``."""
    players = {f"p{number}": Player(hand) for number, hand in enumerate(hands, 1)}
    return State(list(players), Options(), [], players, turn="p1")


def play(state: State, seat: str, move: Any) -> State:
    snapshot, _ = step(module, encode(state), seat, move, FATE)
    return module.load(snapshot)


@rule("ST-1.1")
def test_every_number_is_there_eight_times(opened: State) -> None:
    hands = [card for player in opened.players.values() for card in player.hand]
    cards = [*opened.box, *hands]
    assert len({*cards}) == 40
    assert Counter(map(number_on, cards)) == dict.fromkeys(range(1, 6), 8)


@rule("ST-1.2")
def test_everybody_is_dealt_as_many_cards_as_agreed(opened: State) -> None:
    assert {len(player.hand) for player in opened.players.values()} == {4}
    assert len(module.setup(["p1", "p2"], Options(cards=3), FATE).players["p2"].hand) == 3


@rule("ST-2.1")
def test_the_next_has_the_turn_when_a_claim_is_answered() -> None:
    state = game(["1a", "1b"], ["2a", "2b"], ["3a", "3b"])
    with pytest.raises(IllegalMove, match="not_your_turn"):
        play(state, "p2", Lay("2a", "p1", 2))
    state = play(state, "p1", Lay("1a", "p3", 1))
    with pytest.raises(IllegalMove, match="not_your_turn"):
        play(state, "p1", Lay("1b", "p3", 1))
    assert module.waiting_for(play(state, "p3", Believe())) == {"p2"}


@rule("ST-2.2")
def test_a_card_is_laid_before_another_and_nobody_sees_which() -> None:
    state = game(["1a", "1b"], ["2a", "2b"])
    with pytest.raises(IllegalMove, match="not_yours"):
        play(state, "p1", Lay("2a", "p2", 1))
    for nobody in ("p1", "p3"):
        with pytest.raises(IllegalMove, match="no_other"):
            play(state, "p1", Lay("1a", nobody, 1))
    snapshot, events = step(module, encode(state), "p1", Lay("1a", "p2", 5), FATE)
    assert events == [Event("claimed", {"seat": "p1", "before": "p2", "number": 5})]
    seen = module.view(module.load(snapshot), "p2")
    assert seen.claim == OpenClaim("p2", 5)
    assert seen.down == ()


@rule("ST-2.3")
def test_only_who_is_asked_answers() -> None:
    state = game(["1a", "1b"], ["2a", "2b"], ["3a", "3b"])
    with pytest.raises(IllegalMove, match="not_asked"):
        play(state, "p1", Doubt())
    state = play(state, "p1", Lay("1a", "p3", 1))
    with pytest.raises(IllegalMove, match="not_asked"):
        play(state, "p2", Doubt())
    assert module.legal_moves(state, "p3") == [Believe(), Doubt()]


@rule("ST-2.4", "ST-2.5")
@pytest.mark.parametrize(
    ("card", "answer", "points", "turned_up"),
    [
        ("4a", Believe(), (4, 0), ()),
        ("1a", Believe(), (4, 0), ()),
        ("4a", Doubt(), (8, 0), (4,)),
        ("1a", Doubt(), (0, 4), (1,)),
    ],
    ids=["truth believed", "lie believed", "truth doubted", "lie doubted"],
)
def test_a_claim_earns_its_points(
    card: str, answer: Any, points: tuple[int, int], turned_up: tuple[int, ...]
) -> None:
    state = play(play(game([card], ["2a"]), "p1", Lay(card, "p2", 4)), "p2", answer)
    assert tuple(player.points for player in state.players.values()) == points
    assert module.view(state, "p2").shown == turned_up


@rule("ST-3.1")
def test_most_points_win_when_the_last_claim_is_answered() -> None:
    state = play(play(game(["1a"], ["2a"]), "p1", Lay("1a", "p2", 3)), "p2", Believe())
    state = play(state, "p2", Lay("2a", "p1", 2))
    assert module.outcome(state) is None
    assert module.outcome(play(state, "p1", Believe())).winners == ("p1",)
    assert module.outcome(play(state, "p1", Doubt())).winners == ("p2",)


def test_a_twin_keeps_what_is_seen() -> None:
    """What others hold and have laid face down changes; what one has laid oneself does not."""
    state = play(game(["1a", "1b"], ["2a", "2b", "2c"]), "p1", Lay("1a", "p2", 5))
    state.box = [f"3{copy}" for copy in COPIES]
    twins = {seat: module.load(encode(state)) for seat in state.players}
    for seat, twin in twins.items():
        module.resample(twin, {seat}, FATE)
        assert twin.players[seat] == state.players[seat]
        assert module.view(twin, seat) == module.view(state, seat)
    assert twins["p1"].players["p2"].hand != state.players["p2"].hand
    assert twins["p2"].players["p1"].down != state.players["p1"].down
