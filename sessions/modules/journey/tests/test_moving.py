"""Drawing, moving and placing. [JO-3.1 to 3.5]"""

from __future__ import annotations

import pytest

from sessions.modules.journey import module

from .table import Journey

rule = pytest.mark.rule


def kinds(events: list) -> list[str]:
    return [event.kind for event in events]


@rule("JO-3.1")
def test_each_turn_begins_with_a_card_drawn() -> None:
    journey = Journey("green-1 green-2 green-3")
    journey.do("play", card="green-1", black="a")
    assert journey.view.hand == ("green-2", "green-3")
    assert (journey.view.turn, journey.view.phase, journey.view.played) == (2, "move", None)


@rule("JO-3.1")
def test_no_card_to_draw_loses_at_once() -> None:
    journey = Journey().put(hand="green-1 green-2", deck="")
    journey.do("play", card="green-1", black="a")
    view = journey.view
    assert (view.phase, view.result, view.turn, view.played) == ("over", "lost", 2, None)
    assert view.waiting_for == ()
    outcome = module.outcome(journey.state)
    assert outcome
    assert (outcome.winners, outcome.reason) == ((), "deck")
    assert journey.refused("play", card="green-2", black="a") == "game_over"


@rule("JO-3.2")
def test_the_radio_keeps_the_top_card_open() -> None:
    assert Journey("green-1 green-2 white-3").view.top is None
    journey = Journey("green-1 green-2 white-3", "radio")
    assert journey.view.top == "white-3"
    journey.put(hand="green-1 green-2", deck="red-1")
    journey.do("play", card="green-1", black="a")
    assert journey.view.top is None


@rule("JO-3.3")
def test_white_goes_by_the_number_and_one_black_pawn_by_the_rest() -> None:
    journey = Journey("green-2")
    journey.do("play", card="green-2", black="b")
    pawns = journey.view.pawns
    assert (pawns.white, pawns.a, pawns.b) == (3, 1, 6)
    assert journey.view.days[2].events == ("green-2",)


@rule("JO-3.3")
def test_with_the_map_the_rest_is_split() -> None:
    journey = Journey("green-2", "map")
    assert journey.refused("play", card="green-2", black="a") == "split_needed"
    assert journey.refused("play", card="green-2", split={"a": 2, "b": 2}) == "wrong_steps"
    assert journey.refused("play", card="green-2", split={"a": 6, "b": -1}) == "wrong_steps"
    assert [move["split"] for move in journey.legal("play") if move["card"] == "green-2"] == [
        {"a": a, "b": 5 - a} for a in (5, 4, 3, 2, 1, 0)
    ]
    journey.do("play", card="green-2", split={"a": 5, "b": 0})
    assert (journey.view.pawns.a, journey.view.pawns.b) == (6, 1)


@rule("JO-3.3")
def test_without_the_map_nothing_is_split() -> None:
    journey = Journey("green-2")
    assert journey.refused("play", card="green-2", split={"a": 5, "b": 0}) == "no_map"
    assert journey.refused("play", card="white-6", black="a") == "not_in_hand"
    assert len(journey.legal("play")) == 4


@rule("JO-3.4")
@pytest.mark.parametrize(
    ("start", "card", "day", "lost"),
    [(1, "green-6", 7, 0), (2, "green-6", 1, 1), (7, "green-1", 1, 1), (6, "green-1", 7, 0)],
)
def test_leaving_day_7_is_a_loop_and_stopping_there_is_none(
    start: int, card: str, day: int, lost: int
) -> None:
    journey = Journey().put(pawns=f"{start} 1 1", hand=f"{card} blue-1", deck="red-1 red-2 red-3")
    journey.do("play", card=card, black="a")
    assert journey.view.pawns.white == day
    assert ("red-1" in journey.view.discards) == bool(lost)
    assert journey.view.deck_count == 2 - lost


@rule("JO-3.4")
def test_black_pawns_loop_freely() -> None:
    journey = Journey().put(pawns="1 6 1", hand="green-1 blue-1", deck="red-1 red-2")
    journey.do("play", card="green-1", black="a")
    assert journey.view.pawns.a == 5
    assert journey.view.discards == ()


@rule("JO-3.4")
@pytest.mark.parametrize("items", ["", "tent"])
def test_a_loop_on_an_empty_deck_loses_before_the_blacks_move(items: str) -> None:
    journey = Journey(items=items).put({1: "blue-2 red-4"}, pawns="7 3 4", hand="green-1 blue-1", deck="")
    events = journey.do("play", card="green-1", black="a")
    view = journey.view
    assert (view.result, view.played, view.discards) == ("lost", "green-1", ())
    assert (view.pawns.white, view.pawns.a) == (1, 3)
    assert view.days[0].events == ("blue-2", "red-4")
    assert view.hand == ("blue-1",)
    assert events[-1].data == {"reason": "deck"}


@rule("JO-3.4")
def test_a_deck_that_becomes_empty_by_a_loop_is_no_loss_yet() -> None:
    journey = Journey().put({1: "red-6"}, pawns="7 3 4", hand="green-1 blue-1", deck="yellow-1")
    journey.do("play", card="green-1", black="a")
    assert journey.view.phase == "green"
    assert journey.view.deck_count == 0
    assert journey.view.result is None


@rule("JO-3.4")
def test_with_the_tent_the_card_goes_to_the_bottom_unseen() -> None:
    journey = Journey(items="tent").put(pawns="7 3 4", hand="green-1 blue-1", deck="red-1 red-2 red-3")
    events = journey.do("play", card="green-1", black="a")
    assert journey.state.deck == ["red-3", "red-1"]
    assert journey.view.discards == ()
    assert [event.data for event in events if event.kind == "looped"] == [{"card": None}]
    assert journey.view.known_bottom == ()


@rule("JO-3.5")
def test_new_events_lie_nearest_and_the_outermost_leaves() -> None:
    journey = Journey().put({2: "red-1 red-2"}, pawns="1 1 1", hand="green-1 blue-1")
    journey.do("play", card="green-1", black="a")
    assert journey.view.days[1].events == ("green-1", "red-1")
    assert journey.view.discards == ("red-2",)


@rule("JO-3.5")
def test_the_lantern_makes_room() -> None:
    journey = Journey(items="lantern").put({2: "red-1 red-2"}, pawns="1 1 1", hand="green-1 blue-1")
    journey.do("play", card="green-1", black="a")
    assert journey.view.days[1].events == ("green-1", "red-1", "red-2")


@rule("JO-3.5")
def test_on_day_7_the_card_is_discarded() -> None:
    journey = Journey().put(pawns="5 1 1", hand="red-2 blue-1")
    journey.do("play", card="red-2", black="a")
    assert journey.view.days[6].events == ()
    assert journey.view.discards == ("red-2",)
    assert (journey.view.turn, journey.view.phase) == (2, "move")


@rule("JO-3.3", "JO-3.4", "JO-3.5")
def test_the_loops_card_is_discarded_before_the_pushed_out_event() -> None:
    journey = Journey().put(
        {1: "white-5 red-6"}, pawns="7 3 4", hand="blue-1 green-2", deck="yellow-1 yellow-2"
    )
    events = journey.do("play", card="blue-1", black="a")
    assert journey.view.discards == ("yellow-1", "red-6")
    assert kinds(events)[:6] == ["played", "moved", "looped", "moved", "placed", "fell"]
