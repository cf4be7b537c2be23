"""The kit of screens: regions of games that bring none, a hand, and the people round the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.utils import translation

from sessions.live import regions

NAMES = {"gm": "ジーエム", "p1": "<Ann>", "p2": "ボー"}
REGIONS = ("board", "face", "prompt", "state", "me")


def draw(region: str, language: str = "en", **values: Any) -> str:
    """Draw a region of a game that has no template for it."""
    given = {"names": NAMES, "figures": {}, "waiting": ("p2",), "seat": "p1", "over": False}
    with translation.override(language):
        return str(regions.render_region("no-such-game", region, given | values))


def from_source(source: str, **values: Any) -> str:
    return str(engines["jinja2"].from_string(source).render(values))


@pytest.mark.parametrize("region", REGIONS)
def test_a_default_region_is_rendered_in_every_language(region: str) -> None:
    drawn = {draw(region, code) for code, _ in settings.LANGUAGES}
    assert len(drawn) == len(settings.LANGUAGES)
    for html in drawn:
        assert html.startswith("<")
        assert f'id="{region}"' in html.partition(">")[0]
        assert "<Ann>" not in html, "names are escaped"


def test_the_prompt_calls_only_the_seat_whose_turn_it_is() -> None:
    mine = draw("prompt", seat="p2")
    assert 'data-call="mine"' in mine
    assert "It is your turn." in mine
    for seat in ("p1", None):
        other = draw("prompt", seat=seat)
        assert 'data-call=""' in other
        assert "Waiting for ボー." in other
    assert "The game is over." in draw("prompt", waiting=(), over=True)


def test_the_prompt_names_all_awaited_seats_as_the_game_does() -> None:
    drawn = draw("prompt", waiting=("gm", "p1", "p2"), figures={"p2": "Nagi"}, seat=None)
    assert "Waiting for GM, &lt;Ann&gt;, Nagi." in drawn


def test_the_ring_of_seats_marks_awaited_seats_and_renders_each_seat() -> None:
    html = from_source(
        '{% from "tables/kit/ring.jinja" import ring %}'
        "{% call(seat) ring(names, waiting) %}<i>{{ seat }}</i>{% endcall %}",
        names=NAMES,
        waiting=("p2",),
    )
    assert re.findall(r"<i>(\w+)</i>", html) == list(NAMES)
    assert re.findall(r'id="ring-(\w+)"\s+class="awaited"', html) == ["p2"]


def test_a_card_of_a_hand_has_the_attributes_that_hand_js_reads() -> None:
    html = from_source(
        '{% from "tables/kit/hand.jinja" import hand, paper %}'
        "{% call(card) hand(cards, names) %}{{ paper(card) }}{% endcall %}",
        cards=(3, 17),
        names={17: "the Star"},
    )
    cards = re.findall(r'<li id="hand-(\d+)" data-card="\1" data-name="([^"]+)" data-short="\2"', html)
    assert cards == [("3", "3"), ("17", "the Star")]
    assert html.count('type="radio"') == html.count('class="card paper"') == 2
    assert "data-hand" in html


def test_an_empty_hand_is_rendered_with_a_note() -> None:
    html = from_source('{% from "tables/kit/hand.jinja" import hand %}{% call(card) hand(()) %}{% endcall %}')
    assert "hand-empty" in html
    assert "data-hand" not in html


def test_the_gm_screen_hides_only_the_state_in_a_sheet() -> None:
    """A phone has the log behind a button; a desk has room for it."""
    desk = "tables/gm.html"
    assert regions.sheets(desk) == {"state-sheet": ("state",)}
    assert regions.region_names(desk, "shared") == ("board",)
    assert set(regions.region_names(desk, "own")) == {"prompt", "hand", "log", "undo", "state", "absent"}
