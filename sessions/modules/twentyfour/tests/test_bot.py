"""The bot: it sees its own view alone, plays with sense, and beats random play clearly."""

from __future__ import annotations

from sessions.engine import bots
from sessions.engine.step import encode
from sessions.game import Fate
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.bot import bot, worth
from sessions.modules.twentyfour.moves import Challenge, Decline, Place

from .measure import wins
from .table import Table


def asked(table: Table, seat: str) -> object:
    state = table.state
    return bot(module.view(state, seat), module.legal_moves(state, seat), Fate("bot", 1))


def test_a_bot_beats_random_play() -> None:
    assert wins(bots.STEADY, bots.RANDOM, 25) > 0.6


def test_a_bot_does_not_know_the_cards_that_others_have_placed() -> None:
    table = Table()
    table.move("p2", "place", cards=["6", "5", "4", "3", "hero"])
    state = table.state
    module.resample(state, {"p1"}, Fate("twin", 1))
    twin = bot(module.view(state, "p1"), module.legal_moves(state, "p1"), Fate("bot", 1))
    assert encode(twin) == encode(asked(table, "p1"))


def test_a_bot_puts_more_hours_where_more_is_to_be_had() -> None:
    table = Table(events="red-4 blue-4 red-2 blue-2 green-2 yellow-2 white-4 purple-4 white-2 yellow-3a")
    move = asked(table, "p1")
    assert isinstance(move, Place)
    assert min(move.cards[0], move.cards[3]) > max(move.cards[1], move.cards[2])


def test_a_bot_challenges_for_much_and_declines_for_nothing() -> None:
    table = Table()
    table.at(1, p1="3 4", p2="3 5", p3="0 0", p4="0 1")
    assert isinstance(asked(table, "p3"), Decline), "five more would not be enough"
    table.move("p3", "decline")
    table.move("p4", "decline")
    assert isinstance(asked(table, "p1"), Challenge), "one more and the main card is mine"


def test_a_mastermind_is_worth_little_without_a_stand_of_its_suit() -> None:
    table = Table(season=2)
    with table as state:
        state.players["p1"].stand = ["red-2"]
    mine = module.view(table.state, "p1").players["p1"]
    assert worth("red-6", mine, 2) == 6
    assert worth("blue-6", mine, 2) == 1
    assert worth("red-6", mine, 1) == 1
