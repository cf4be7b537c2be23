"""Session start. [UC-3]"""

from collections import Counter
from typing import Any

import pytest

from companion.cards import standard_deck
from companion.fate import Fate, ScriptedFate
from sessions.engine.step import start
from sessions.game import BadTable
from sessions.modules.uroboros import module
from tests.rules import rule

from .table import Table, kinds

SEATS = ["gm", "p1", "p2", "p3"]


def opened(options: dict[str, Any], *, seating: list[str] | None = None, deck: list[str] | None = None):
    shuffles = {"seating": [seating] if seating else [], "deck": [deck] if deck else []}
    return module.load(start(module, SEATS, options, ScriptedFate("tests", 0, shuffles, {}, Counter())))


@rule("UC-3.1")
def test_seating_is_by_ascending_ca_and_ties_lie_as_shuffled() -> None:
    characters = {"p1": {"ca": 9}, "p2": {"ca": 8}, "p3": {"ca": 8}}
    assert opened({"characters": characters}, seating=["p3", "p1", "p2"]).seating == ["p3", "p2", "p1"]
    assert opened({"characters": characters}, seating=["p1", "p2", "p3"]).seating == ["p2", "p3", "p1"]


@rule("UC-3.1", "UC-3.2")
def test_the_shuffles_are_of_the_player_seats_and_of_the_whole_deck() -> None:
    asked: list[tuple[str, list[str]]] = []

    class Listening(Fate):
        def shuffle(self, name: str, items: Any) -> list[Any]:
            asked.append((name, list(items)))
            return list(items)

    start(module, SEATS, {"jokers": 1}, Listening("tests", 0))
    assert asked == [("seating", ["p1", "p2", "p3"]), ("deck", standard_deck(1))]


@rule("UC-3.2", "UC-3.3", "UC-3.4")
def test_hands_are_blocks_off_the_top_in_seating_order_the_gm_last_then_the_field() -> None:
    deck = standard_deck()
    characters = {"p1": {"ca": 9, "hp_max": 2}, "p2": {"hp_max": 4}, "p3": {"hp_max": 5, "hp": 1}}
    state = opened({"characters": characters}, seating=["p1", "p2", "p3"], deck=deck)
    assert state.seating == ["p2", "p3", "p1"]
    assert state.hands["p2"].cards == deck[0:4]
    assert state.hands["p3"].cards == deck[4:5]
    assert state.hands["p1"].cards == deck[5:7]
    assert state.hands["gm"].cards == deck[7:11]
    assert state.pile == [deck[11]]
    assert state.deck == deck[12:]


@rule("UC-3.2")
def test_a_character_with_hp_0_or_less_is_dealt_no_card() -> None:
    state = opened({"characters": {"p1": {"hp": 0}, "p2": {"hp": -2}, "p3": {"hp": None}}})
    assert [len(state.hands[seat].cards) for seat in SEATS] == [4, 0, 0, 3]


@rule("UC-3.2", "UC-3.4")
@pytest.mark.parametrize("jokers", [1, 2])
def test_a_deck_too_small_is_dealt_to_its_last_card_which_is_the_field(jokers: int) -> None:
    state = opened({"characters": {seat: {"hp_max": 20} for seat in SEATS[1:]}, "jokers": jokers})
    assert [len(state.hands[seat].cards) for seat in [*state.seating, "gm"]] == [20, 20, 12 + jokers - 1, 0]
    assert len(state.pile) == 1
    assert state.deck == []


@rule("UC-3.3")
def test_the_gm_has_as_many_cards_as_players_and_one() -> None:
    view = Table({"p1": "s01", "p2": "s02"}).view("gm")
    assert (view["gm_hand_count"], view["gm_limit"], len(view["me"]["hand"])) == (3, 3, 3)


@rule("UC-3.4")
def test_a_joker_turned_up_as_the_first_field_card_has_no_suit() -> None:
    assert Table({"p1": "s01"}, field="x01").view()["field"] == {"card": "x01", "suit": None}


@rule("UC-3.5")
def test_a_latecomer_sits_after_the_same_or_a_lower_ca_and_draws() -> None:
    table = Table(
        {"p1": "s01 s02", "p2": "s03"}, deck="d01 d02 d03", characters={"p1": {"ca": 5}, "p2": {"ca": 8}}
    )
    events = table.do("gm", "add_player", character={"name": "圭", "ca": 5, "hp_max": 4, "hp": 2})
    assert kinds(events) == ["player_added", "drawn", "received"]
    assert events[0].data == {"seat": "p3", "name": "圭", "place": 1}
    assert events[1].data == {"seat": "p3", "count": 2}
    assert events[2].to == ("p3",)
    view = table.view("p3")
    assert view["seating"] == ["p1", "p3", "p2"]
    assert view["me"]["hand"] == ["d01", "d02"]
    assert view["characters"]["p3"]["name"] == "圭"
    assert table.state.seats == ["gm", "p1", "p2", "p3"]


