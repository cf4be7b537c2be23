"""Declaring, letting through, blocking, doubting. [LM-3.1 to 3.4]"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from sessions.modules.liarmafia import module
from tests.rules import rule

from .table import CARDS, FACINGS, Game, kinds

ACTIONS = ("embezzle", "smuggle", "allout", "murder", "assassinate")
#: The table of LM-1.3 once more: which card, which way up, for each ability, and what blocks what.
TRUE = {
    "embezzle": {"p^"},
    "inform": {"pv"},
    "smuggle": {"b^"},
    "fix": {"bv"},
    "allout": {"b^", "bv"},
    "murder": {"h^"},
    "guard": {"h^"},
    "assassinate": {"hv"},
}
BLOCKED_BY = {"embezzle": "inform", "smuggle": "fix", "murder": "guard"}
RICH = {"p1": [2, 2], "p2": [1]}
FIELDS = [
    f"{one}{first} {two}{second}"
    for one, two in itertools.permutations(CARDS, 2)
    for first, second in itertools.product(FACINGS, repeat=2)
]


@rule("LM-3.1")
@pytest.mark.parametrize(
    ("chips", "payable"),
    [
        ([], {"embezzle", "smuggle"}),
        ([1], {"embezzle", "smuggle", "murder"}),
        ([2], {"embezzle", "smuggle", "murder", "assassinate"}),
        ([1, 1], {"embezzle", "smuggle", "murder", "assassinate"}),
        ([1, 2], {"embezzle", "smuggle", "murder", "assassinate"}),
        ([2, 2], set(ACTIONS)),
        ([1, 1, 1], {"embezzle", "smuggle", "murder", "assassinate"}),
    ],
)
@pytest.mark.parametrize("field", ["b^ pv", "hv p^"])
def test_any_action_whose_cost_is_there_may_be_declared_whatever_lies_there(
    chips: list[int], payable: set[str], field: str
) -> None:
    game = Game(field, "h^ pv", chips={"p1": chips})
    assert {move["action"] for move in game.legal("p1") if move["type"] == "declare"} == payable
    for action in set(ACTIONS) - payable:
        assert game.refusal("p1", "declare", action=action) == "cannot_pay"
    assert set(game.view()["payable"]["p1"]) == payable


@rule("LM-3.1")
def test_a_declaration_is_a_claim_and_the_opponent_is_asked() -> None:
    game = Game("b^ pv", "h^ pv")
    assert [event.data for event in game.do("p1", "declare", action="murder")] == [
        {"seat": "p1", "action": "murder"}
    ]
    claim = game.view("p2")["claim"]
    assert claim == {
        "seat": "p1",
        "action": "murder",
        "blocked": False,
    }
    assert (game.phase, game.waiting, game.types("p2"), game.types("p1")) == (
        "react",
        ["p2"],
        ["block", "doubt", "pass"],
        [],
    )


@rule("LM-3.1", "LM-3.2")
def test_only_who_is_asked_answers() -> None:
    game = Game("b^ pv", "h^ pv")
    assert game.refusal("p2", "declare", action="embezzle") == "not_asked"
    assert game.refusal("p1", "pass") == "not_now"
    game.play("p1 declare action=smuggle")
    for type_ in ("pass", "block", "doubt"):
        assert game.refusal("p1", type_) == "not_asked"
    assert game.refusal("p2", "declare", action="embezzle") == "not_now"
    assert game.refusal("p2", "rotate", slot=0) == "not_now"
    assert game.refusal("p2", "gain", how="take") == "not_now"


@rule("LM-3.2", "LM-3.3")
def test_after_a_block_the_turn_player_passes_or_doubts() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=smuggle", "p2 block")
    assert game.view()["claim"]["blocked"] is True
    assert (game.phase, game.waiting, game.types("p1")) == ("rereact", ["p1"], ["doubt", "pass"])
    assert game.refusal("p1", "block") == "not_now"
    game.play("p1 pass")
    assert (game.phase, game.waiting, game.view()["claim"]) == ("adjust", ["p1"], None)
    assert game.chips("p1") == [1]


@rule("LM-3.3")
@pytest.mark.parametrize("action", ["murder", "assassinate", "allout"])
def test_a_block_that_is_let_pass_stops_the_action_and_nothing_is_paid(action: str) -> None:
    game = Game("b^ hv", "p^ pv".replace("pv", "bv"), chips=RICH)
    game.play(f"p1 declare action={action}", "p2 block", "p1 pass")
    assert (game.phase, game.chips("p1")) == ("adjust", [2, 2])


@rule("LM-3.4", "LM-1.3", "LM-1.4")
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_doubted_action_is_true_if_its_card_lies_right_way_up_on_the_field(field: str, action: str) -> None:
    game = Game(field, "h^ pv", chips=RICH)
    events = game.play(f"p1 declare action={action}", "p2 doubt")
    places = [slot for slot, short in enumerate(field.split()) if short in TRUE[action]]
    view = game.view()
    assert game.phase == "penalty"
    assert view["claim"]["action"] == action
    if places:
        short = field.split()[places[0]]
        shown = {"seat": "p1", "slot": places[0], "card": CARDS[short[0]], "facing": FACINGS[short[1]]}
        assert view["shown"] == shown
        assert (game.waiting, kinds(events)) == (["p2"], ["doubted", "shown"])
    else:
        assert view["shown"] is None
        assert (game.waiting, kinds(events)) == (["p1"], ["doubted", "caught"])


@rule("LM-3.4", "LM-1.3", "LM-1.4", "LM-3.2")
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_doubted_block_is_true_if_its_card_lies_on_the_field_the_right_way_up(
    field: str, action: str
) -> None:
    game = Game("b^ h^", field, chips=RICH)
    game.play(f"p1 declare action={action}", "p2 block", "p1 doubt")
    true = TRUE.get(BLOCKED_BY.get(action, ""), set())
    places = [slot for slot, short in enumerate(field.split()) if short in true]
    assert game.phase == "penalty"
    assert game.waiting == (["p1"] if places else ["p2"])
    shown = game.view()["shown"]
    assert (shown and shown["slot"]) == (places[0] if places else None)
    assert shown is None or shown["seat"] == "p2"


@rule("LM-3.4")
def test_the_hand_does_not_count() -> None:
    game = Game("b^ h^", "p^ bv")
    game.play("p1 declare action=embezzle", "p2 doubt")
    assert game.waiting == ["p1"]


@rule("LM-3.4")
def test_a_true_action_resolves_after_the_doubters_loss_and_replacement() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=smuggle", "p2 doubt")
    assert game.types("p2") == ["remove"]
    assert game.types("p1") == []
    game.play("p2 remove slot=1")
    view = game.view()
    assert (view["phase"], view["shown"], view["stock"]) == ("replace", None, 2)
    assert view["claim"]["action"] == "smuggle"
    assert view["players"]["p2"]["slots"] == [{"present": True}, {"present": False}]
    assert (game.waiting, game.types("p2")) == (["p2"], ["replace"])
    game.play("p2 replace facing=up")
    assert (game.phase, game.chips("p1"), game.view()["claim"]) == ("adjust", [1, 2], None)
    assert game.view("p2")["me"]["slots"][1] == {"card": "boss", "facing": "up"}


@rule("LM-3.4")
def test_a_shown_card_is_laid_back_as_it_was() -> None:
    game = Game("bv p^", "h^ pv", chips=RICH)
    game.play("p1 declare action=embezzle", "p2 doubt", "p2 remove slot=0")
    assert game.view("p1")["me"]["slots"] == [
        {"card": "boss", "facing": "down"},
        {"card": "police", "facing": "up"},
    ]


@rule("LM-3.4")
def test_a_false_action_is_off() -> None:
    game = Game("b^ pv", "h^ pv", chips=RICH)
    game.play("p1 declare action=assassinate", "p2 doubt", "p1 remove slot=1", "p1 replace facing=down")
    assert (game.phase, game.waiting, game.chips("p1")) == ("adjust", ["p1"], [2, 2])
    assert game.view()["players"]["p2"]["removed_count"] == 0


@rule("LM-3.4")
def test_a_true_block_stops_the_action_and_the_turn_player_loses_a_card() -> None:
    game = Game("b^ pv", "bv pv")
    game.play("p1 declare action=smuggle", "p2 block", "p1 doubt", "p1 remove slot=1", "p1 replace facing=up")
    assert (game.phase, game.chips("p1")) == ("adjust", [1])
    assert game.view()["players"]["p1"]["removed_count"] == 1


@rule("LM-3.4")
@pytest.mark.parametrize("field", ["b^ pv", "hv p^"])
def test_after_a_false_block_the_action_resolves_true_or_not(field: str) -> None:
    game = Game(field, "h^ pv")
    game.play("p1 declare action=smuggle", "p2 block", "p1 doubt")
    assert game.waiting == ["p2"]
    game.play("p2 remove slot=0")
    assert game.chips("p1") == [1]
    assert game.view()["claim"]["blocked"] is True
    game.play("p2 replace facing=down")
    assert (game.phase, game.chips("p1")) == ("adjust", [1, 2])


@rule("LM-3.2")
@pytest.mark.parametrize("action", ["assassinate", "allout"])
def test_the_first_edition_lets_anything_be_blocked(action: str) -> None:
    game = Game("b^ hv", "h^ pv", chips=RICH)
    game.play(f"p1 declare action={action}")
    assert game.types("p2") == ["block", "doubt", "pass"]
    assert game.view()["reaction"] is None
    game.play("p2 block", "p1 doubt")
    assert game.waiting == ["p2"]


@rule("LM-3.1")
@pytest.mark.parametrize("field", FIELDS)
def test_the_second_edition_allows_only_actions_of_cards_on_the_field(field: str) -> None:
    game = Game(field, "h^ pv", chips=RICH, second_edition=True)
    cards = {short[0] for short in field.split()}
    allowed = {action for action in ACTIONS if {short[0] for short in TRUE[action]} <= cards}
    assert {move["action"] for move in game.legal("p1") if move["type"] == "declare"} == allowed
    for action in set(ACTIONS) - allowed:
        assert game.refusal("p1", "declare", action=action) == "not_on_field"


@rule("LM-3.2")
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("action", ["embezzle", "smuggle", "murder", "assassinate", "allout"])
def test_the_second_edition_allows_only_blocks_of_cards_on_the_field(field: str, action: str) -> None:
    cards = "b^ h^" if action != "embezzle" else "p^ h^"
    game = Game(cards, field, chips=RICH, second_edition=True)
    game.play(f"p1 declare action={action}")
    needed = {short[0] for short in TRUE.get(BLOCKED_BY.get(action, ""), set())}
    possible = bool(needed) and needed <= {short[0] for short in field.split()}
    assert ("block" in game.types("p2")) is possible
    if not possible:
        code = "not_on_field" if needed else "cannot_block"
        assert game.refusal("p2", "block") == code


@rule("LM-3.1")
def test_the_rule_of_a_refusal_tells_nothing_of_the_other_side() -> None:
    codes = set()
    for other in FIELDS:
        game = Game("b^ pv", other)
        codes.add(game.refusal("p1", "declare", action="allout"))
    assert codes == {"cannot_pay"}


def test_asked_changes_with_the_question() -> None:
    game = Game("b^ pv", "h^ pv")
    seen: list[Any] = []
    for move in ("p1 declare action=smuggle", "p2 block", "p1 doubt", "p2 remove slot=0"):
        seen.append([module.asked(game.state, seat) for seat in ("p1", "p2")])
        game.play(move)
    for one, two in itertools.combinations(seen, 2):
        assert one != two
    assert all(None in pair for pair in seen)
