"""Attacks, damage, chain attacks. [UC-8.2, 8.3, 8.7, 8.8]"""

from typing import Any

import pytest

from tests.rules import rule

from .table import Table, data, kinds
from .test_combat import fight, turn

NO_MEANS = {"weapon": None, "skill": None, "chain": False}


@rule("UC-8.2", "UC-8.8")
def test_an_attack_is_a_check_and_then_a_defence_against_the_card_just_played() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01 s02"}, deck="d01 d02")
    events = table.attack("p1", "p2", 2)
    assert data(events, "called")["target"] == "p2"
    task = table.view()["task"]
    assert (task["kind"], task["stage"], task["seat"], task["npc"]) == ("attack", "attack", "p1", None)
    assert (task["target"], task["asked"], task["label"]) == ("p2", "p1", "")
    assert (task["count"], task["need"], task["level"]) == (None, None, 2)
    table.do("p1", "play", card="h01")
    task = table.view()["task"]
    assert (task["stage"], task["asked"], task["allow_draw"]) == ("defend", "p2", True)
    assert [fit["success"] for fit in table.view("p2")["me"]["fits"]] == [True, False]
    events = table.do("p2", "play", card="s02")
    assert kinds(events) == ["played", "decided", "hp_changed", "drawn", "received"]
    assert data(events, "drawn") == {"seat": "p1", "count": 1}
    assert table.result() == {
        "kind": "attack",
        "seat": "p1",
        "npc": None,
        "difficulty": 2,
        "card": "h01",
        "success": True,
        "count": None,
        "damage": 2,
        "target": "p2",
    }
    assert table.view()["characters"]["p2"]["hp"] == 0
    assert (table.view()["task"]["need"], turn(table)) == (1, (1, "p1"))
    table.do("p2", "discard", cards=["s01"])
    assert turn(table) == (1, "gm")


@rule("UC-8.2")
def test_a_defence_that_succeeds_keeps_the_target_whole() -> None:
    table = fight({"p1": "h01", "p2": "s01"}, deck="d01 d02")
    table.attack("p1", "p2", 1)
    table.do("p1", "play", card="h01")
    events = table.do("p2", "play", card="s01")
    assert [event.data["seat"] for event in events if event.kind == "drawn"] == ["p1", "p2"]
    assert (table.result()["success"], table.result()["damage"]) == (False, None)
    assert table.view()["characters"]["p2"]["hp"] == 1
    assert turn(table) == (1, "p2")


@rule("UC-8.2")
@pytest.mark.parametrize("answer", ["play", "give_up"])
def test_a_failed_attack_asks_for_no_defence(answer: str) -> None:
    table = fight({"p1": "s13", "p2": "s01"}, deck="d01")
    table.do("gm", "deal", seat="p2", count=1)
    table.attack("p1", "p2", 2)
    table.do("p1", answer, **({"card": "s13"} if answer == "play" else {}))
    assert (table.result()["success"], table.result()["damage"]) == (False, None)
    assert table.view()["field"]["card"] == ("s13" if answer == "play" else "h07")
    assert (table.view()["phase"], turn(table)) == ("idle", (1, "p2"))


@rule("UC-8.2", "UC-4.2")
def test_the_turning_of_an_attack_happens_once_and_not_for_the_defence() -> None:
    table = fight({"p1": "c10", "p2": "c02"}, deck="c09 d01")
    table.do("p1", "declare", text="Now!")
    table.attack("p1", "p2", 3)
    assert (table.view()["field"]["card"], table.view()["declared"]) == ("c09", {})
    table.do("p1", "play", card="c10")
    assert table.view()["field"]["card"] == "c10"
    assert table.view("p2")["me"]["fits"][0] == {"card": "c02", "success": False, "why": "UC-4.2"}


