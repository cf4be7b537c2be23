"""反転 and 交換, losing cards, the end. [LM-3.7, 3.8, 4, 5]"""

from __future__ import annotations

import pytest

from sessions.game import IllegalMove
from sessions.modules.liarmafia import module
from tests.rules import rule

from .table import Game, kinds, slots


def adjusting(**options: bool) -> Game:
    """p1 has smuggled and adjusts."""
    game = Game("b^ pv", "h^ pv", **options)
    game.play("p1 declare action=smuggle", "p2 pass")
    return game


@rule("LM-3.7")
def test_adjusting_by_turning_or_exchanging_cannot_be_passed() -> None:
    game = adjusting()
    assert game.legal("p1")[:-1] == [
        {"type": "rotate", "slot": 0},
        {"type": "rotate", "slot": 1},
        {"type": "exchange", "slot": 0, "facing": "up"},
        {"type": "exchange", "slot": 0, "facing": "down"},
        {"type": "exchange", "slot": 1, "facing": "up"},
        {"type": "exchange", "slot": 1, "facing": "down"},
    ]
    assert game.refusal("p1", "pass") == "must_adjust"
    assert game.refusal("p2", "rotate", slot=0) == "not_asked"


@rule("LM-3.7", "LM-3.8")
@pytest.mark.parametrize("slot", [0, 1])
def test_a_card_is_turned_around_and_the_players_swap(slot: int) -> None:
    game = adjusting()
    [event] = game.do("p1", "rotate", slot=slot)
    assert (event.kind, event.data, event.to) == ("rotated", {"seat": "p1", "slot": slot}, None)
    assert game.view("p1")["me"]["slots"] == slots(["bv pv", "b^ p^"][slot])
    view = game.view("p2")
    assert view["adjusted"] == {"seat": "p1", "slot": slot, "how": "rotate"}
    assert (view["turn"], view["phase"], view["waiting_for"]) == ("p2", "declare", ["p2"])


@rule("LM-3.7")
@pytest.mark.parametrize("facing", ["up", "down"])
def test_a_card_is_exchanged_and_the_opponent_sees_which_slot_only(facing: str) -> None:
    game = adjusting()
    [event] = game.do("p1", "exchange", slot=1, facing=facing)
    assert (event.kind, event.data, event.to) == ("exchanged", {"seat": "p1", "slot": 1}, None)
    me = game.view("p1")["me"]
    assert (me["slots"], me["hand"]) == (
        [{"card": "boss", "facing": "up"}, {"card": "hitman", "facing": facing}],
        ["police"],
    )
    assert game.view("p2")["adjusted"] == {"seat": "p1", "slot": 1, "how": "exchange"}


@rule("LM-3.7")
def test_an_exchanged_cards_facing_does_not_show_in_the_opponents_view() -> None:
    views = set()
    for facing in ("up", "down"):
        game = adjusting()
        game.do("p1", "exchange", slot=1, facing=facing)
        views.add(str(game.view("p2")))
    assert len(views) == 1


@rule("LM-3.7")
def test_without_a_hand_card_only_turning_remains() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt", "p1 remove slot=1", "p1 replace facing=up")
    assert game.legal("p1")[:-1] == [{"type": "rotate", "slot": 0}, {"type": "rotate", "slot": 1}]
    assert game.refusal("p1", "exchange", slot=0, facing="up") == "no_hand"


@rule("LM-3.7")
def test_where_adjusting_is_optional_pass_ends_the_turn_and_adjusted_stays() -> None:
    game = adjusting(adjust_optional=True)
    assert {"type": "pass"} in game.legal("p1")
    assert kinds(game.play("p1 pass")) == ["kept"]
    assert (game.view()["turn"], game.phase, game.view()["adjusted"]) == ("p2", "declare", None)
    game.play("p2 declare action=embezzle", "p1 pass", "p2 gain how=turn", "p2 rotate slot=0")
    adjusted = game.view()["adjusted"]
    game.play("p1 declare action=smuggle", "p2 pass", "p1 pass")
    assert game.view()["adjusted"] == adjusted == {"seat": "p2", "slot": 0, "how": "rotate"}


@rule("LM-3.8")
def test_either_player_concedes_at_any_time() -> None:
    moments = [
        "p1 declare action=murder",
        "p2 block",
        "p1 doubt",
        "p1 remove slot=1",
        "p1 replace facing=up",
        "p1 rotate slot=0",
    ]
    game = Game("b^ pv", "h^ p^")
    for move in moments:
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            assert game.legal(seat)[-1] == {"type": "concede"}
            copy = Game()
            copy.snapshot = game.snapshot
            copy.do(seat, "concede")
            assert copy.outcome() == {"winners": [other], "reason": "concede"}
            view = copy.view()
            assert (view["claim"], view["shown"], view["waiting_for"]) == (None, None, [])
            assert (view["turn"], view["phase"]) == (game.view()["turn"], "over")
        game.play(move)


