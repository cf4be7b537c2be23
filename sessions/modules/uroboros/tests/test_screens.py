"""Every region of the screens, drawn from real views: phone, GM and table face, in both languages."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils import translation

from sessions.game_tests.screens import Elements
from sessions.modules.uroboros import module
from sessions.modules.uroboros.view import View

from .table import Table
from .test_checks import npc

NAMES = {"gm": "ミナト", "p1": "あゆみ", "p2": "ボー"}
SHARED = ["board", "figures", "face", "verdict"]
OWN = ["prompt", "hand", "me", "secrets", "state", "attack", "support", "other", "interrupt"]
GM_ONLY = ["party", "running", "interrupts", "turn", "rescue", "call", "contest", "treat", "peek", "scene"]
GM_ONLY += ["unrevealed"]


def idle() -> Table:
    return Table(
        {"p1": "h01 x01 s03", "p2": "s01 s02 d10 c12 h13 d02 c04 s09"}, field="h07", deck="d01 s04 x02"
    )


def asked() -> Table:
    table = idle()
    table.call("p1", 2, label="<climb> the wall", q=1, skill=True)
    return table


def drawn_joker() -> Table:
    table = Table({"p1": "h01", "p2": "s01"}, field="h07", deck="x02")
    table.call("p1", 1)
    table.do("p1", "draw")
    return table


def adjusting() -> Table:
    table = idle()
    table.do("gm", "set_hp", who="p2", hp=5)
    return table


def decided() -> Table:
    table = idle()
    table.call("p1", 1)
    table.do("p1", "play", card="h01")
    table.do("p2", "declare", text="<b>I hide</b>")
    return table


def with_npc() -> Table:
    table = idle()
    table.change(npcs=[npc()])
    return table


def fighting() -> Table:
    """Ann has acted, the turn is Bo's, and two NPCs wait for the GM's."""
    table = with_npc()
    table.change(npcs=[npc(skills=("bite", "claw"), weapon=2), npc(id="n2", name="bat", skills=("fly",))])
    table.do("gm", "start_combat")
    table.do("p1", "observe", npc=None, card="h01")
    return table


def attacked() -> Table:
    """Ann has hit the wolf, and everybody reads how."""
    table = with_npc()
    table.change(npcs=[npc(special="<i>flies</i>", hp=9, hp_max=9)])
    table.do("gm", "start_combat")
    table.attack("p1", "n1", 1, text="<b>from the roof")
    table.do("p1", "play", card="h01")
    table.do("gm", "give_up")
    return table


def watched() -> Table:
    """Ann has just watched, and Bo is down in the own turn."""
    table = with_npc()
    table.do("gm", "start_combat")
    table.do("p1", "observe", npc=None)
    table.do("gm", "set_hp", who="p2", hp=0)
    table.do("gm", "cancel")
    return table


def called_in_secret() -> Table:
    table = idle()
    table.call("p1", 2, label="<b>listen", secret="own")
    return table


def kept_secret() -> Table:
    """Three secret checks wait: one that Ann knows, one laid blindly from the deck, one given up."""
    table = called_in_secret()
    table.do("p1", "play", card="h01")
    for move in ("draw", "give_up"):
        table.call("p1", 2, label="listen again", secret="gm")
        table.do("p1", move)
    table.do("gm", "peek", seat="p1")
    return table


def npc_in_secret() -> Table:
    """The GM is asked for the wolf's secret check, after one that the wolf made."""
    table = with_npc()
    for _ in range(2):
        table.call("gm", 2, npc="n1", secret="gm")
        if not table.state.secrets:
            table.do("gm", "play", card=table.hand("gm")[0])
    return table


def revealed() -> Table:
    table = kept_secret()
    table.do("gm", "reveal", number=1)
    return table


def over() -> Table:
    table = idle()
    table.do("gm", "end")
    return table


SCENES = {
    scene.__name__: scene
    for scene in (
        idle,
        asked,
        drawn_joker,
        adjusting,
        decided,
        with_npc,
        fighting,
        attacked,
        watched,
        called_in_secret,
        kept_secret,
        npc_in_secret,
        revealed,
        over,
    )
}