@rule("UC-3.5")
def test_the_gms_hand_grows_at_the_next_adjusting_but_counts_at_once() -> None:
    table = Table({"p1": "s01"}, deck="d01 d02 d03 d04")
    table.do("gm", "add_player", character={"hp_max": 1})
    view = table.view("gm")
    assert (view["gm_hand_count"], view["gm_limit"]) == (2, 3)
    assert table.view("gm")["seating"] == ["p1", "p2"]


@rule("UC-3.5")
def test_a_latecomer_who_is_down_draws_nothing_but_has_a_seat() -> None:
    table = Table({"p1": "s01"})
    assert kinds(table.do("gm", "add_player", character={"hp": 0})) == ["player_added"]
    assert table.view("p2")["me"]["hand"] == []
    table.do("p2", "declare", text="I lie here.")


@rule("UC-3.5", "UC-4.9")
def test_a_latecomer_may_draw_the_decks_last_card_and_reshuffles_an_empty_deck() -> None:
    table = Table({"p1": "s01"})
    table.change(deck=["d01"], pile=["c01", "c02", "h07"])
    table.next_shuffle("c02 c01")
    events = table.do("gm", "add_player", character={"hp_max": 5})
    assert kinds(events) == ["player_added", "reshuffled", "drawn", "received"]
    assert table.hand("p2") == ["d01", "c02", "c01"]
    assert table.view()["field"]["card"] == "h07"


@rule("UC-3.5")
def test_no_latecomer_while_a_task_runs_or_hands_are_adjusted_or_beyond_eight() -> None:
    table = Table({"p1": "s01 s02"})
    table.call("p1", 1)
    assert table.refusal("gm", "add_player", character={}) == "task_running"
    table.do("gm", "cancel")
    table.do("gm", "set_hp", who="p1", hp=1)
    assert table.refusal("gm", "add_player", character={}) == "task_running"
    table.do("p1", "discard", cards=["s01"])
    for _ in range(7):
        table.do("gm", "add_player", character={})
    assert table.state.seats[-1] == "p8"
    assert table.refusal("gm", "add_player", character={}) == "table_full"


@rule("UC-3.5")
def test_latecomers_are_checked_like_characters_of_the_options() -> None:
    table = Table({"p1": "s01"})
    for character in ({"hp_max": 0}, {"hp": 4}, {"name": ""}, {"surprise": 1}, {"suits": ["h", "h"]}, None):
        assert table.refusal("gm", "add_player", character=character) == "malformed_move"
    assert table.refusal("p1", "add_player", character={}) == "gm_only"


GOOD = {
    "name": "綾",
    "ca": 99,
    "hp_max": 20,
    "hp": -99,
    "suits": ["h", "s", "c"],
    "skills": ["走る"] * 20,
    "weapons": [{"name": "n" * 40, "value": 8}],
    "armour": 0,
    "shield": 8,
    "tools": [{"name": "rope", "value": 0}] * 20,
}


@rule("UC-3.2")
def test_omitted_fields_of_a_character_have_defaults() -> None:
    state = opened({"characters": {"p1": GOOD}})
    assert state.characters["p1"].name == "綾"
    plain = state.characters["p2"]
    assert (plain.name, plain.ca, plain.hp_max, plain.hp, plain.suits, plain.armour) == (
        "p2",
        8,
        3,
        3,
        (),
        None,
    )


@rule("UC-3.2")
def test_a_characters_name_may_be_spaces() -> None:
    assert (
        opened({"characters": {"p1": {"name": "\u3000", "skills": [" "]}}}).characters["p1"].name == "\u3000"
    )


@rule("UC-3.2")
@pytest.mark.parametrize(
    "bad",
    [
        {"ca": -1},
        {"ca": 100},
        {"ca": None},
        {"ca": True},
        {"ca": 8.0},
        {"hp_max": 21},
        {"hp": -100},
        {"hp": 4},
        {"suits": ["x"]},
        {"suits": ["s", "h", "d", "c"]},
        {"name": "n" * 41},
        {"name": "a\x00b"},
        {"name": None},
        {"skills": ["s"] * 21},
        {"skills": [""]},
        {"weapons": [{"name": "axe"}]},
        {"weapons": [{"name": "axe", "value": 9}]},
        {"armour": 9},
        {"surprise": 1},
    ],
)
def test_an_impossible_character_opens_no_table(bad: dict[str, Any]) -> None:
    with pytest.raises(BadTable):
        opened({"characters": {"p1": bad}})


@rule("UC-3.2", "UC-4.2")
@pytest.mark.parametrize(
    "bad",
    [
        {"jokers": 0},
        {"jokers": True},
        {"characters": {"p4": {}}},
        {"characters": {"gm": {}}},
        {"ladder": []},
        {"ladder": [{"flip": False, "link": "any", "near": 0}] * 5},
        {"ladder": [{"flip": False, "link": "any"}] * 6},
        {"ladder": [{"flip": False, "link": "some", "near": 0}] * 6},
        {"ladder": [{"flip": False, "link": "any", "near": 13}] * 6},
        {"ladder": [{"flip": 0, "link": "any", "near": 0}] * 6},
    ],
)
def test_impossible_options_open_no_table(bad: dict[str, Any]) -> None:
    with pytest.raises(BadTable):
        opened(bad)