@rule("LM-4.1")
def test_a_removed_card_is_known_to_its_owner_alone() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt")
    events = game.play("p1 remove slot=1")
    assert [event.to for event in events if "police" in str(event.data)] == [("p1",)]
    assert game.view("p1")["me"]["removed"] == ["police"]
    for looker in ("p2", None):
        assert "removed" not in str(game.view(looker)["players"]).replace("removed_count", "")
        assert game.view(looker)["players"]["p1"]["removed_count"] == 1
        assert game.view(looker)["reveal"] is None


@rule("LM-4.2", "LM-5.1")
@pytest.mark.parametrize(("slot", "winner"), [(0, ["p2"]), (1, None)])
def test_a_player_who_removes_boss_loses_at_once(slot: int, winner: list[str] | None) -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt", f"p1 remove slot={slot}")
    assert game.view()["winners"] == winner
    if winner:
        assert game.outcome() == {"winners": ["p2"], "reason": "boss"}


@rule("LM-4.2", "LM-5.1")
@pytest.mark.parametrize(("slot", "reason"), [(0, "boss"), (1, "two")])
def test_the_second_card_to_leave_loses_whatever_it_is(slot: int, reason: str) -> None:
    game = Game("b^ pv", "h^ p^")
    game.play("p1 declare action=murder", "p2 doubt", "p1 remove slot=1", "p1 replace facing=up")
    game.play("p1 rotate slot=1", "p2 declare action=murder", "p1 pass", f"p2 hit slot={slot}")
    assert game.outcome() == {"winners": ["p2"], "reason": reason}
    view = game.view()
    assert view["players"]["p1"]["removed_count"] == 2
    assert view["players"]["p1"]["slots"][slot] == {"present": False}
    assert (view["claim"], view["phase"]) == (None, "over")


@rule("LM-4.2")
def test_a_lost_doubt_ends_the_game_before_the_action_resolves() -> None:
    game = Game("b^ p^", "h^ bv")
    game.play("p1 declare action=embezzle", "p2 doubt")
    game.play("p2 remove slot=1")
    assert game.outcome() == {"winners": ["p1"], "reason": "boss"}
    assert (game.chips("p1"), game.view()["shown"]) == ([1], None)


@rule("LM-4.3")
@pytest.mark.parametrize("facing", ["up", "down"])
@pytest.mark.parametrize("slot", [0, 1])
def test_the_hand_card_fills_the_gap(slot: int, facing: str) -> None:
    game = Game("h^ pv", "h^ pv")
    game.play("p1 declare action=allout".replace("allout", "smuggle"), "p2 doubt", f"p1 remove slot={slot}")
    assert game.view()["players"]["p1"]["slots"][slot] == {"present": False}
    assert game.view()["players"]["p1"]["hand_count"] == 1
    assert game.legal("p1")[:-1] == [
        {"type": "replace", "facing": "up"},
        {"type": "replace", "facing": "down"},
    ]
    game.play(f"p1 replace facing={facing}")
    assert game.view("p1")["me"]["slots"][slot] == {"card": "boss", "facing": facing}
    assert game.view()["players"]["p1"]["hand_count"] == 0


@rule("LM-5.1")
def test_at_the_end_everything_is_shown_and_nothing_can_be_done() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt", "p1 remove slot=1", "p2 concede")
    view = game.view()
    assert view["reveal"] == {
        "p1": {"slots": [{"card": "boss", "facing": "up"}, None], "hand": ["hitman"], "removed": ["police"]},
        "p2": {"slots": slots("h^ pv"), "hand": ["boss"], "removed": []},
    }
    assert view["winners"] == ["p1"]
    for seat in ("p1", "p2"):
        assert game.legal(seat) == []
        assert module.asked(game.state, seat) is None
        assert game.refusal(seat, "concede") == "game_over"


@rule("LM-3.4")
def test_a_shown_card_is_remembered_until_it_may_be_another_card() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=smuggle", "p2 doubt", "p2 remove slot=1", "p2 replace facing=up")

    def seen() -> list[object]:
        return list(game.view()["seen"]["p1"])

    assert seen() == [{"card": "boss", "facing": "up"}, None]
    game.play("p1 rotate slot=0")
    assert seen() == [{"card": "boss", "facing": "down"}, None]
    game.play("p2 declare action=smuggle", "p1 pass", "p2 rotate slot=0")
    game.play("p1 declare action=smuggle", "p2 pass", "p1 exchange slot=0 facing=up")
    assert seen() == [None, None]


@pytest.mark.parametrize("type_", ["declare", "remove", "gain", "hit", "replace", "rotate", "exchange"])
def test_a_missing_field_is_refused(type_: str) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        Game("b^ pv", "h^ pv").do("p1", type_)


@pytest.mark.parametrize("type_", ["pass", "block", "doubt", "concede"])
def test_a_field_too_many_is_refused(type_: str) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        Game("b^ pv", "h^ pv").do("p1", type_, slot=0)