def draw(region: str, view: View, seat: str | None, language: str = "en") -> str:
    with translation.override(language):
        context = {
            "view": view,
            "figures": module.telling.names(view),
            "seat": seat,
            "names": NAMES,
            "over": None,
        }
        return str(get_template(f"tables/uroboros/_{region}.jinja", using="jinja2").render(context)).strip()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_each_region_is_one_element_that_carries_its_id(scene: str, language: str) -> None:
    state = SCENES[scene]().state
    regions = [(region, None) for region in SHARED]
    regions += [(region, seat) for region in OWN for seat in ("p1", "p2", "gm", None)]
    regions += [(region, "gm") for region in GM_ONLY]
    for region, seat in regions:
        elements = Elements(draw(region, module.view(state, seat), seat, language))
        assert elements.open == []
        assert elements.roots == 1
        assert elements.ids[0] == region
        assert len(elements.ids) == len(set(elements.ids))


#: Events of the rest of the rules; the screens are ready for them.
LATER: dict[str, dict[str, Any]] = {
    "chain": {"kind": "chain", "count": 2},
    "contest": {"kind": "contest", "stage": "active", "target": "p2"},
    "raise": {"kind": "contest", "stage": "raise", "target": "p2", "asked": "gm"},
    "passive": {"kind": "contest", "stage": "passive", "target": "p1", "seat": "p2"},
    "attack": {"kind": "attack", "stage": "attack", "target": "p2"},
    "defend": {"kind": "attack", "stage": "defend", "target": "p1", "seat": "p2", "need": 2, "count": 0},
    "treat": {"kind": "treat", "target": "p2"},
    "interrupt": {"kind": "interrupt", "label": "step in"},
}


@pytest.mark.parametrize("stage", LATER)
def test_each_stage_of_a_task_has_its_own_sentence(stage: str) -> None:
    view = module.view(asked().state, "p1")
    changed = msgspec.structs.replace(view, task=msgspec.structs.replace(view.task, **LATER[stage]))
    html = draw("prompt", changed, "p1")
    assert Elements(html).ids[0] == "prompt"
    assert draw("prompt", view, "p1") != html
    assert Elements(draw("board", changed, None)).ids[0] == "board"


def test_an_own_turn_in_combat_offers_its_actions() -> None:
    view = module.view(idle().state, "p1")
    can = ("attack", "observe", "support", "other", "declare")
    turn = msgspec.structs.replace(view, round=2, turn="p1", me=msgspec.structs.replace(view.me, can=can))
    html = draw("hand", turn, "p1")
    assert 'data-open="attack-sheet"' in html
    assert '"observe"' in html
    assert "Your turn. What do you do?" in draw("prompt", turn, "p1")


def test_how_an_attack_was_made_stands_with_its_verdict_and_with_nothing_else() -> None:
    table = attacked()
    for region in ("board", "face"):
        assert "&lt;b&gt;from the roof" in draw(region, module.view(table.state, None), None), region
    table.call("p2", 1)
    table.do("p2", "give_up")
    for region in ("board", "face"):
        assert "roof" not in draw(region, module.view(table.state, None), None), region


def test_an_old_verdict_does_not_stand_beneath_the_next_check() -> None:
    table = decided()
    for region in ("board", "face", "verdict"):
        assert "p1 succeeded" in draw(region, module.view(table.state, None), None), region
    table.call("p2", 1, label="swim")
    for region in ("board", "face", "verdict"):
        assert "p1 succeeded" not in draw(region, module.view(table.state, None), None), region
    assert "“swim”" in draw("face", module.view(table.state, None), None)


def test_a_verdict_says_the_word_the_deed_and_the_reason() -> None:
    table = asked()
    table.do("p1", "play", card="h01")
    html = draw("verdict", module.view(table.state, None), None, "ja")
    assert re.search(r'class="verdict-word">\s*成功\s*<', html)
    assert "「&lt;climb&gt; the wall」" in html
    told = re.findall(r'data-told="([^"]*)"', html)[0]
    assert told.startswith("成功。 「&lt;climb&gt; the wall」 p1：ハートのA、同じスート。")


def test_a_secret_check_is_a_card_back_to_seats_that_may_not_know_it() -> None:
    table = kept_secret()
    for region in ("board", "face"):
        assert draw(region, module.view(table.state, None), None).count('class="card back"') >= 2, region
    verdict = draw("verdict", module.view(called_in_secret().state, None), None)
    assert "data-told" not in verdict, "the call itself is no moment"
    gm, own, other = (draw("secrets", module.view(table.state, seat), seat) for seat in ("gm", "p1", "p2"))
    assert gm.count("Reveal to all") == 3
    assert "p1 succeeded" in own
    assert own.count("The GM alone knows how it went.") == 2
    assert "Reveal" not in own
    assert "<li" not in other
    assert [html.count("data-own-told=") for html in (gm, own, other)] == [1, 1, 0], "spoken to who knows"
    warning = draw("unrevealed", module.view(table.state, "gm"), "gm")
    assert "3 secret checks have not been revealed" in warning
    assert warning.count("Reveal to all") == 3
    assert "The GM looked at your hand." in draw("prompt", module.view(table.state, "p1"), "p1")
    kept = draw("verdict", module.view(table.state, None), None)
    assert 'data-tone="plain"' in kept, "it sounds neither like success nor like failure"
    shown = draw("verdict", module.view(revealed().state, None), None)
    assert 'class="verdict-word">Success<' in re.sub(r"\s*\n\s*", "", shown)
    assert "The secret check is revealed." in shown