@rule("UC-8.2")
def test_a_named_skill_helps_the_attack_and_none_the_defence() -> None:
    characters: dict[str, Any] = {"p1": {"skills": ["剣"]}, "p2": {"skills": ["盾"], "suits": ["d"]}}
    table = fight({"p1": "d02", "p2": "s04"}, characters=characters)
    assert table.refusal("p1", "attack", target="p2", difficulty=2, skill=1) == "unknown_skill"
    table.attack("p1", "p2", 2, skill=0)
    assert table.view("p1")["task"]["skill"] is True
    assert table.view("p1")["me"]["fits"][0] == {"card": "d02", "success": True, "why": "UC-4.3"}
    table.do("p1", "play", card="d02")
    assert table.view("p2")["me"]["fits"][0]["success"] is False, "a favoured suit alone: level 1"
    table.do("gm", "cancel")
    table.change(pile=["d02"])
    table.attack("p1", "p2", 1, skill=0)
    table.do("p1", "play", card=table.hand("p1")[0])


@rule("UC-8.2")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"target": "p1"}, "own_target"),
        ({"target": "p3"}, "unknown_seat"),
        ({"target": "n9"}, "unknown_npc"),
        ({"target": "gm"}, "malformed_move"),
        ({"difficulty": 0}, "malformed_move"),
        ({"difficulty": 6}, "malformed_move"),
        ({"weapon": 1}, "unknown_weapon"),
        ({"weapon": -1}, "malformed_move"),
        ({"skill": 0}, "unknown_skill"),
        ({"skill": True}, "malformed_move"),
        ({"npc": "n1"}, "npc_not_wanted"),
    ],
)
def test_an_impossible_attack_is_refused(fields: dict[str, Any], code: str) -> None:
    table = fight({"p1": "h01", "p2": "s01"}, characters={"p1": {"weapons": [{"name": "杖", "value": 1}]}})
    assert table.refusal("p1", "attack", **({"target": "p2", "difficulty": 1} | fields)) == code


@rule("UC-8.2")
def test_an_attack_outside_the_own_turn_is_refused() -> None:
    table = Table({"p1": "h01", "p2": "s01"})
    assert table.refusal("p1", "attack", target="p2", difficulty=1) == "no_combat"
    table.do("gm", "start_combat")
    assert table.refusal("p2", "attack", target="p1", difficulty=1) == "not_your_turn"


@rule("UC-8.2", "UC-8.3")
def test_a_target_that_is_down_is_hit_at_once_and_loses_more_hp() -> None:
    table = fight({"p1": "h11", "p2": "h02 h03"}, deck="d01", characters={"p2": {"hp": 1}})
    table.do("gm", "set_hp", who="p2", hp=-1)
    table.do("p2", "discard", cards=["h02"])
    table.attack("p1", "p2", 2)
    events = table.do("p1", "play", card="h11")
    assert kinds(events)[:3] == ["played", "decided", "hp_changed"]
    assert table.result()["damage"] == 3
    assert table.view()["characters"]["p2"]["hp"] == -4
    assert turn(table) == (1, "gm")


@rule("UC-8.2", "UC-10.5")
def test_npcs_attack_players_and_each_other_with_their_one_weapon() -> None:
    table = fight({"p1": "h01 h02 h03 h04"}, gm="s05 s06")
    wolf, bear = table.add_npc(weapon=2), table.add_npc(armour=4)
    table.do("gm", "end_turn")
    assert table.refusal("gm", "attack", npc=wolf, target=wolf, difficulty=1) == "own_target"
    assert table.refusal("gm", "attack", npc=wolf, target="p1", difficulty=1, weapon=1) == "unknown_weapon"
    assert table.refusal("gm", "attack", npc=None, target="p1", difficulty=1) == "npc_needed"
    table.attack(wolf, bear, 2, weapon=0)
    assert (table.view("gm")["task"]["q"], table.view("gm")["task"]["npc"]) == (2, wolf)
    assert table.view()["npcs"][0]["acted"] is False
    table.do("gm", "play", card="s05")
    task = table.view("gm")["task"]
    assert (task["stage"], task["asked"], task["target"], task["q"]) == ("defend", "gm", bear, 4)
    table.do("gm", "give_up")
    assert table.result()["damage"] == 2
    assert [npc["hp"] for npc in table.view()["npcs"]] == [1, -1]
    assert (table.view()["npcs"][0]["acted"], turn(table)) == (True, (1, "gm"))
    assert table.refusal("gm", "attack", npc=wolf, target="p1", difficulty=1) == "has_acted"
    assert table.refusal("gm", "attack", npc=bear, target="p1", difficulty=1) == "down"


