"""Support 援護, and how long `extra` and `owes` last. [UC-8.5]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds, party
from .test_combat import fight, turn


def support(table: Table, seat: str, to: str, card: str, npc: str | None = None) -> list[object]:
    return list(table.do(seat, "support", npc=npc, to=to, card=card, text="I help."))


def with_debts(table: Table, *seats: str, extra: int = 1, owes: bool = True) -> Table:
    hands = table.state.hands
    for seat in seats:
        hands[seat].extra, hands[seat].owes = extra, owes
    table.change(hands=hands)
    return table


@rule("UC-8.5")
def test_a_card_given_is_the_receivers_to_keep_and_the_giver_adjusts() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02")
    events = table.do("p1", "support", npc=None, to="p2", card="h02", text="I hold the ladder.")
    assert kinds(events) == ["supported", "given", "received", "drawn", "received", "turn_begun"]
    assert data(events, "supported") == {
        "seat": "p1",
        "npc": None,
        "to": "p2",
        "text": "I hold the ladder.",
    }
    assert [(event.to, event.data) for event in events[1:3]] == [
        (("p1",), {"seat": "p1", "to": "p2", "card": "h02"}),
        (("p2",), {"seat": "p2", "cards": ["h02"]}),
    ]
    assert (table.hand("p1"), table.hand("p2")) == (["h01", "d01"], ["s01", "h02"])
    assert (table.debts("p1"), table.debts("p2")) == ((0, False), (1, False))
    assert table.view()["declared"] == {"p1": "I hold the ladder."}
    assert (table.view()["results"], turn(table)) == ([], (1, "p2"))


@rule("UC-8.5")
def test_a_support_to_a_wrong_target_or_out_of_turn_is_refused() -> None:
    table = fight({"p1": "h01 h02", "p2": "", "p3": "s01"}, characters={"p2": {"hp_max": 1, "hp": 0}})
    wolf = table.add_npc()

    def refused(seat: str, to: str, card: str, npc: str | None = None) -> str:
        return table.refusal(seat, "support", npc=npc, to=to, card=card, text="!")

    assert refused("p1", "p1", "h01") == "to_oneself"
    assert refused("p1", "p2", "h01") == "down"
    assert refused("p1", "p4", "h01") == "unknown_seat"
    assert refused("p1", "n1", "h01") == "malformed_move"
    assert refused("p1", "p3", "s01") == "not_in_hand"
    assert refused("p1", "p3", "h01", wolf) == "npc_not_wanted"
    assert refused("p3", "p1", "s01") == "not_your_turn"
    assert table.refusal("p1", "support", npc=None, to="p3", card="h01", text="") == "malformed_move"
    assert {move["to"] for move in table.legal("p1") if move["type"] == "support"} == {"gm", "p3"}
    support(table, "p1", "gm", "h01")
    assert table.debts("gm") == (1, False)
    table.do("gm", "end_turn")
    card = table.hand("gm")[0]
    assert refused("gm", "gm", card, wolf) == "to_oneself"
    support(table, "gm", "p3", card, wolf)
    assert (table.debts("p3"), table.debts("gm")) == ((1, False), (0, False))


@rule("UC-8.5")
def test_hands_are_drawn_to_the_limit_and_kept_up_to_the_extra() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01 s02", "p3": "c01"}, deck="d01 d02 d03 d04")
    support(table, "p1", "p3", "h01")
    support(table, "p2", "p3", "s01")
    assert (table.hand("p3"), table.debts("p3")[0]) == (["c01", "h01", "s01"], 2)
    table.call("p3", 1)
    table.do("p3", "play", card="h01")
    assert (len(table.hand("p3")), table.debts("p3")[0]) == (2, 2)
    assert table.view()["characters"]["p3"]["limit"] == 1
    table.call("p3", 1)
    table.do("p3", "draw")
    assert table.view()["phase"] == "idle"
    table.do("gm", "set_hp", who="p3", hp=0)
    assert (table.view()["task"]["need"], table.debts("p3")) == (2, (0, False))


@rule("UC-8.5")
@pytest.mark.parametrize("action", ["attack", "observe", "support", "other", "nothing"])
def test_in_combat_debts_end_with_the_own_turn_even_without_an_action(action: str) -> None:
    table = fight(
        {"p1": "h01 h02", "p2": "s01"}, deck="d01 d02 d03", characters={"p1": {"hp_max": 3, "hp": 2}}
    )
    table.do("gm", "set_hp", who="p1", hp=3)
    with_debts(table, "p1", extra=2)
    hands = table.state.hands
    hands["p1"].cards.pop()
    table.change(hands=hands, deck=[*table.state.deck, "d01"])
    match action:
        case "attack":
            table.attack("p1", "p2", 1)
            table.do("p1", "give_up")
        case "observe":
            table.do("p1", "observe", npc=None, card="h01")
        case "support":
            support(table, "p1", "gm", "h01")
        case "other":
            table.do("p1", "other", npc=None, text="!")
            assert table.debts("p1") == (2, True)
    if action in ("other", "nothing"):
        table.do("gm", "end_turn")
    assert (table.debts("p1"), len(table.hand("p1"))) == ((0, False), 3)
    assert turn(table) == (1, "p2")


@rule("UC-8.5")
def test_surplus_cards_are_discarded_when_the_extra_limit_ends() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01")
    support(table, "p1", "p2", "h01")
    table.do("gm", "end_turn")
    assert (table.view()["waiting_for"], table.view()["task"]["need"], turn(table)) == (["p2"], 1, (1, "p2"))
    table.do("p2", "discard", cards=["h01"])
    assert turn(table) == (1, "gm")


@rule("UC-8.5")
@pytest.mark.parametrize("kind", ["check", "chain", "contest", "treat"])
def test_outside_combat_debts_end_with_a_task_of_the_acting_side(kind: str) -> None:
    table = with_debts(Table({"p1": "h01 h02", "p2": "s01 s02"}, deck="d01 d02"), "p1", "p2", extra=1)
    match kind:
        case "contest":
            table.contest("p1", "p2", 1)
            table.do("p1", "play", card="h01")
            table.do("p2", "give_up")
        case "treat":
            table.treat("p1", "p2")
            table.do("p1", "give_up")
        case _:
            table.call("p1", 1, chain=kind == "chain")
            table.do("p1", "give_up")
    assert (table.debts("p1"), table.debts("p2")) == ((0, False), (1, True))
    assert len(table.hand("p1")) == 2


@rule("UC-8.5", "UC-4.8")
def test_a_cancelled_task_leaves_the_debts() -> None:
    table = with_debts(Table({"p1": "h01 h02"}), "p1")
    table.call("p1", 1)
    table.do("gm", "cancel")
    assert table.debts("p1") == (1, True)


@rule("UC-8.5")
@pytest.mark.parametrize("kind", ["check", "contest", "treat"])
def test_a_task_that_the_gm_calls_in_combat_ends_no_debts(kind: str) -> None:
    table = with_debts(fight({"p1": "h01", "p2": "s01"}), "p1", extra=2, owes=False)
    if kind == "check":
        table.call("p1", 1)
    elif kind == "treat":
        table.treat("p1", "p2")
    else:
        table.do("gm", "contest", active=party("p1"), passive=party("p2"), difficulty=1, label="")
    table.do("p1", "give_up")
    assert table.debts("p1") == (2, False)


@rule("UC-8.5")
def test_the_gms_debts_end_with_each_npcs_action_or_a_turn_without_any() -> None:
    table = fight({"p1": "h01"})
    wolf, bear = table.add_npc(), table.add_npc()
    table.do("gm", "end_turn")
    with_debts(table, "gm")
    table.do("gm", "other", npc=wolf, text="howls")
    assert table.debts("gm") == (0, False)
    with_debts(table, "gm")
    table.do("gm", "end_turn")
    assert table.debts("gm") == (1, True), "an NPC has acted in this turn"
    table.do("gm", "end_turn")
    table.do("gm", "end_turn")
    assert table.debts("gm") == (0, False)
    table.do("gm", "end_turn")
    with_debts(table, "gm")
    table.attack(wolf, "p1", 1, chain=True)
    table.do("gm", "give_up")
    assert table.debts("gm") == (0, True)
    table.do("gm", "observe", npc=bear, card=table.hand("gm")[0])
    assert table.debts("gm") == (0, False)


@rule("UC-8.5")
def test_outside_combat_the_gms_debts_end_with_an_npcs_task() -> None:
    table = with_debts(Table({"p1": "h01"}), "gm")
    wolf = table.add_npc()
    table.contest("p1", wolf, 1)
    table.do("p1", "play", card="h01")
    table.do("gm", "give_up")
    assert table.debts("gm") == (1, True)
    table.call("gm", 1, npc=wolf)
    table.do("gm", "give_up")
    assert table.debts("gm") == (0, False)