def test_the_desk_can_call_a_secret_check() -> None:
    html = draw("call", module.view(idle().state, "gm"), "gm", "ja")
    (choice,) = re.findall(r'<select[^>]* name="secret".*?</select>', html, re.DOTALL)
    assert re.findall(r'value="(\w*)"', choice) == ["", "gm", "own"]
    assert "秘密判定" in html


def test_a_hit_by_an_enemy_is_shown_with_a_sword_and_not_as_a_success() -> None:
    table = Table({"p1": "h01 x01 s03", "p2": "s01"}, field="h07", deck="d01", gm="d02 h03 c04")
    table.change(npcs=[npc()])
    table.do("gm", "start_combat")
    for seat in ("p1", "p2"):
        table.do(seat, "observe", npc=None)
    table.attack("n1", "p1", 1)
    table.do("gm", "play", card="d02")
    table.do("p1", "give_up")
    for region in ("board", "face"):
        html = draw(region, module.view(table.state, None), None)
        mark = re.findall(r'data-tone="bad">\s*<svg[^>]*><use href="[^"]*#([\w-]+)"', html)
        assert mark == ["sword"], region
    assert 'data-tone="bad"' in draw("verdict", module.view(table.state, None), None)


def test_a_fallen_player_reads_the_consequences_and_others_how_to_help() -> None:
    table = idle()
    table.do("gm", "set_hp", who="p2", hp=0)
    view = module.view(table.state, "p2")
    assert "You are down. Lay your 8 cards onto the field" in draw("prompt", view, "p2")
    assert "A treatment by anybody who stands can bring you back." in draw("prompt", view, "p2")
    table.do("p2", "discard", cards=table.hand("p2"))
    html = draw("prompt", module.view(table.state, "p1"), "p1")
    assert "Offer to treat p2" in html
    assert "p1 treats" in draw("rescue", module.view(table.state, "gm"), "gm")
    table.do("p1", "declare", text="I treat p2.")
    assert "Offer to treat" not in draw("prompt", module.view(table.state, "p1"), "p1")
    assert "“I treat p2.”" in draw("rescue", module.view(table.state, "gm"), "gm")
    table.treat("p1", "p2")
    table.do("p1", "give_up")
    assert "Offer to treat" not in draw("prompt", module.view(table.state, "p1"), "p1")
    assert "p1 treats" not in draw("rescue", module.view(table.state, "gm"), "gm")


def test_the_gm_is_offered_the_end_of_a_combat_without_foes() -> None:
    table = with_npc()
    table.do("gm", "start_combat")
    assert "end_combat" not in draw("rescue", module.view(table.state, "gm"), "gm")
    table.do("gm", "set_hp", who="n1", hp=0)
    assert "end_combat" in draw("rescue", module.view(table.state, "gm"), "gm")


def test_an_offer_of_treatment_is_called_from_the_desk_by_one_press() -> None:
    table = fighting()
    table.do("gm", "set_hp", who="p2", hp=0)
    table.do("p2", "discard", cards=table.hand("p2"))
    fallen = table.state.characters["p2"].name
    waits = draw("rescue", module.view(table.state, "gm"), "gm")
    assert "p1 treats" in waits
    table.do("p1", "declare", text=f"{fallen}を手当てする")
    view = module.view(table.state, "gm")
    assert view.offers == (("p1", "p2"),)
    waits = draw("rescue", view, "gm")
    assert f"{fallen}を手当てする" in waits
    assert "treat" in waits.partition('id="offer-p1-p2"')[2].partition("</form>")[0]
    assert "p1 treats" not in waits, "the same treatment is not offered twice"
    table.treat("p1", "p2")
    assert module.view(table.state, "gm").offers == ()


def test_a_declaration_waits_at_the_desk_until_a_check_is_called() -> None:
    table = idle()
    table.do("p1", "declare", text="崖を<登る>")
    waits = draw("rescue", module.view(table.state, "gm"), "gm")
    assert "崖を&lt;登る&gt;" in waits
    assert 'data-shows="requests"' in waits
    table.call("p1", 2)
    assert "崖を" not in draw("rescue", module.view(table.state, "gm"), "gm")


