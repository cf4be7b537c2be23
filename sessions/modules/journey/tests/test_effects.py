"""The effects of events. [JO-3.6 to 3.11, 3.14]"""

from __future__ import annotations

import pytest

from .table import Journey

rule = pytest.mark.rule


def at_effect(
    days: dict[int, str], card: str, *, pawns: str = "1 1 1", items: str = "", **fields: str
) -> Journey:
    """Play ``card`` so that it is placed; black pawn a moves."""
    journey = Journey(items=items).put(days, pawns=pawns, hand=f"{card} yellow-6", **fields)
    journey.do("play", card=card, black="a")
    return journey


@rule("JO-3.6")
def test_effects_come_from_the_nearest_outwards_each_suit_once() -> None:
    journey = at_effect({4: "red-1 blue-5"}, "red-3")
    assert (journey.view.phase, journey.view.acting, journey.view.pending) == ("red", "red-3", ("blue",))
    journey.do("red", pawn="a", step=1)
    assert journey.view.turn == 2


@rule("JO-3.6")
def test_effects_apply_whether_the_story_is_solved_or_not() -> None:
    journey = Journey().put(pawns="1 1 1", hand="red-3 yellow-6", solved=["red"])
    journey.do("play", card="red-3", black="a")
    assert journey.view.phase == "red"


@rule("JO-3.6")
def test_when_the_nearest_red_was_traded_away_a_farther_red_applies() -> None:
    journey = at_effect({3: "white-4", 4: "red-4 red-5"}, "blue-3")
    assert journey.view.pending == ("red",)
    journey.do("blue", first="red-4", second="white-4")
    assert journey.view.days[3].events == ("blue-3", "white-4", "red-5")
    assert (journey.view.phase, journey.view.acting) == ("red", "red-5")


@rule("JO-3.6")
def test_an_event_traded_in_never_applies() -> None:
    journey = at_effect({3: "red-5", 4: "white-5"}, "blue-3")
    journey.do("blue", first="white-5", second="red-5")
    assert journey.view.days[3].events == ("blue-3", "red-5")
    assert journey.view.turn == 2


@rule("JO-3.6")
def test_an_event_traded_out_and_back_does_not_apply() -> None:
    journey = Journey(items="lantern").put(
        {3: "white-4", 4: "green-6 red-4 yellow-1"}, pawns="1 3 3", hand="blue-3 yellow-6"
    )
    journey.do("play", card="blue-3", black="a")
    journey.do("blue", first="red-4", second="white-4")
    assert (journey.view.phase, journey.view.pending) == ("green", ("yellow",))
    journey.do("green", copy="blue-3")
    journey.do("blue", first="red-4", second="white-4")
    assert journey.view.days[3].events == ("blue-3", "green-6", "red-4", "yellow-1")
    assert (journey.view.phase, journey.view.acting, journey.view.pending) == ("yellow", "yellow-1", ())


@rule("JO-3.6")
def test_a_trade_inside_the_location_changes_neither_list_nor_order() -> None:
    journey = at_effect({4: "red-4 white-4"}, "blue-3", pawns="1 6 6")
    journey.do("blue", first="red-4", second="white-4")
    assert journey.view.days[3].events == ("blue-3", "white-4", "red-4")
    assert (journey.view.phase, journey.view.acting, journey.view.pending) == ("red", "red-4", ("white",))


@rule("JO-3.7")
@pytest.mark.parametrize(("day", "step", "to"), [(1, -1, 7), (7, 1, 1), (3, 1, 4), (3, -1, 2)])
def test_red_moves_a_black_pawn_one_location_round_the_ring(day: int, step: int, to: int) -> None:
    journey = at_effect({}, "red-3", pawns=f"1 1 {day}")
    journey.do("red", pawn="b", step=step)
    assert journey.view.pawns.b == to


@rule("JO-3.7")
def test_the_red_effect_cannot_be_declined() -> None:
    journey = at_effect({}, "red-3")
    assert journey.refused("red", pawn=None, step=1) == "malformed_move"
    assert journey.refused("go_on") == "not_now"
    assert len(journey.legal("red")) == 4


@rule("JO-3.8")
def test_blue_trades_two_events_of_one_number_anywhere() -> None:
    journey = at_effect({1: "red-5", 2: "white-5 yellow-2"}, "blue-3")
    assert journey.refused("blue", first="red-5", second="yellow-2") == "different_numbers"
    assert journey.refused("blue", first="red-5", second="red-5") == "same_event"
    assert journey.refused("blue", first="red-5", second="green-5") == "not_placed"
    assert journey.legal("blue") == [{"first": "red-5", "second": "white-5"}, {"first": None, "second": None}]
    journey.do("blue", first="white-5", second="red-5")
    assert journey.view.days[0].events == ("white-5",)
    assert journey.view.days[1].events == ("red-5", "yellow-2")


@rule("JO-3.8", "JO-3.14")
def test_blue_may_be_declined_and_does_not_wait_without_a_pair() -> None:
    journey = at_effect({1: "red-5", 2: "white-5"}, "blue-3")
    journey.do("blue", first=None, second=None)
    assert journey.view.turn == 2
    assert at_effect({1: "red-5"}, "blue-3").view.turn == 2


