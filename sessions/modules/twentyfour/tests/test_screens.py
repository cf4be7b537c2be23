"""The words of the screens: every event and refusal has its words, and each moment explains itself."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.template.loader import render_to_string
from django.utils import translation

from sessions.game import Event
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.state import Options
from sessions.modules.twentyfour.telling import digest

from .table import Table
from .test_random_games import lively_game

HERE = Path(__file__).parents[1]
NAMES = {f"p{n}": f"人{n}" for n in range(1, 6)}


def drawn(table: Table, region: str, seat: str | None = None, language: str = "en") -> str:
    """The words of a region, without tags."""
    view = module.view(table.state, seat)
    context = {
        "view": view,
        "seat": seat,
        "names": NAMES,
        "figures": module.telling.names(view),
        "over": False,
        "table": SimpleNamespace(pk=1),
    }
    with translation.override(language):
        return plain(render_to_string(f"tables/twentyfour/_{region}.jinja", context, using="jinja2"))


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def said(event: Any, language: str) -> str:
    with translation.override(language):
        html = render_to_string(
            "tables/twentyfour/_event.jinja", {"event": event, "names": NAMES, "view": None}, using="jinja2"
        )
    return re.sub(r"<[^>]+>", "", html).strip()


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_every_event_has_its_sentence(language: str) -> None:
    kinds = set()
    for seed in range(12):
        for _, _, events in lively_game(3 + seed % 3, seed):
            for event in events:
                if event.kind not in kinds:
                    assert said(event, language), event
                kinds.add(event.kind)
    sources = "".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
    raised = re.findall(r'\.(?:tell|whisper)\((?:seat, )?\s*"(\w+)"', sources)
    assert set(raised) <= kinds


def test_the_odds_stand_on_the_dice() -> None:
    table = Table()
    table.at(1, p1="3 4", p2="3 5", p3="0 0", p4="0 1")
    table.move("p3", "decline")
    table.move("p4", "decline")
    # 7 of 8 faces beat incident 1; a green success ties with 8 power and the same first card, an 8 is first.
    words = drawn(table, "hand", "p1")
    assert "Green +1 from 2 success 88% 1st 12%" in words
    assert "Red +2 from 2 success 88% 1st 88%" in words
    assert "damage 12%" in words
    assert "Green" not in drawn(table, "hand", "p3")


def test_the_player_of_wolf_reads_why_he_may_challenge() -> None:
    table = Table(season=2)
    table.at(1, p1="0 0", p2="5 6", p3="0 5", p4="0 2")
    for seat in ("p1", "p4", "p3"):
        table.move(seat, "decline")
    assert "highest power and may challenge all the same" in drawn(table, "prompt", "p2")


def test_the_highest_are_told_why_they_are_not_asked() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="0 1", p3="0 2", p4="0 3")
    assert "may not challenge (TF-5.4)" in drawn(table, "prompt", "p1")


def test_scotchs_clash_and_dokabens_limit_stand_on_the_board() -> None:
    table = Table("scotch dokaben wolf lloyd", season=2)
    with table as state:
        state.players["p2"].damage = 2
    table.at(1, p1="hero 1", p2="hero 0", p3="5 6", p4="0 2")
    words = drawn(table, "board")
    assert "Scotch: the hero counts 3" in words
    assert "clash: counts 0" in words
    assert "damage 2/3" in words


def test_lloyds_player_alone_sees_the_face_down_cards() -> None:
    table = Table(season=2)
    assert "Only you, Lloyd, see these: Incident 5 Main 2 H hostages 2 Sub 2 A assassination 2" in drawn(
        table, "hand", "p4"
    )
    assert "Lloyd" not in drawn(table, "hand", "p1")
    assert "hostages" not in drawn(table, "hand", "p1")


def test_a_badly_hurt_player_reads_the_risk_of_the_dice() -> None:
    table = Table(season=2)
    with table as state:
        state.players["p1"].hurt = True
    table.at(1, p1="0 1", p2="5 6", p3="2 3", p4="2 4")
    assert table.waiting == {"p1"}
    assert "2 damage this season would kill you" in drawn(table, "prompt", "p1")
    assert "killed 12%" in drawn(table, "hand", "p1")


def test_dokaben_is_told_of_his_third_damage() -> None:
    table = Table("dokaben wolf hibachi lloyd", season=2)
    with table as state:
        state.players["p1"].damage = 2
    table.at(1, p1="0 1", p2="5 6", p3="2 3", p4="2 4")
    assert "only the third damage hurts you badly" in drawn(table, "prompt", "p1")
    assert "damage 2/3 badly hurt at 3" in drawn(table, "board")


def test_the_npc_plays_in_sight() -> None:
    table = Table("scotch wolf hibachi")
    assert "NPC placed face down face down face down" in drawn(table, "board")
    table.at(1, p1="0 0", p2="5 6", p3="2 3")
    assert "NPC never challenges" in drawn(table, "board")


def test_the_end_tells_the_score_line_by_line() -> None:
    table = Table("wolf scotch hibachi lloyd")
    table.finish()
    with table as state:
        player = state.players["p1"]
        player.stand, player.coop, player.assists = ["red-2"], ["blue-2", "blue-3a", "green-4"], 1
        player.dead, player.duty_vp = True, 7
    with translation.override("en"):
        told = engines["jinja2"].macros("tables/twentyfour/_words.jinja", "en")  # type: ignore[attr-defined]
        words = plain(told["score_lines"](module.view(table.state, "p1").players["p1"]))
    assert "their values, 1 for each assist 12" in words
    assert "assists counted: 1 for each card 3" in words
    assert "hijacking 2" in words
    assert "its main card, and 6 minus its number 7" in words
    assert "1 for each card in Stand 1" in words
    assert "Together 23" in words


def test_the_style_choice_shows_the_score_of_every_way() -> None:
    table = Table("wolf scotch hibachi lloyd", season=2)
    with table as state:
        state.phase = "style"
        player = state.players["p1"]
        player.coop, player.gained, player.assists = ["blue-2"], ["blue-3a", "red-2"], 1
    words = drawn(table, "hand", "p1")
    assert "Cards 8 + sets 3 = 11 VP" in words
    assert "Cards 8 = 8 VP From the next season on, 1 damage less each" in words
    with table as state:
        player = state.players["p1"]
        player.dead, player.duty_vp, player.stand = True, 4, ["green-2"]
    words = drawn(table, "hand", "p1")
    assert "Cards 10 + sets 3 + duty 4 + Wolf 1 = 18 VP" in words
    assert "Cards 10 + duty 4 + Wolf 3 = 17 VP" in words


def test_stand_and_coop_say_their_benefits() -> None:
    table = Table()
    with table as state:
        state.players["p1"].stand = ["red-2", "red-4"]
        state.players["p1"].coop, state.players["p1"].assists = ["blue-2"], 1
    words = drawn(table, "figures")
    assert "bombing −2 damage, and their masterminds" in words
    assert "hijacking 1 to a set" in words


def test_the_last_roll_stays_in_sight_when_its_incident_is_over() -> None:
    table = Table()
    table.at(1, p1="3 4", p2="3 5", p3="0 0", p4="0 1")
    table.move("p3", "decline")
    table.move("p4", "decline")
    table.rolls(red="8")
    table.move("p1", "challenge", dice="red")
    assert table.view()["incident"] == 2
    assert "Incident 1 人1 red 8 r +3" in drawn(table, "board")


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_every_highlight_and_count_of_the_report_has_its_words(language: str) -> None:
    throw = {"seat": "p1", "incident": 2, "bonus": 2, "green": None, "red": 4, "damage": 0}
    events = [
        Event("challenged", throw),
        Event("arrested", {"seat": "p1", "card": "red-6"}),
        Event("honoured", {"seat": "p1", "vp": 7, "card": "red-4", "incident": 3}),
        Event("ended", {"vp": {"p1": 9}, "winners": ["p1"]}),
    ]
    found = digest(events, Options())
    with translation.override(language):
        for one in found.highlights:
            context = {"event": one, "names": {"p1": "<Ann>"}, "view": None}
            html = render_to_string("tables/twentyfour/_highlight.jinja", context, using="jinja2")
            assert "&lt;Ann&gt;" in html, one.kind
        counts = [
            render_to_string("tables/twentyfour/_count.jinja", {"name": name}, using="jinja2")
            for name in found.counts["p1"]
        ]
    assert len({words.strip() for words in counts} - {""}) == 5