def test_the_desk_opens_what_was_prepared_by_the_name_of_the_newest_verdict() -> None:
    table = idle()
    table.call("p1", 2, label="climb")
    assert "data-deed" not in draw("running", module.view(table.state, "gm"), "gm")
    table.do("p1", "play", card="h01")
    running = draw("running", module.view(table.state, "gm"), "gm")
    assert 'data-deed="climb"' in running
    assert 'data-success="true"' in running
    table.call("p2", 5, label="listen", secret="gm")
    table.do("p2", "play", card="s01")
    running = draw("running", module.view(table.state, "gm"), "gm")
    assert 'data-deed="listen"' in running
    assert 'data-success="false"' in running


def test_a_special_ability_is_drawn_for_the_gm() -> None:
    table = attacked()
    assert "&lt;i&gt;flies" in draw("party", module.view(table.state, "gm"), "gm")
    for region in ("board", "figures", "face", "state"):
        for seat in ("p1", None):
            assert "flies" not in draw(region, module.view(table.state, seat), seat), region


def test_a_player_who_falls_in_their_turn_reads_that_the_gm_goes_on() -> None:
    table = watched()
    assert "You are down. The GM goes on." in draw("prompt", module.view(table.state, "p2"), "p2")
    assert "pass the turn on, or set their HP" in draw("turn", module.view(table.state, "gm"), "gm")
    assert "commit" in draw("hand", module.view(table.state, "p2"), "p2")
    assert '"observe"' not in draw("hand", module.view(table.state, "p2"), "p2")


def test_the_order_of_turns_marks_seats_that_have_acted_or_are_down() -> None:
    table = fighting()
    table.do("gm", "set_hp", who="p1", hp=0)
    for region, seat in (("board", None), ("face", None), ("party", "gm")):
        html = draw(region, module.view(table.state, seat), seat)
        one, two = (re.search(rf'class="[^"]*{mark}[^"]*"', html) for mark in ("down", "now"))
        assert one, region
        assert two, region
    dots = re.findall(r'class="order-seat ([^"]*)"', draw("board", module.view(table.state, None), None))
    assert dots == ["gone down awaited", "now", "next"]  # p1 has a hand to discard


def test_an_npc_attacks_with_its_own_skills_and_weapon() -> None:
    table = fighting()
    table.do("gm", "end_turn")
    html = draw("attack", module.view(table.state, "gm"), "gm")
    means = {name: html.split(f'id="means-{name}"')[1].split("</div></div>")[0] for name in ("n1", "n2")}
    assert re.findall(r'<option value="(\d)">(\w+)</option>', means["n1"]) == [("0", "bite"), ("1", "claw")]
    assert 'value="0">Its weapon 2' in means["n1"]
    assert "fly" not in means["n1"]
    assert "bite" not in means["n2"].split('id="means-n3"')[0]


def test_a_character_who_cannot_act_cannot_be_chosen() -> None:
    table = fighting()
    table.do("gm", "set_hp", who="p1", hp=0)
    view = module.view(table.state, "gm")
    for region, name in (("call", "seat"), ("contest", "active.seat"), ("treat", "seat")):
        assert re.search(rf'name="{name}" value="p1"[^>]* disabled', draw(region, view, "gm")), region
    assert not re.search(r'name="passive.seat" value="p1"[^>]* disabled', draw("contest", view, "gm"))
    assert re.search(
        r'name="to" value="p1" required disabled', draw("support", module.view(table.state, "p2"), "p2")
    )


def test_a_player_who_interrupts_may_also_give_a_card() -> None:
    table = fighting()
    table.attack("p2", "n1", 2)
    table.interrupt("p1", 2)
    view = module.view(table.state, "p1")
    assert 'data-open="support-sheet"' in draw("hand", view, "p1")
    assert "or give one away" in draw("prompt", view, "p1")
    assert "Then on with:" in draw("board", module.view(table.state, None), None)


def spoken(view: View, seat: str, language: str) -> str:
    (say,) = re.findall(r'data-say="([^"]*)"', draw("prompt", view, seat, language))
    return str(say)


