"""Actions take effect. [LM-1.3, 3.5, 3.6]"""

from __future__ import annotations

import pytest

from tests.rules import rule

from .table import Game, kinds


def through(action: str, mine: list[int], theirs: list[int], field: str = "b^ h^") -> Game:
    """A game in which p1 has declared and p2 has let it through."""
    game = Game(field, "p^ bv", chips={"p1": mine, "p2": theirs})
    game.play(f"p1 declare action={action}", "p2 pass")
    return game


@rule("LM-1.3", "LM-3.5")
def test_embezzling_takes_or_turns_as_the_turn_player_likes() -> None:
    game = through("embezzle", [1], [1])
    assert (game.phase, game.waiting) == ("resolve", ["p1"])
    assert game.view()["claim"]["action"] == "embezzle"
    assert game.legal("p1")[:-1] == [{"type": "gain", "how": "take"}, {"type": "gain", "how": "turn"}]
    game.play("p1 gain how=take")
    assert (game.chips("p1"), game.view()["stock"], game.phase) == ([1, 1], 1, "adjust")
    other = through("embezzle", [1], [1])
    other.play("p1 gain how=turn")
    assert (other.chips("p1"), other.view()["stock"]) == ([2], 2)


@rule("LM-3.5")
@pytest.mark.parametrize(
    ("mine", "theirs", "after", "stock"),
    [([2], [1], [1, 2], 1), ([1, 2], [1, 1], [2, 2], 0), ([], [1, 1], [1], 1)],
)
def test_embezzling_with_one_way_resolves_at_once(
    mine: list[int], theirs: list[int], after: list[int], stock: int
) -> None:
    game = through("embezzle", mine, theirs)
    assert (game.phase, game.chips("p1"), game.view()["stock"]) == ("adjust", after, stock)


@rule("LM-3.6")
@pytest.mark.parametrize("action", ["embezzle", "smuggle"])
@pytest.mark.parametrize(("mine", "theirs"), [([2, 2], [1, 2]), ([2, 2, 2, 2], [])])
def test_nothing_to_gain_has_no_effect(action: str, mine: list[int], theirs: list[int]) -> None:
    game = through(action, mine, theirs)
    assert (game.phase, game.chips("p1"), game.chips("p2")) == ("adjust", mine, theirs)


@rule("LM-1.3", "LM-3.5")
@pytest.mark.parametrize(
    ("mine", "theirs", "after", "stock"),
    [
        ([1], [1], [1, 2], 1),
        ([], [1], [2], 2),
        ([1, 2], [1], [2, 2], 1),  # forced, though the stock has a chip
        ([1, 2], [1, 1], [2, 2], 0),
        ([1, 1], [1], [1, 1, 2], 0),
        ([1, 1, 2], [], [1, 1, 2, 2], 0),
        ([1, 1], [1, 1], [1, 1], 0),
        ([1], [1, 1, 1], [1], 0),
        ([2], [1], [2, 2], 1),
    ],
)
def test_smuggling_is_never_a_choice(
    mine: list[int], theirs: list[int], after: list[int], stock: int
) -> None:
    game = through("smuggle", mine, theirs)
    assert (game.phase, game.chips("p1"), game.view()["stock"]) == ("adjust", after, stock)


@rule("LM-3.6")
def test_one_player_may_hold_all_four_chips() -> None:
    game = through("smuggle", [1, 1, 1], [])
    assert game.chips("p1") == [1, 1, 1, 2]


@rule("LM-1.3", "LM-5.1")
@pytest.mark.parametrize("field", ["b^ h^", "h^ bv"])
def test_all_out_wins_with_boss_either_way_up_and_two_2s(field: str) -> None:
    game = through("allout", [1, 2, 2], [1], field)
    assert game.outcome() == {"winners": ["p1"], "reason": "allout"}
    assert (game.chips("p1"), game.view()["stock"]) == ([1], 2)


@rule("LM-3.5", "LM-5.1")
def test_all_out_that_was_doubted_in_vain_wins_after_the_replacement() -> None:
    game = Game("b^ h^", "p^ bv", chips={"p1": [2, 2]})
    game.play("p1 declare action=allout", "p2 doubt", "p2 remove slot=0")
    assert game.phase == "replace"
    game.play("p2 replace facing=up")
    assert game.outcome() == {"winners": ["p1"], "reason": "allout"}


