"""Solving, the end, letters. [JO-3.12 to 3.15, JO-4]"""

from __future__ import annotations

import pytest

from sessions.modules.journey import module
from sessions.modules.journey.state import SUITS

from .table import Journey

rule = pytest.mark.rule


def solving(days: dict[int, str], pawns: str, **fields: object) -> Journey:
    """Play a card of 1 from day ``white - 1``; black pawn a has to come 6 days on, that is one back."""
    return Journey().put(days, pawns=pawns, **fields)


@rule("JO-3.12")
def test_a_story_is_solved_where_every_pawn_has_an_event_of_it() -> None:
    journey = solving({4: "blue-6", 5: "blue-5"}, "1 6 4", hand="blue-1 red-6")
    journey.do("play", card="blue-1", black="a")
    assert journey.view.pawns.a == 5
    assert journey.view.stories["blue"]
    assert (journey.view.letters, journey.view.phase) == (1, "end")


@rule("JO-3.12")
def test_two_pawns_at_one_place_need_two_events() -> None:
    one = solving({5: "blue-5"}, "1 6 2", hand="blue-1 red-6")
    one.do("play", card="blue-1", black="a")
    assert not one.view.stories["blue"]
    two = solving({2: "blue-6", 5: "blue-5"}, "1 6 2", hand="blue-1 red-6")
    two.do("play", card="blue-1", black="a")
    assert two.view.stories["blue"]


@rule("JO-3.12")
def test_nothing_is_solved_with_a_pawn_on_day_7() -> None:
    journey = solving({5: "blue-5"}, "1 6 7", hand="blue-1 red-6")
    journey.do("play", card="blue-1", black="a")
    assert journey.view.letters == 0
    [blue] = [story for story in journey.view.needs if story.suit == "blue"]
    assert [(need.day, need.have, need.need) for need in blue.days] == [(2, 1, 1), (5, 1, 1), (7, 0, 1)]


@rule("JO-3.12")
def test_a_solved_story_is_not_solved_again() -> None:
    journey = solving({4: "blue-6", 5: "blue-5"}, "1 6 4", hand="blue-1 red-6", solved=["blue"])
    journey.do("play", card="blue-1", black="a")
    assert journey.view.letters == 0


@rule("JO-3.12", "JO-3.14")
def test_of_several_stories_the_traveller_chooses_one() -> None:
    journey = solving({2: "white-6", 4: "white-5 blue-6", 5: "blue-5 white-4"}, "1 6 4", hand="blue-1 red-6")
    journey.do("play", card="blue-1", black="a")
    journey.do("blue", first=None, second=None)
    journey.do("white", pawn=None)
    assert journey.view.phase == "solve"
    assert journey.legal("solve") == [{"suit": "blue"}, {"suit": "white"}]
    assert journey.refused("solve", suit="red") == "not_solvable"
    journey.do("solve", suit="white")
    assert [suit for suit, solved in journey.view.stories.items() if solved] == ["white"]
    assert journey.view.letters == 1


@rule("JO-3.14")
def test_a_letter_used_while_choosing_judges_the_stories_again() -> None:
    def choosing() -> Journey:
        return Journey().put(
            {2: "blue-1 white-6", 4: "white-5 blue-6", 5: "blue-5 white-4", 3: "white-1"},
            pawns="2 5 4",
            phase="solve",
            letters=1,
        )

    one_left = choosing()
    one_left.do("location_memory", pawn="b", steps=-1)
    assert one_left.view.stories["white"]
    assert (one_left.view.phase, one_left.view.letters) == ("end", 1)
    none_left = choosing()
    none_left.do("location_memory", pawn="a", steps=1)
    assert (none_left.view.turn, none_left.view.phase) == (2, "move")
    still_two = choosing().put(discards="green-1")
    still_two.do("adventure_memory", card="green-1")
    assert (still_two.view.phase, still_two.view.letters) == ("solve", 0)


@rule("JO-3.13")
def test_all_solved_and_all_home_wins() -> None:
    journey = Journey().put(pawns="7 7 6", phase="end", letters=1, solved=list(SUITS))
    journey.do("location_memory", pawn="b", steps=1)
    assert (journey.view.phase, journey.view.result) == ("over", "won")
    outcome = module.outcome(journey.state)
    assert outcome
    assert (outcome.winners, outcome.reason) == (("p1",), "home")


@rule("JO-3.13")
@pytest.mark.parametrize(("pawns", "solved"), [("7 7 6", 5), ("7 7 7", 4), ("6 7 7", 5)])
def test_without_all_stories_solved_and_pawns_home_a_turn_begins(pawns: str, solved: int) -> None:
    journey = Journey().put(pawns=pawns, phase="end", letters=1, solved=list(SUITS[:solved]))
    journey.do("end_turn")
    assert (journey.view.phase, journey.view.turn, journey.view.result) == ("draw", 2, None)