@rule("UC-8.2", "UC-4.1")
def test_an_attack_says_how_and_that_stays_declared_until_the_next_task() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01 s02"}, deck="d01 d02")
    table.do("p2", "declare", text="Wait!")
    events = table.attack("p1", "p2", 1, text="from the roof")
    assert kinds(events) == ["declared", "called"]
    assert data(events, "declared") == {"seat": "p1", "text": "from the roof"}
    assert (table.view()["declared"], table.view()["task"]["label"]) == ({"p1": "from the roof"}, "")
    assert table.view()["task"]["text"] == "from the roof"
    table.do("p1", "play", card="h01")
    table.do("p2", "give_up")
    assert table.view()["declared"] == {"p1": "from the roof"}, "still there when it is decided"
    assert table.view()["result_text"] == "from the roof"
    table.do("p2", "discard", cards=["s01"])
    table.do("gm", "end_turn")
    wolf = table.add_npc()
    table.do("gm", "attack", npc=wolf, target="p1", difficulty=1, text="from behind", **NO_MEANS)
    assert table.view()["declared"] == {"gm": "from behind"}


@rule("UC-8.2")
def test_how_an_attack_is_made_may_be_left_out_or_take_80_characters() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    for bad in ("x" * 81, None, "a\x00b", 3):
        assert table.refusal("p1", "attack", target="p2", difficulty=1, text=bad) == "malformed_move"
    assert kinds(table.attack("p1", "p2", 1, text="")) == ["called"]
    assert table.view()["declared"] == {}
    table.do("gm", "cancel")
    table.attack("p1", "p2", 1, text="x" * 80)
    assert table.view()["declared"] == {"p1": "x" * 80}


@rule("UC-8.3")
@pytest.mark.parametrize(("card", "more"), [("h10", 0), ("h11", 1), ("h13", 1), ("x01", 2)])
@pytest.mark.parametrize("source", ["hand", "deck"])
def test_damage_is_the_difficulty_and_the_kind_of_the_first_card(card: str, more: int, source: str) -> None:
    hand, deck = (card, "") if source == "hand" else ("s01", card)
    table = fight({"p1": hand, "p2": "c01 c02 c03 c04 c05"}, deck=deck)
    table.attack("p1", "p2", 2)
    joker = {"suit": "h"} if card == "x01" else {}
    if source == "hand":
        table.do("p1", "play", card=card, **joker)
    else:
        table.do("p1", "draw")
        if joker:
            table.do("p1", "name_suit", suit="h")
    table.do("p2", "give_up")
    assert table.result()["damage"] == 2 + more
    assert table.view()["characters"]["p2"]["hp"] == 3 - more


@rule("UC-8.3", "UC-4.3")
def test_damage_goes_by_the_announced_difficulty() -> None:
    table = fight(
        {"p1": "c01", "p2": "s01 s02 s03 s04"},
        deck="c09",
        characters={"p1": {"suits": ["c"], "skills": ["弓"]}},
    )
    table.attack("p1", "p2", 3, skill=0)
    table.do("p1", "play", card="c01")
    table.do("p2", "give_up")
    assert table.result()["damage"] == 3


@rule("UC-8.8", "UC-4.8")
def test_attacker_defender_and_changed_hands_adjust_before_the_turn_passes() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01 s02 s03", "p3": "c01 c02"})
    table.attack("p1", "p2", 2)
    table.do("gm", "set_hp", who="p3", hp=1)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("gm", "deal", seat="p1", count=1)
    table.do("p1", "play", card="h01")
    table.do("p2", "play", card="s03")
    for seat, need in (("p1", 1), ("p2", 1), ("p3", 1)):
        assert (table.view()["waiting_for"], table.view()["task"]["need"]) == ([seat], need)
        assert turn(table) == (1, "p1")
        table.do(seat, "discard", cards=table.hand(seat)[:1])
    assert turn(table) == (1, "p2")


