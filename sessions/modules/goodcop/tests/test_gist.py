"""A turn is told in one sentence, and nothing in it that its reader may not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sessions.game import Event
from sessions.modules.goodcop.telling import gist

from .table import Game


def all_pass(game: Game) -> list[Event]:
    events: list[Event] = []
    for seat in list(game.state.asked):
        events += game.do(seat, "pass")
    return events


def told(events: list[Event], reader: str) -> list[tuple[str, dict[str, Any]]]:
    readable = [event for event in events if event.to is None or reader in event.to]
    return [(event.kind, event.data) for event in gist(readable)]


def in_turn(**data: Any) -> tuple[str, dict[str, Any]]:
    nothing = {"did": None, "target": None, "position": None, "up": None, "aims": None}
    return "in_turn", nothing | data


def played(*steps: Callable[[Game], list[Event]], hands: dict[str, str] | None = None) -> list[Event]:
    game = Game("A H H | K C C | H H C | C C H", hands or {})
    return [event for step in steps for event in step(game)]


def test_the_gist_has_a_sentence_for_each_look_armament_and_draw() -> None:
    events = played(
        lambda game: game.do("p1", "investigate", seat="p2", position=1),
        lambda game: game.do("p2", "arm", reveal=2, aim="p3"),
        lambda game: game.do("p2", "keep"),
        lambda game: game.do("p3", "equip", reveal=0),
    )
    assert told(events, "p4") == [
        in_turn(seat="p1", did="investigate", target="p2", position=1),
        in_turn(seat="p2", did="arm", up="crooked", aims="p3"),
        in_turn(seat="p3", did="equip", up="honest"),
    ]
    assert ("seen", {"target": "p2", "position": 1, "face": "crooked"}) in told(events, "p1")


def test_the_gist_tells_a_shot_without_the_cards_it_turned_up() -> None:
    def fire(game: Game) -> list[Event]:
        game.set("p1", armed="gun", aim="p3")
        return game.do("p1", "shoot")

    events = played(fire)
    assert [kind for kind, _ in told(events, "p4")] == ["fired", "eliminated"]


def test_the_gist_tells_a_reaction_card_between_the_turns() -> None:
    events = played(
        lambda game: game.do("p1", "investigate", seat="p2", position=1),
        lambda game: game.play("p3", "truth_serum", seat="p4", position=0),
        lambda game: game.do("p1", "investigate", seat="p2", position=0),
        all_pass,
        hands={"p3": "truth_serum"},
    )
    assert [kind for kind, _ in told(events, "p4")] == ["played", "turned_up", "in_turn"]


def test_the_gist_tells_nothing_of_a_pass() -> None:
    events = played(
        lambda game: game.do("p1", "investigate", seat="p2", position=1), all_pass, hands={"p3": "taser"}
    )
    assert "passed" in [event.kind for event in events if event.to == ("p3",)]
    assert told([event for event in events if event.kind == "passed"], "p3") == []
