"""The eighteen designs: chapter 7. Each row of the table has its test."""

from __future__ import annotations

import pytest

from sessions.modules.goodcop.tests.table import FOUR, Game, at, kinds

FIVE = "A H H | K C C | H H C | C C H | H C C"


def game_with(card: str, cards: str = FIVE, user: str = "p1", **others: str) -> Game:
    return Game(cards, {user: card} | others)


def test_blackmail_swaps_two_cards_and_their_new_owners_know_them() -> None:
    game = game_with("blackmail", "A H H | K C C | H H+ C | C C H")
    events = game.play("p1", "blackmail", a=at("p2", 0), b=at("p3", 1))
    assert game.view("p3")["me"]["cards"] == ["honest", "kingpin", "crooked"]
    assert game.up("p3") == [False, False, False]
    assert game.up("p2") == [True, False, False]
    assert game.view("p2")["me"]["known"] == [{"seat": "p3", "position": 1, "face": "kingpin"}]
    assert [(event.to, event.data["face"]) for event in events if event.to] == [(("p3",), "kingpin")]
    assert game.player("p3", "p1")["cards"][1]["face"] == "?"
    assert game.bottom == "blackmail"


def test_blackmail_is_for_two_living_others() -> None:
    game = game_with("blackmail")
    game.set("p5", alive=False)
    for a, b in (
        (at("p1", 0), at("p2", 0)),
        (at("p2", 0), at("p2", 1)),
        (at("p2", 0), at("p5", 1)),
        (at("p2", 0), at("p9", 1)),
    ):
        assert game.refused("p1", "blackmail", a=a, b=b) == "bad_target"
    assert len(game.legal("p1", "blackmail")) == 3 * 2 * 9


def test_a_seen_card_stays_known_after_it_is_swapped() -> None:
    game = game_with("blackmail")
    game.do("p1", "investigate", seat="p2", position=0)
    game.all_pass()
    game.all_pass()
    game.change(turn="p1")
    game.play("p1", "blackmail", a=at("p2", 0), b=at("p3", 0))
    assert game.view("p1")["me"]["known"] == [{"seat": "p3", "position": 0, "face": "kingpin"}]
    assert game.view("p2")["me"]["known"] == [{"seat": "p3", "position": 0, "face": "kingpin"}]
    assert game.view("p3")["me"]["known"] == [{"seat": "p2", "position": 0, "face": "honest"}]


def test_coffee_gives_its_player_the_next_turn() -> None:
    game = game_with("coffee", user="p4")
    game.do("p1", "investigate", seat="p2", position=0)
    game.do("p4", "pass")
    before = game.state.deck
    game.play("p4", "coffee")
    assert game.turn == "p4"
    assert game.player("p4")["active"] == []
    assert game.state.deck == [*before, "coffee"]
    game.do("p4", "investigate", seat="p2", position=0)
    assert game.turn == "p5"


def test_coffee_lies_in_front_until_its_turn_and_may_change_hands() -> None:
    game = game_with("coffee", user="p4", p1="evidence_bag")
    game.do("p1", "investigate", seat="p2", position=0)
    game.play("p4", "coffee")
    assert game.player("p4")["active"] == ["coffee"]
    game.play("p1", "evidence_bag", active="coffee", to="p3")
    assert game.player("p3")["active"] == ["coffee"]
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.turn == "p3"
    game.do("p3", "investigate", seat="p2", position=0)
    assert game.turn == "p4"


def test_coffee_of_an_eliminated_player_gives_no_turn() -> None:
    game = game_with("coffee", user="p4")
    game.set("p4", alive=False, active=["coffee"], hand=[])
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.turn == "p2"
    assert game.bottom == "coffee"


def test_coffee_in_the_own_turn_gives_another_turn() -> None:
    game = game_with("coffee")
    game.play("p1", "coffee")
    game.do("p1", "investigate", seat="p2", position=0)
    assert (game.turn, game.phase) == ("p1", "action")


def test_a_defibrillator_revives_an_eliminated_player() -> None:
    game = game_with("defibrillator", "A H H | K C C | H+ H+ C+ | C C H | H C C")
    assert game.refused("p1", "defibrillator", seat="p3") == "no_target"
    game.set("p3", alive=False)
    assert game.refused("p1", "defibrillator", seat="p4") == "bad_target"
    game.play("p1", "defibrillator", seat="p3")
    player = game.player("p3")
    assert (player["alive"], player["armed"], game.up("p3")) == (True, False, [True] * 3)