@rule("UC-4.8", "UC-8.1")
@pytest.mark.parametrize("stage", ["attack", "defend"])
def test_a_cancelled_attack_spends_nothing(stage: str) -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02")
    hands = table.state.hands
    hands["p1"].extra = 1
    table.change(hands=hands)
    table.attack("p1", "p2", 1, chain=True)
    if stage == "defend":
        table.do("p1", "play", card="h01")
        table.do("p1", "play", card="h02")
    table.do("gm", "cancel")
    assert (turn(table), table.view()["results"], table.debts("p1")) == ((1, "p1"), [], (1, False))
    assert len(table.hand("p1")) == 2
    table.attack("p1", "p2", 1)
    table.do("gm", "cancel")
    table.do("gm", "end_turn")
    wolf = table.add_npc()
    table.do("gm", "end_turn")
    table.attack(wolf, "p1", 1)
    table.do("gm", "cancel")
    assert table.view()["npcs"][0]["acted"] is False


def chain_attack(hand: str, defence: str, difficulty: int = 1, **options: Any) -> Table:
    table = fight({"p1": hand, "p2": defence}, **options)
    table.attack("p1", "p2", difficulty, chain=True)
    return table


@rule("UC-8.7")
def test_a_chain_attack_of_difficulty_3_with_a_joker_first_does_6_damage() -> None:
    table = chain_attack("x01 h05 h06", "s01 s02 s03 s04 s05 s06 s07", 3, deck="c09")
    assert table.view()["field"]["card"] == "c09"
    table.do("p1", "play", card="x01", suit="h")
    table.do("p1", "play", card="h05")
    table.do("p1", "stop")
    table.do("p2", "give_up")
    assert table.result() == {
        "kind": "attack",
        "seat": "p1",
        "npc": None,
        "difficulty": 3,
        "card": "x01",
        "success": True,
        "count": 2,
        "damage": 6,
        "target": "p2",
    }
    assert table.view()["characters"]["p2"]["hp"] == 1


@rule("UC-8.7")
@pytest.mark.parametrize("end", ["stop", "fail", "no card"])
def test_a_chain_attack_of_one_card_fails(end: str) -> None:
    table = chain_attack("h01" if end == "no card" else "h01 c05", "s01", 2)
    table.do("p1", "play", card="h01")
    if end == "stop":
        table.do("p1", "stop")
    elif end == "fail":
        table.do("p1", "play", card="c05")
    assert (table.result()["success"], table.result()["count"], table.result()["damage"]) == (False, 1, None)
    assert (table.debts("p1"), turn(table)) == ((0, True), (1, "p2"))


@rule("UC-8.7")
def test_the_defender_chains_as_many_on_the_field_card_and_stops_by_itself() -> None:
    table = chain_attack("h01 h02 s06 h03", "s05 s04 s03", 2, deck="d01 d02")
    table.do("p1", "play", card="h01")
    table.do("p1", "play", card="h02")
    task = table.view()["task"]
    assert (task["count"], task["need"], task["allow_draw"]) == (2, None, False)
    table.do("p1", "play", card="s06")
    view = table.view()
    assert (view["task"]["stage"], view["task"]["count"], view["task"]["need"]) == ("defend", 0, 2)
    assert (view["field"]["card"], view["task"]["asked"], view["task"]["allow_draw"]) == ("s06", "p2", False)
    assert table.refusal("p2", "draw") == "no_draw"
    table.do("p2", "play", card="s05")
    assert (table.view()["task"]["count"], table.view()["task"]["need"]) == (1, 2)
    events = table.do("p2", "play", card="s04")
    assert (table.result()["success"], table.result()["count"]) == (False, 2)
    assert [event.data for event in events if event.kind == "drawn"] == [{"seat": "p2", "count": 2}]
    assert (table.debts("p1"), table.debts("p2"), table.hand("p1")) == ((0, True), (0, False), ["h03"])
    assert turn(table) == (1, "p2")


@rule("UC-8.7")
@pytest.mark.parametrize("end", ["give up", "fail", "stop", "no card", "empty"])
def test_a_shorter_defence_is_hit(end: str) -> None:
    hand = {"no card": "h05", "empty": "h05"}.get(end, "h05 s06 c09")
    table = chain_attack("h11 h02 h03", hand, 2)
    if end == "empty":
        state = table.state
        deck, hands = [*state.deck, *state.hands["p2"].cards], state.hands
        hands["p2"].cards = []
        table.change(deck=deck, hands=hands)
    for card in ("h11", "h02", "h03"):
        table.do("p1", "play", card=card)
    if end == "give up":
        table.do("p2", "give_up")
    elif end != "empty":
        table.do("p2", "play", card="h05")
    if end == "stop":
        table.do("p2", "stop")
    elif end == "fail":
        table.do("p2", "play", card="c09")
    assert (table.result()["damage"], table.result()["count"]) == (2 + 1 + 1, 3)
    assert table.view()["characters"]["p2"]["hp"] == len(hand.split()) - 4


