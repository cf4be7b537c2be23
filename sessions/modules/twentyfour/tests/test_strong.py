"""The strong level: what it foresees is right, and it beats the plain level."""

from __future__ import annotations

from itertools import product

import pytest

from sessions.engine import bots
from sessions.game import Fate
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.moves import Challenge, Decline
from sessions.modules.twentyfour.state import ACTIONS, HERO
from sessions.modules.twentyfour.strong_bot import Chances, hope, improve_shares, pair, rivals, strong_bot

from .measure import wins
from .table import Table


def held(*cards: str) -> Chances:
    """A rival who has one of these pairs: "3 5"."""
    pairs = [pair(*both.split(), scotch=False) for both in cards]
    return {one: 1 / len(pairs) for one in pairs}


@pytest.mark.parametrize(
    ("mine", "others", "ranks"),
    [
        ("6 5", ["3 3", "1 0"], (1, 0, 0)),
        ("3 3", ["6 5", "1 0"], (0, 1, 0)),
        ("0 1", ["6 5", "3 3"], (0, 0, 0)),
        ("3 2", ["2 3"], (1, 0, 0)),  # the larger first card [TF-6.3]
        ("3 2", ["3 2"], (0, 0, 1)),
        ("0 hero", ["6 5", "3 3"], (1, 0, 0)),  # a hero alone is first [TF-6.2]
        ("6 5", ["0 hero", "3 3"], (0, 1, 0)),
        ("6 5", ["5 hero", "4 hero"], (1, 0, 0)),  # two are none [TF-5.2]
        ("6 hero", ["5 hero", "3 4"], (0, 1, 0)),
    ],
)
def test_the_strong_bot_ranks_the_players_of_an_incident(
    mine: str, others: list[str], ranks: tuple[float, ...]
) -> None:
    assert hope(pair(*mine.split(), scotch=False), [held(other) for other in others]) == ranks


def test_the_strong_bots_chances_count_all_possible_hands() -> None:
    """By hand: every pair of hands of two rivals, without heroes, is as likely as any other."""
    one, other = ["5 0", "3 6", "2 2"], ["4 4", "0 1"]
    mine = pair("3", "4", scotch=False)
    ahead = [sum(sum(map(int, hand.split())) > mine.power for hand in hands) for hands in product(one, other)]
    found = hope(mine, [held(*one), held(*other)])
    assert found == pytest.approx((ahead.count(0) / 6, ahead.count(1) / 6, 0))


def test_the_strong_bot_counts_the_cards_that_are_left() -> None:
    """After five first cards a rival has five others, and after some were turned up those that remain."""
    table = Table()
    for seat in ("p1", "p2", "p3", "p4"):
        table.move(seat, "place", cards=["0", "0", "1", "2", "3"])
    (hands, *_) = rivals(module.view(table.state, "p1"), 4)
    least, most = min(one.power for one in hands), max(one.power for one in hands)
    assert (least, most) == (3, 3 + 6 + 3), "3 and a hero, and 3 and 6 and the most that a challenge adds"
    assert sum(hands.values()) == pytest.approx(1)


def test_cards_are_traded_until_no_trade_helps() -> None:
    shares = improve_shares(ACTIONS, lambda place, both: both.count(HERO) * place)
    assert HERO in shares[4]


def test_the_strong_bot_challenges_for_much_and_declines_for_nothing() -> None:
    table = Table()
    table.at(1, p1="3 4", p2="3 5", p3="0 0", p4="0 1")
    state = table.state
    asked = strong_bot(module.view(state, "p3"), module.legal_moves(state, "p3"), Fate("bot", 1))
    assert isinstance(asked, Decline), "five more would not be enough"
    table.move("p3", "decline")
    table.move("p4", "decline")
    state = table.state
    asked = strong_bot(module.view(state, "p1"), module.legal_moves(state, "p1"), Fate("bot", 1))
    assert isinstance(asked, Challenge), "one more and the main card is mine"


@pytest.mark.long
def test_the_strong_bot_beats_the_plain_one() -> None:
    """58 % of 1,000 games among two plain ones; a third would be chance."""
    assert wins(bots.STRONG, bots.STEADY, 40) > 0.42
