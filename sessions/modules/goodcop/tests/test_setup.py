"""Components and setup: chapters 1 and 2."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.fate import Fate, ScriptedFate
from sessions.engine.step import start
from sessions.game import BadTable
from sessions.modules.goodcop import module
from sessions.modules.goodcop.moves import NUMBERS
from sessions.modules.goodcop.state import State
from sessions.modules.goodcop.tests.table import Game

rule = pytest.mark.rule


def dealt(players: int, seed: str = "", fate: Fate | None = None, **options: Any) -> State:
    seats = module.seat_list(players)
    return module.load(start(module, seats, options, fate or Fate(seed, 0)))


@rule("GC-1.1")
@pytest.mark.parametrize(
    ("players", "zombies", "each", "aside"),
    [
        (4, False, 5, 0), (5, False, 7, 1), (6, False, 8, 0), (7, False, 10, 1), (8, False, 11, 0),
        (4, True, 5, 1), (5, True, 6, 0), (6, True, 8, 1), (7, True, 9, 0), (8, True, 11, 1),
    ],
)  # fmt: skip
def test_the_cards_are_those_of_the_table(players: int, zombies: bool, each: int, aside: int) -> None:
    state = dealt(players, zombies=zombies)
    faces = Counter(card.face for player in state.players.values() for card in player.cards)
    faces += Counter(state.aside)
    assert faces["honest"] == faces["crooked"] == each
    assert faces["agent"] == faces["kingpin"] == 1
    assert faces["infector"] == zombies
    assert len(state.aside) == aside
    assert all(len(player.cards) == 3 for player in state.players.values())
    assert not any(card.up for player in state.players.values() for card in player.cards)


@rule("GC-1.2")
def test_there_are_as_many_guns_as_players() -> None:
    game = Game()
    for seat, aim in (("p1", "p2"), ("p2", "p3"), ("p3", "p4"), ("p4", "p1")):
        assert game.turn == seat
        game.do(seat, "arm", reveal=0, aim=aim)
        game.do(seat, "keep")
    assert [game.player(seat)["armed"] for seat in ("p1", "p2", "p3", "p4")] == ["gun"] * 4


@rule("GC-1.2")
def test_the_equipment_deck_has_all_cards_for_its_options() -> None:
    assert dealt(4).deck.count("wiretap") + sum("wiretap" in p.hand for p in dealt(4).players.values()) == 1
    for zombies, count in ((False, 19), (True, 28)):
        state = dealt(4, zombies=zombies)
        held = [card for player in state.players.values() for card in player.hand]
        assert len(held) + len(state.deck) == count
        assert Counter([*held, *state.deck])["defibrillator"] == 2


@rule("GC-2.1")
def test_leaders_never_share_a_player_and_the_deal_goes_by_the_shuffles() -> None:
    for number in range(60):
        state = dealt(4 + number % 5, f"deal {number}", zombies=number % 2 == 1)
        for player in state.players.values():
            assert len({card.face for card in player.cards} & {"agent", "kingpin", "infector"}) <= 1
    integrity = ["honest", "crooked", *["honest"] * 4, *["crooked"] * 4]
    shuffles = {
        "integrity": [integrity],
        "leaders": [["honest", "kingpin", "crooked", "agent"]],
        "positions": [
            ["honest", "honest", "honest"],
            ["honest", "kingpin", "honest"],
            ["crooked", "crooked", "crooked"],
            ["crooked", "crooked", "agent"],
        ],
    }
    state = dealt(4, fate=ScriptedFate("", 0, shuffles, {}, Counter()))
    faces = [[card.face for card in player.cards] for player in state.players.values()]
    assert faces == shuffles["positions"]


@rule("GC-2.2")
def test_one_equipment_card_each_from_the_top() -> None:
    state = dealt(5, zombies=True)
    deck = [player.hand[0] for player in state.players.values()] + state.deck
    again = dealt(5, fate=ScriptedFate("", 0, {"equipment": [deck[::-1]]}, {}, Counter()), zombies=True)
    assert [player.hand for player in again.players.values()] == [[card] for card in deck[::-1][:5]]
    assert again.deck == deck[::-1][5:]


@rule("GC-2.3")
def test_the_order_of_turns_is_drawn_and_turned_to_the_seat_that_starts() -> None:
    shuffles = {"seats": [["p3", "p1", "p4", "p2"]]}
    state = dealt(4, fate=ScriptedFate("", 0, shuffles, {}, Counter()))
    assert (state.order, state.turn) == (["p3", "p1", "p4", "p2"], "p3")
    state = dealt(4, fate=ScriptedFate("", 0, shuffles, {}, Counter()), start="p4")
    assert (state.order, state.turn) == (["p4", "p2", "p3", "p1"], "p4")
    view = module.view(state, None)
    assert view.order == ("p4", "p2", "p3", "p1")  # type: ignore[attr-defined]


@rule("GC-2.3")
def test_a_start_seat_that_does_not_play_opens_no_table() -> None:
    with pytest.raises(BadTable, match="p7"):
        dealt(4, start="p7")
    with pytest.raises(BadTable):
        dealt(4, start="p9")
    with pytest.raises(BadTable):
        dealt(3)


@rule("GC-2.4")
def test_each_player_sees_their_own_cards_and_no_others() -> None:
    game = Game("A H H | K C C | H H C | C C H")
    assert game.view("p1")["me"]["cards"] == ["agent", "honest", "honest"]
    assert [card["face"] for card in game.player("p1", "p1")["cards"]] == ["agent", "honest", "honest"]
    for looker in ("p2", "p3", "p4", None):
        assert [card["face"] for card in game.player("p1", looker)["cards"]] == ["?"] * 3
    assert game.view()["me"] is None


def test_the_card_numbers_are_enough_for_each_count_of_players() -> None:
    for players, (base, undead) in NUMBERS.items():
        assert 0 <= 2 * base + 2 - 3 * players <= 1
        assert 0 <= 2 * undead + 3 - 3 * players <= 1