def test_a_question_is_spoken_in_full() -> None:
    table = idle()
    table.call("p1", 2, label="climb")
    view = module.view(table.state, "p1")
    assert spoken(view, "p1", "en") == (
        "A check, “climb”: play a card. Difficulty 2. Average, same suit, or the same number. "
        "The field card is the 7 of hearts. 2 of your cards fit."
    )
    assert spoken(view, "p1", "ja") == (
        "「climb」の判定です。札を出してください。 難易度2。 普通、同じスート、または同じ数字。 "
        "場札はハートの7です。 出せる札は2枚です。"
    )
    others = spoken(module.view(table.state, "p2"), "p2", "en")
    assert others == "Check of p1. “climb” Difficulty 2. Waiting for p1."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"chain": True}, "「岩場を登る」の連続判定です。続けて札を出してください。"),
        ({"secret": "gm"}, "秘密判定「岩場を登る」です。"),
        ({}, "「岩場を登る」の判定です。"),
    ],
)
def test_a_question_says_what_the_check_is_for(call: dict[str, Any], said: str) -> None:
    table = idle()
    table.call("p1", 2, label="岩場を登る", **call)
    assert said in draw("prompt", module.view(table.state, "p1"), "p1", "ja")


def test_spectators_are_never_asked() -> None:
    for scene in SCENES.values():
        view = module.view(scene().state, None)
        assert "data-call" not in draw("prompt", view, None)
        assert "<form" not in draw("prompt", view, None) + draw("hand", view, None)


def test_only_the_asked_seats_page_is_called() -> None:
    state = asked().state
    assert "data-call" in draw("prompt", module.view(state, "p1"), "p1")
    assert "data-call" not in draw("prompt", module.view(state, "p2"), "p2")


def test_markup_in_texts_of_people_is_escaped() -> None:
    for scene in (asked(), decided()):
        for region in (*SHARED, *OWN, *GM_ONLY):
            html = draw(region, module.view(scene.state, "gm"), "gm")
            assert "<climb>" not in html
            assert "<b>I hide" not in html


def test_a_card_says_in_words_whether_it_fits() -> None:
    html = draw("hand", module.view(asked().state, "p1"), "p1")
    assert re.search(r'id="hand-s03"[^>]*data-fits="no"', html)
    assert re.search(r'id="hand-h01"[^>]*data-fits="yes"', html)
    assert re.search(r'aria-label="3 of spades"\s+aria-describedby="why-s03"', html)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (
            "called",
            {"seat": "p1", "npc": None, "difficulty": 2, "level": 2, "label": "climb", "kind": "check"},
        ),
        ("turned", {"card": "h07"}),
        (
            "played",
            {
                "seat": "p1",
                "npc": None,
                "card": "x01",
                "suit": "h",
                "source": "deck",
                "success": True,
                "why": "UC-4.4",
            },
        ),
        ("named", {"seat": "p1", "npc": None, "card": "x01", "suit": "h"}),
        ("gave_up", {"seat": "p1", "npc": None}),
        (
            "decided",
            {"seat": "p1", "npc": None, "kind": "check", "success": False, "target": None, "difficulty": 2},
        ),
        ("drawn", {"seat": "p1", "count": 2}),
        ("received", {"seat": "p1", "cards": ["h01"]}),
        ("discarded", {"seat": "p1", "cards": ["h01", "x02"]}),
        ("dealt", {"seat": "p1", "count": 1}),
        ("hp_changed", {"who": "p1", "hp": 1, "was": 3}),
        ("player_added", {"seat": "p2", "name": "Bo", "place": 2}),
        ("cancelled", {"number": 1, "kind": "adjust"}),
        ("declared", {"seat": "p1", "text": "I look."}),
        ("reshuffled", {"deck_count": 30}),
        ("ended", {}),
    ],
)
def test_every_event_is_a_line_of_the_log(kind: str, data: dict[str, Any]) -> None:
    view = module.view(idle().state, None)
    template = get_template("tables/uroboros/_event.jinja", using="jinja2")
    figures = module.telling.names(view)
    for known in ({"view": view, "figures": figures}, {}):
        context = {"names": NAMES, "table": {"pk": 1}, **known}
        html = template.render({"event": {"kind": kind, "data": data}, **context})
        assert Elements(html.strip()).roots == 1
        assert html.strip().startswith("<li")


def test_the_face_tells_of_the_victory_until_the_gm_goes_on() -> None:
    def face() -> str:
        return draw("face", module.view(table.state, None), None)

    table = Table({"p1": "h01 h02 h03", "p2": "c02"})
    foe = table.add_npc()
    table.do("gm", "start_combat")
    table.attack("p1", foe, 2)
    table.do("p1", "play", card="h01")
    table.do("gm", "give_up")
    assert ">Victory</p>" in face()
    table.add_npc()
    assert ">Victory</p>" not in face(), "one more has come"
    table.do("gm", "end_combat")
    assert ">Victory</p>" not in face()