@rule("JO-3.15")
def test_the_journey_can_be_given_up_at_any_time() -> None:
    for phase in ("pack", "move", "red", "solve", "draw", "yellow"):
        journey = Journey().put(phase=phase)
        journey.do("concede")
        outcome = module.outcome(journey.state)
        assert outcome
        assert (outcome.winners, outcome.reason, journey.view.result) == ((), "concede", "lost")
        assert module.legal_moves(journey.state, "p1") == []


@rule("JO-3.14", "JO-4.3")
def test_with_a_letter_a_turn_has_four_pauses() -> None:
    journey = Journey().put(pawns="1 1 3", hand="red-2 red-6", letters=1, phase="draw")
    seen = []
    journey.do("draw")
    journey.do("play", card="red-2", black="a")
    for move in ("go_on", "red", "go_on", "end_turn"):
        seen.append((journey.view.phase, journey.view.pending))
        journey.do(move, **({"pawn": "a", "step": 1} if move == "red" else {}))
    assert seen == [("before_events", ()), ("red", ()), ("before_solve", ()), ("end", ())]
    assert (journey.view.phase, journey.view.turn, journey.view.played) == ("draw", 2, None)


@rule("JO-3.14")
def test_a_pause_goes_on_by_itself_when_the_last_letter_is_spent() -> None:
    for phase, then in (
        ("draw", "move"),
        ("before_events", "red"),
        ("before_solve", "move"),
        ("end", "move"),
    ):
        journey = Journey().put({2: "red-1"}, pawns="2 5 5", phase=phase, letters=1)
        journey.do("location_memory", pawn="a", steps=1)
        assert journey.view.phase == then, phase
        two = Journey().put({2: "red-1"}, pawns="2 5 5", phase=phase, letters=2)
        two.do("location_memory", pawn="a", steps=2)
        assert two.view.phase == phase


@rule("JO-4.1")
def test_location_memory_moves_as_far_as_there_are_letters() -> None:
    journey = Journey().put(pawns="2 2 5", letters=3)
    assert journey.refused("location_memory", pawn="a", steps=2) == "wrong_steps"
    assert journey.refused("location_memory", split={"a": 1, "b": 2}) == "no_map"
    journey.do("location_memory", pawn="a", steps=-3)
    assert (journey.view.pawns.a, journey.view.letters, journey.view.discards) == (6, 2, ())
    journey.do("location_memory", pawn="b", steps=2)
    journey.do("location_memory", pawn="b", steps=1)
    assert (journey.view.pawns.b, journey.view.letters) == (1, 0)
    assert journey.refused("location_memory", pawn="a", steps=1) == "no_letter"
    assert journey.legal("location_memory") == []


@rule("JO-4.1")
def test_with_the_map_a_letters_steps_are_split_each_in_its_direction() -> None:
    journey = Journey(items="map").put(pawns="2 2 5", letters=2)
    assert journey.refused("location_memory", pawn="a", steps=2) == "split_needed"
    assert journey.refused("location_memory", split={"a": 2, "b": 1}) == "wrong_steps"
    assert {(move["split"]["a"], move["split"]["b"]) for move in journey.legal("location_memory")} == {
        (2, 0),
        (-2, 0),
        (0, 2),
        (0, -2),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    }
    journey.do("location_memory", split={"a": -1, "b": 1})
    assert (journey.view.pawns.a, journey.view.pawns.b) == (1, 6)


@rule("JO-4.2")
def test_adventure_memory_puts_a_discard_on_top() -> None:
    journey = Journey().put(discards="red-1 blue-2", letters=1, phase="draw", hand="green-1")
    assert journey.refused("adventure_memory", card="green-1") == "not_discarded"
    journey.do("adventure_memory", card="red-1")
    assert journey.view.hand == ("green-1", "red-1")
    assert (journey.view.discards, journey.view.letters) == (("blue-2",), 0)


@rule("JO-4.2")
def test_adventure_memory_saves_from_an_empty_deck_before_the_draw() -> None:
    journey = Journey().put(discards="red-1", letters=2, phase="draw", deck="", hand="green-1")
    journey.do("adventure_memory", card="red-1")
    assert (journey.view.phase, journey.view.known_top) == ("draw", ("red-1",))
    journey.do("draw")
    assert (journey.view.phase, journey.view.hand) == ("move", ("green-1", "red-1"))


@rule("JO-4.3")
def test_letters_can_be_used_at_every_wait() -> None:
    for phase in ("draw", "move", "before_events", "red", "blue", "yellow", "white", "before_solve", "end"):
        journey = Journey().put(phase=phase, letters=2, discards="red-1")
        assert len(journey.legal("location_memory")) == 4
        assert len(journey.legal("adventure_memory")) == 1
        journey.do("adventure_memory", card="red-1")
        assert journey.view.phase == phase