@rule("UC-8.7", "UC-4.7")
def test_a_chain_attack_given_up_owes_too() -> None:
    table = chain_attack("h01 h02", "s01", deck="d01 d02 d03")
    table.do("p1", "give_up")
    assert (table.result()["count"], table.result()["card"], table.debts("p1")) == (0, None, (0, True))


@rule("UC-8.7", "UC-5.2")
def test_a_chain_attack_with_an_empty_hand_fails_at_once() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    hands = table.state.hands
    hands["p1"].cards = []
    table.change(hands=hands)
    table.attack("p1", "p2", 1, chain=True)
    assert (table.result()["success"], table.result()["count"], table.debts("p1")) == (False, 0, (0, True))
    assert turn(table) == (1, "p2")


@rule("UC-8.7")
def test_a_target_that_is_down_is_hit_by_a_chain_at_once() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01 s02 s03"})
    wolf = table.add_npc()
    table.do("gm", "set_hp", who=wolf, hp=0)
    table.attack("p1", wolf, 1, chain=True)
    table.do("p1", "play", card="h01")
    table.do("p1", "play", card="h02")
    assert (table.result()["damage"], table.view()["npcs"][0]["hp"]) == (2, -2)


@rule("UC-8.7", "UC-8.5")
def test_a_chain_attacker_refills_after_the_end_of_the_next_own_action() -> None:
    table = fight({"p1": "h01 h02 s06", "p2": "c05 c06"}, deck="d01 d02 d03 d04 d05 d06 d07")
    table.do("gm", "deal", seat="p1", count=3)
    table.attack("p1", "p2", 1, chain=True)
    table.do("p1", "play", card="h01")
    table.do("p1", "stop")
    assert (table.view()["task"]["need"], table.debts("p1")) == (2, (0, True))
    table.do("p1", "discard", cards=["d01", "d02"])
    table.do("gm", "set_hp", who="p1", hp=2)
    table.do("p1", "discard", cards=["d03"])
    table.do("gm", "set_hp", who="p1", hp=3)
    assert len(table.hand("p1")) == 2, "owing, nobody draws"
    table.do("gm", "end_turn")
    table.call("p1", 1)
    table.do("p1", "play", card="h02")
    assert (len(table.hand("p1")), table.debts("p1")) == (1, (0, True)), (
        "a check called in combat is no action"
    )
    table.do("gm", "end_turn")
    assert turn(table) == (2, "p1")
    table.do("p1", "observe", npc=None, card="s06")
    assert (len(table.hand("p1")), table.debts("p1")) == (3, (0, False))


@rule("UC-8.7", "UC-8.5")
def test_a_second_chain_attack_makes_a_new_debt() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"})
    for _ in range(2):
        table.attack("p1", "p2", 1, chain=True)
        table.do("p1", "give_up")
        assert table.debts("p1") == (0, True)
        table.do("gm", "end_turn")
        table.do("gm", "end_turn")
    table.attack("p1", "p2", 1)
    table.do("p1", "give_up")
    assert table.debts("p1") == (0, False)


@rule("UC-8.2")
def test_every_way_a_player_may_attack_is_listed() -> None:
    gear = {"weapons": [{"name": "杖", "value": 1}, {"name": "弓", "value": 2}], "skills": ["棒術"]}
    table = fight({"p1": "h01", "p2": "s01"}, characters={"p1": gear})
    ways = {
        (who, difficulty, weapon, skill, chain)
        for who in ("p2", table.add_npc())
        for difficulty in (1, 2, 3, 4, 5)
        for weapon in (None, 0, 1)
        for skill in (None, 0)
        for chain in (False, True)
    }
    attacks = [move for move in table.legal("p1") if move["type"] == "attack"]
    listed = [
        tuple(move[name] for name in ("target", "difficulty", "weapon", "skill", "chain")) for move in attacks
    ]
    assert (set(listed), len(listed)) == (ways, len(ways))