def test_a_disguise_protects_cards_from_being_looked_at() -> None:
    game = game_with("disguise", user="p2", p3="wiretap", p4="polygraph", p5="metal_detector")
    game.arm("p2", "p1")
    game.do("p1", "investigate", seat="p2", position=0)
    game.play("p2", "disguise", seat="p2")
    assert game.player("p2")["active"] == ["disguise"]
    assert game.refusal("p1", "investigate", seat="p2", position=0) == "disguised"
    game.do("p1", "investigate", seat="p3", position=0)
    assert game.refused("p3", "wiretap", looks=[at("p2", 0)]) == "bad_target"
    assert game.refused("p4", "polygraph", seat="p2") == "bad_target"
    assert game.refused("p5", "metal_detector", looks=[at("p2", 0)]) == "no_target"


def test_an_evidence_bag_moves_a_hand_card_to_another_player() -> None:
    game = game_with("evidence_bag", p2="taser", p3="coffee")
    events = game.play("p1", "evidence_bag", from_="p2", to="p4")
    assert game.view("p4")["me"]["hand"] == ["taser"]
    assert game.player("p2")["hand_count"] == 0
    assert [(event.to, event.data) for event in events if event.to] == [(("p4",), {"card": "taser"})]
    public = [value for event in events if event.to is None for value in event.data.values()]
    assert "taser" not in public


def test_an_evidence_bag_is_refused_for_wrong_players_or_cards() -> None:
    game = game_with("evidence_bag", p2="taser", p3="coffee")
    game.set("p1", active=["disguise"])
    game.set("p5", alive=False, active=["planted_evidence"])
    refused = [
        {"from_": "p2", "to": "p2"},
        {"from_": "p2", "to": "p1"},
        {"from_": "p4", "to": "p3"},
        {"from_": "p1", "to": "p3"},
        {"from_": "p2", "to": "p5"},
        {"active": "disguise", "to": "p3"},
        {"active": "coffee", "to": "p3"},
    ]
    for fields in refused:
        assert game.refused("p1", "evidence_bag", **fields) == "bad_target"
    game.play("p1", "evidence_bag", active="planted_evidence", to="p3")
    assert game.player("p3")["active"] == ["planted_evidence"]
    assert game.player("p5")["active"] == []


def test_a_k9_unit_disarms_an_armed_player() -> None:
    game = game_with("k9_unit")
    game.arm("p1", "p2")
    game.arm("p3", "p2")
    assert [move["seat"] for move in game.legal("p1", "k9_unit")] == ["p1", "p3"]
    game.play("p1", "k9_unit", seat="p3")
    assert game.player("p3")["armed"] is False
    assert game.player("p3")["aim"] is None


def test_a_med_kit_heals_a_wounded_leader() -> None:
    game = game_with("med_kit", "A! H+ H+ | K C C | H H C | C C H")
    game.play("p1", "med_kit", seat="p1")
    assert [card["wounded"] for card in game.player("p1")["cards"]] == [False] * 3
    game = game_with("med_kit")
    assert game.refused("p1", "med_kit", seat="p1") == "no_target"


def test_a_metal_detector_looks_at_cards_of_players_with_guns() -> None:
    game = game_with("metal_detector", "A H H | K C C+ | H+ H+ C+ | C C H | H C C")
    assert game.refused("p1", "metal_detector", looks=[]) == "no_target"
    for seat in ("p1", "p2", "p3", "p4"):
        game.arm(seat, "p5")
    for looks in ([], [at("p2", 0)], [at("p2", 2), at("p4", 0)], [at("p2", 0), at("p2", 1)]):
        assert game.refused("p1", "metal_detector", looks=looks) == "bad_target"
    assert game.refused("p1", "metal_detector", looks=[at("p2", 0), at("p4", 0), at("p5", 0)]) == "bad_target"
    assert len(game.legal("p1", "metal_detector")) == 2 * 3
    events = game.play("p1", "metal_detector", looks=[at("p4", 2), at("p2", 0)])
    assert [known["face"] for known in game.view("p1")["me"]["known"]] == ["kingpin", "honest"]
    assert kinds(events).count("investigated") == 2


def test_planted_evidence_changes_a_players_team() -> None:
    game = game_with("planted_evidence")
    game.play("p1", "planted_evidence", seat="p3")
    assert (game.team("p3"), game.player("p3")["active"]) == ("crooked", ["planted_evidence"])


def test_a_polygraph_shows_two_players_each_others_cards() -> None:
    game = game_with("polygraph", "A H H+ | K C+ C | H H C | C C H")
    game.play("p1", "polygraph", seat="p2")
    assert [known["face"] for known in game.view("p1")["me"]["known"]] == ["kingpin", "crooked"]
    assert [known["face"] for known in game.view("p2")["me"]["known"]] == ["agent", "honest"]
    assert game.view("p3")["me"]["known"] == []