@rule("JO-3.9")
def test_yellow_draws_and_waits_for_a_card_put_back() -> None:
    journey = at_effect({}, "yellow-3", deck="white-1 white-2 white-3")
    assert journey.view.phase == "yellow"
    assert journey.view.hand == ("yellow-6", "white-1")
    assert journey.refused("yellow", card="white-2", to="top") == "not_in_hand"
    assert len(journey.legal("yellow")) == 4
    journey.do("yellow", card="white-1", to="bottom")
    assert journey.view.hand == ("yellow-6", "white-2")
    assert journey.state.deck == ["white-3", "white-1"]
    assert journey.view.known_bottom == ("white-1",)


@rule("JO-3.9")
def test_yellow_to_the_top_is_drawn_next() -> None:
    journey = at_effect({}, "yellow-3", deck="white-1 white-2 white-3")
    journey.do("yellow", card="yellow-6", to="top")
    assert journey.view.hand == ("white-1", "yellow-6")


@rule("JO-3.9")
def test_yellow_on_an_empty_deck_loses() -> None:
    journey = at_effect({}, "yellow-3", deck="")
    assert (journey.view.result, journey.view.played) == ("lost", "yellow-3")


@rule("JO-3.10")
def test_green_sees_its_neighbours_in_its_column_and_its_row() -> None:
    journey = at_effect(
        {2: "green-1 red-1", 3: "red-2 blue-2", 4: "white-1 blue-1", 5: "yellow-5 white-6"},
        "green-3",
        pawns="1 7 7",
    )
    assert journey.legal("green") == [
        {"copy": "white-1"},
        {"copy": "red-2"},
        {"copy": "yellow-5"},
        {"copy": None},
    ]
    assert journey.refused("green", copy="blue-2") == "not_next_to_it"
    assert journey.refused("green", copy="green-1") == "green_copied"


@rule("JO-3.10")
def test_green_sees_farther_rows_straight_across() -> None:
    journey = at_effect({3: "red-2 blue-2", 4: "green-1 blue-1", 5: "yellow-5"}, "red-3")
    journey.do("red", pawn="a", step=1)
    assert journey.legal("green") == [
        {"copy": "red-3"},
        {"copy": "blue-1"},
        {"copy": "blue-2"},
        {"copy": None},
    ]


@rule("JO-3.10")
def test_days_1_and_7_are_no_neighbours_and_greens_copy_no_green() -> None:
    journey = at_effect({6: "red-1", 2: "green-2"}, "green-1", pawns="7 7 7")
    assert journey.view.pawns.white == 1
    assert journey.view.turn == 2


@rule("JO-3.10")
def test_a_copy_counts_as_green_not_as_the_copied_suit() -> None:
    journey = at_effect({4: "red-1 blue-1"}, "green-3")
    journey.do("green", copy="red-1")
    assert (journey.view.phase, journey.view.acting, journey.view.pending) == (
        "red",
        "green-3",
        ("red", "blue"),
    )
    assert journey.refused("green", copy=None) == "not_now"
    journey.do("red", pawn="a", step=1)
    assert (journey.view.phase, journey.view.acting) == ("red", "red-1")


@rule("JO-3.10")
def test_a_copied_yellow_draws_or_loses() -> None:
    journey = at_effect({4: "yellow-1"}, "green-3", deck="white-1 white-2")
    journey.do("green", copy="yellow-1")
    assert (journey.view.phase, journey.view.hand) == ("yellow", ("yellow-6", "white-1"))
    lost = at_effect({4: "yellow-1"}, "green-3", deck="")
    lost.do("green", copy="yellow-1")
    assert lost.view.result == "lost"


@rule("JO-3.10")
def test_a_copied_blue_or_white_with_nothing_to_decide_does_nothing() -> None:
    journey = at_effect({4: "blue-1"}, "green-3")
    journey.do("green", copy="blue-1")
    assert journey.view.turn == 2
    journey = at_effect({4: "white-1"}, "green-3", pawns="1 7 4")
    journey.do("green", copy="white-1")
    assert journey.view.pawns.a == 4
    assert journey.view.turn == 2


@rule("JO-3.10", "JO-3.14")
def test_green_may_decline_and_does_not_wait_without_neighbours() -> None:
    journey = at_effect({4: "red-1"}, "green-3")
    journey.do("green", copy=None)
    assert journey.view.phase == "red"
    assert at_effect({}, "green-3").view.turn == 2


@rule("JO-3.11")
def test_white_calls_a_black_pawn_from_elsewhere() -> None:
    journey = at_effect({}, "white-3", pawns="1 7 2")
    assert journey.view.pawns.a == 4
    assert journey.legal("white") == [{"pawn": "b"}, {"pawn": None}]
    assert journey.refused("white", pawn="a") == "here_already"
    journey.do("white", pawn="b")
    assert journey.view.pawns.b == 4


@rule("JO-3.11", "JO-3.14")
def test_white_may_be_declined_and_does_not_wait_when_all_are_there() -> None:
    journey = at_effect({}, "white-3", pawns="1 7 2")
    journey.do("white", pawn=None)
    assert journey.view.pawns.b == 2
    assert at_effect({}, "white-3", pawns="1 7 4").view.turn == 2


@rule("JO-3.14")
def test_an_effect_without_choices_left_after_a_letter_is_declined() -> None:
    journey = Journey().put(pawns="1 7 5", hand="white-3 yellow-6", letters=2)
    journey.do("play", card="white-3", black="a")
    journey.do("go_on")
    assert journey.view.phase == "white"
    journey.put(letters=1)
    journey.do("location_memory", pawn="b", steps=-1)
    assert (journey.view.phase, journey.legal("white")) == ("white", [{"pawn": None}])
    journey.do("white", pawn=None)
    assert journey.view.turn == 2