@rule("LM-3.6")
def test_all_out_without_boss_on_the_field_does_nothing_and_costs_nothing() -> None:
    game = Game("p^ h^", "p^ bv", chips={"p1": [2, 2]})
    assert kinds(game.play("p1 declare action=allout", "p2 pass"))[-1] == "no_boss"
    assert (game.phase, game.chips("p1")) == ("adjust", [2, 2])


@rule("LM-3.6")
@pytest.mark.parametrize(("field", "winner"), [("p^ h^", None), ("p^ bv", ["p1"])])
def test_all_out_is_judged_after_a_false_block(field: str, winner: list[str] | None) -> None:
    game = Game(field, "h^ bv", chips={"p1": [2, 2]})
    game.play("p1 declare action=allout", "p2 block", "p1 doubt", "p2 remove slot=0", "p2 replace facing=up")
    assert game.view()["winners"] == winner
    assert game.chips("p1") == ([] if winner else [2, 2])


@rule("LM-1.3", "LM-3.5")
@pytest.mark.parametrize(
    ("action", "mine", "ways", "after"),
    [
        ("murder", [1], ["one"], {"one": []}),
        ("murder", [2], ["flip"], {"flip": [1]}),
        ("murder", [1, 2], ["one", "flip"], {"one": [2], "flip": [1, 1]}),
        ("assassinate", [2], ["two"], {"two": []}),
        ("assassinate", [1, 1], ["ones"], {"ones": []}),
        ("assassinate", [1, 2], ["two"], {"two": [1]}),
        ("assassinate", [1, 1, 2], ["two", "ones"], {"two": [1, 1], "ones": [2]}),
    ],
)
def test_a_hit_offers_each_way_to_pay_and_takes_the_chips(
    action: str, mine: list[int], ways: list[str], after: dict[str, list[int]]
) -> None:
    for way in ways:
        for given in ([way], [] if len(ways) == 1 else None):
            if given is None:
                continue
            game = through(action, mine, [1])
            assert game.phase == "resolve"
            assert game.legal("p1")[:-1] == [
                {"type": "hit", "slot": slot, "pay": pay} for slot in (0, 1) for pay in ways
            ]
            game.do("p1", "hit", slot=0, **({"pay": way} if given else {}))
            assert game.chips("p1") == after[way]
            assert game.view()["stock"] == 3 - len(after[way])
            assert game.waiting == ["p2"]


@rule("LM-3.5")
def test_pay_is_left_out_only_where_there_is_one_way() -> None:
    game = through("murder", [1, 2], [1])
    assert game.refusal("p1", "hit", slot=0) == "choose_pay"
    for way in ("two", "ones"):
        assert game.refusal("p1", "hit", slot=0, pay=way) == "cannot_pay_so"
    single = through("murder", [2], [1])
    for way in ("one", "two", "ones"):
        assert single.refusal("p1", "hit", slot=0, pay=way) == "cannot_pay_so"
    for wrong in ({"pay": None}, {"pay": "gold"}, {"slot": 2}, {"slot": "0"}, {"slot": True}, {"who": "p2"}):
        assert single.refusal("p1", "hit", **({"slot": 0} | wrong)) == "malformed_move"
    assert single.refusal("p1", "hit", pay="flip") == "malformed_move"


@rule("LM-3.5")
def test_the_choices_of_one_action_are_not_those_of_another() -> None:
    assert through("murder", [1], [1]).refusal("p1", "gain", how="take") == "not_now"
    assert through("embezzle", [1], [1]).refusal("p1", "hit", slot=0, pay="one") == "not_now"
    assert through("embezzle", [1], [1]).refusal("p2", "gain", how="take") == "not_asked"


@rule("LM-4.2", "LM-3.5")
def test_the_price_is_paid_also_when_the_hit_ends_the_game() -> None:
    game = through("murder", [1], [1])
    game.play("p1 hit slot=1")
    assert game.outcome() == {"winners": ["p1"], "reason": "boss"}
    assert (game.chips("p1"), game.view()["stock"]) == ([], 3)


@rule("LM-4.3", "LM-3.5")
def test_after_a_hit_its_owner_lays_the_hand_and_the_turn_player_adjusts() -> None:
    game = through("murder", [1], [1])
    game.play("p1 hit slot=0")
    assert (game.phase, game.waiting, game.view()["claim"]["action"]) == ("replace", ["p2"], "murder")
    game.play("p2 replace facing=down")
    assert (game.phase, game.waiting, game.view()["claim"]) == ("adjust", ["p1"], None)
    assert game.view("p2")["me"] == {
        "slots": [{"card": "hitman", "facing": "down"}, {"card": "boss", "facing": "down"}],
        "hand": [],
        "removed": ["police"],
    }