def test_polygraph_shows_nothing_of_a_disguised_user() -> None:
    game = game_with("polygraph", "A H H | K+ C+ C+ | H H C | C C H")
    game.set("p1", active=["disguise"])
    game.play("p1", "polygraph", seat="p2")
    assert game.view("p2")["me"]["known"] == []


def test_a_smoke_grenade_reverses_the_order_of_turns() -> None:
    game = game_with("smoke_grenade")
    game.play("p1", "smoke_grenade")
    assert (game.view()["direction"], game.view()["middle"]) == (-1, ["smoke_grenade"])
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.turn == "p5"


def test_a_surveillance_camera_turns_up_investigated_cards() -> None:
    game = game_with("surveillance_camera", user="p2", p3="wiretap")
    game.do("p1", "investigate", seat="p2", position=0)
    game.play("p2", "surveillance_camera", seat="p4")
    game.do("p1", "investigate", seat="p4", position=1)
    game.do("p3", "pass")
    assert game.up("p4") == [False, True, False]
    game.play("p3", "wiretap", looks=[at("p4", 0), at("p2", 0)])
    assert game.up("p4") == [True, True, False]
    assert game.up("p2") == [False] * 3


def test_a_taser_takes_a_gun_which_cannot_fire_at_once() -> None:
    game = game_with("taser")
    assert game.refused("p1", "taser", seat="p3") == "no_target"
    game.arm("p3", "p1")
    assert game.refused("p1", "taser", seat="p4") == "bad_target"
    game.play("p1", "taser", seat="p3")
    player = game.player("p1")
    assert (player["armed"], player["aim"], player["can_fire"]) == ("gun", None, False)
    assert game.player("p3")["armed"] is False
    assert game.legal("p1") == [{"type": "aim", "seat": seat} for seat in ("p2", "p3", "p4", "p5")]
    game.do("p1", "aim", seat="p2")
    assert (game.phase, game.player("p1")["can_fire"]) == ("action", False)
    assert game.refusal("p1", "shoot") == "fresh_from_taser"
    game.do("p1", "investigate", seat="p2", position=0)
    game.do("p1", "keep")
    assert game.player("p1")["can_fire"] is True


def test_taser_is_for_the_unarmed() -> None:
    game = game_with("taser")
    game.arm("p3", "p1")
    game.arm("p1", "p3")
    assert game.refused("p1", "taser", seat="p3") == "no_target"


def test_a_truth_serum_turns_a_card_up() -> None:
    game = game_with("truth_serum", "A H H+ | K C C | H H C | C C H")
    assert game.refused("p1", "truth_serum", seat="p1", position=2) == "bad_target"
    assert at("p1", 0) in [
        {"seat": m["seat"], "position": m["position"]} for m in game.legal("p1", "truth_serum")
    ]
    game.play("p1", "truth_serum", seat="p2", position=0)
    assert game.player("p2")["cards"][0] == {
        "face": "kingpin",
        "up": True,
        "wounded": False,
        "infected": False,
    }


def test_a_walkie_talkie_redirects_the_aims_of_others() -> None:
    game = game_with("walkie_talkie")
    assert game.refused("p1", "walkie_talkie", seat="p2") == "no_target"
    game.arm("p2", "p1")
    assert {"type": "play", "card": "walkie_talkie", "seat": "p2"} in game.legal("p1")
    game.arm("p3", "p1")
    game.arm("p1", "p4")
    game.play("p1", "walkie_talkie", seat="p2")
    assert [game.player(seat)["aim"] for seat in ("p1", "p2", "p3")] == ["p2", "p1", "p2"]


def test_a_wiretap_looks_at_cards_of_different_players() -> None:
    game = game_with("wiretap", "A H H | K C C+ | H H C | C C H")
    for looks in (
        [],
        [at("p2", 0), at("p2", 1)],
        [at("p2", 2)],
        [at("p1", 0)],
        [at("p2", 0), at("p3", 0), at("p4", 0)],
    ):
        assert game.refused("p1", "wiretap", looks=looks) == "bad_target"
    assert len(game.legal("p1", "wiretap")) == 8 + 2 * 3 + 3 * 3 + 2 * 3
    game.play("p1", "wiretap", looks=[at("p4", 0), at("p2", 0)])
    assert [(known["seat"], known["face"]) for known in game.view("p1")["me"]["known"]] == [
        ("p2", "kingpin"),
        ("p4", "crooked"),
    ]


@pytest.mark.parametrize("holder", ["p2", "p3"])
def test_a_player_may_hold_both_defibrillators(holder: str) -> None:
    game = Game(FOUR, {holder: "defibrillator defibrillator"})
    assert game.state.deck.count("defibrillator") == 0
