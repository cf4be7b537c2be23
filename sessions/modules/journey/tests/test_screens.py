"""Every region of the screens, drawn from real views, in both languages."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils import translation

from sessions.engine.step import start
from sessions.game import Event, Fate, kind_of
from sessions.game_tests.screens import Elements
from sessions.modules.journey import module
from sessions.modules.journey.moves import Concede
from sessions.modules.journey.state import SUITS, Options, State
from sessions.modules.journey.telling import digest

from .table import FixedFate, Journey

SHARED = ("board", "face")
OWN = ("prompt", "hand", "letters", "me", "state")


def packing() -> State:
    return module.load(start(module, ["p1"], {}, FixedFate()))


def moving() -> State:
    days = {1: "red-1 blue-2", 2: "green-3 white-4", 4: "blue-1"}
    return (
        Journey(items="map radio")
        .put(days, "3 5 7", hand="blue-6 green-4", letters=2, discards="white-1")
        .state
    )


def effect(card: str) -> State:
    journey = Journey().put({2: "white-4", 4: "red-4"}, "1 3 6", hand=f"{card} yellow-6", known_bottom=1)
    journey.do("play", card=card, black="a")
    return journey.state


def pausing() -> State:
    return Journey().put(phase="before_solve", letters=1).state


def solving() -> State:
    return Journey().put({2: "blue-1 white-6", 5: "blue-5 white-4"}, "2 5 5", phase="solve").state


def won() -> State:
    journey = Journey().put(pawns="7 7 7", phase="end", letters=1, solved=list(SUITS))
    journey.do("end_turn")
    return journey.state


def lost() -> State:
    journey = Journey()
    journey.do("concede")
    return journey.state


SCENES = {scene.__name__: scene for scene in (packing, moving, pausing, solving, won, lost)} | {
    suit: lambda suit=suit: effect(f"{suit}-3") for suit in SUITS
}


def draw(region: str, state: State, seat: str | None, language: str = "en", **more: object) -> str:
    with translation.override(language):
        template = get_template(f"tables/journey/{region}.jinja", using="jinja2")
        shown = {"view": module.view(state, seat), "seat": seat, "names": {"p1": "綾"}, **more}
        return str(template.render(shown)).strip()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_each_region_is_one_element_that_carries_its_id(scene: str, language: str) -> None:
    state = SCENES[scene]()
    for region in (*SHARED, *OWN):
        for seat in (None,) if region in SHARED else ("p1", None):
            elements = Elements(draw(f"_{region}", state, seat, language))
            assert elements.open == []
            assert elements.roots == 1
            assert elements.ids[0] == region
            assert len(elements.ids) == len(set(elements.ids))


@pytest.mark.parametrize("scene", SCENES)
def test_every_legal_kind_of_move_is_offered(scene: str) -> None:
    """Each legal move of the traveller is a form on the phone; giving up is offered at every game."""
    state = SCENES[scene]()
    html = "".join(draw(f"_{region}", state, "p1") for region in OWN)
    for move in module.legal_moves(state, "p1"):
        if not isinstance(move, Concede):
            assert f'"type":"{kind_of(move)}"' in html


@pytest.mark.parametrize("scene", SCENES)
def test_spectators_are_offered_nothing(scene: str) -> None:
    state = SCENES[scene]()
    html = "".join(draw(f"_{region}", state, None) for region in (*SHARED, *OWN))
    for offer in ("data-move", "data-call", "data-trial-start", "hint-sheet"):
        assert offer not in html


@pytest.mark.parametrize("scene", SCENES)
def test_a_game_stopped_in_the_middle_of_a_turn_offers_nothing(scene: str) -> None:
    """A first game ends so, and a journey that was stopped."""
    state = SCENES[scene]()
    html = "".join(draw(f"_{region}", state, "p1", over=True) for region in ("prompt", "hand"))
    for offer in ("data-move", "data-call", "data-trial-start"):
        assert offer not in html


def test_a_first_game_packs_no_items_so_that_its_lesson_comes_true() -> None:
    assert 'type="checkbox"' in draw("_hand", packing(), "p1")
    first = draw("_hand", packing(), "p1", first_game="pack")
    assert 'type="checkbox"' not in first
    assert 'name="items" value="[]"' in first


def test_trials_and_hints_read_nothing_that_the_traveller_cannot_know() -> None:
    """All they know of the table stands in the hand's region; it is the same however the deck lies."""
    state, other = moving(), moving()
    module.resample(other, ["p1"], Fate("twin", 1))
    assert other.deck != state.deck
    assert draw("_hand", other, "p1") == draw("_hand", state, "p1")
    assert 'id="position"' in draw("_hand", state, "p1")


def first_preview(state: State) -> str:
    """The words about the first card in hand when it is raised."""
    return draw("_hand", state, "p1").split('class="preview"')[1]


def test_a_raised_card_says_where_all_pawns_go() -> None:
    preview = first_preview(moving())
    assert 'data-card="blue-6"' in preview
    assert 'data-white="2"' in preview
    assert "a loop: the top card is lost" in preview
    assert "Pushed out:" in preview


def test_a_raised_card_says_why_an_event_falls_and_its_effects() -> None:
    days = {2: "green-3 white-4", 4: "blue-1"}
    preview = first_preview(Journey().put(days, "1 5 6", hand="red-1").state)
    assert "Only 2 fit there. Pushed out:" in preview
    assert "move a black pawn" in preview
    assert "copy a neighbour" in preview
    assert "Which black pawn goes 6?" in preview


def test_results_of_the_last_move_are_shown_before_the_next_question() -> None:
    """Losses and told stories are marked to be shown; the traveller's own deeds are not."""
    line = get_template("tables/journey/_event.jinja", using="jinja2").render
    shown = {
        kind: "just-now" in line({"event": {"kind": kind, "data": data}})
        for kind, data in {
            "looped": {"card": "red-1"},
            "fell": {"card": "red-1", "day": 3},
            "solved": {"suit": "blue", "letters": 1},
            "played": {"card": "red-1"},
        }.items()
    }
    assert shown == {"looped": True, "fell": True, "solved": True, "played": False}


def test_the_end_explains_the_score_line_by_line() -> None:
    prompt = draw("_prompt", won(), None)
    for words in ("Cards left in the deck", "Letters in hand", "Key icons", "Items", "Total"):
        assert words in prompt


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("packed", {"items": ["map"]}),
        ("laid_out", {"locations": ["coast", "tree"]}),
        ("turn_begun", {"turn": 3}),
        ("drawn", {"card": "red-1"}),
        ("played", {"card": "red-1"}),
        ("moved", {"pawn": "a", "to": 3, "by": "letter"}),
        ("looped", {"card": None}),
        ("looped", {"card": "red-1"}),
        ("placed", {"card": "red-1", "day": 3}),
        ("fell", {"card": "red-1", "day": 3}),
        ("traded", {"first": "red-1", "second": "blue-1"}),
        ("put_back", {"card": "red-1", "to": "top"}),
        ("copied", {"card": "red-1"}),
        ("declined", {"suit": "blue"}),
        ("solved", {"suit": "blue", "letters": 1}),
        ("remembered", {"card": "red-1"}),
        ("ended", {"reason": "home"}),
    ],
)
def test_every_event_is_a_line_of_the_log(kind: str, data: dict[str, object]) -> None:
    html = (
        get_template("tables/journey/_event.jinja", using="jinja2")
        .render({"event": {"kind": kind, "data": data}})
        .strip()
    )
    assert Elements(html).roots == 1
    assert re.sub(r"<[^>]*>|\s", "", html)


def test_every_highlight_and_count_of_the_report_has_words() -> None:
    begun = [[Event("turn_begun", {"turn": turn}), Event("solved", {"suit": "red"})] for turn in (1, 2)]
    found = digest([*begun[0], *begun[1], Event("looped", {"card": None})], Options())
    assert len(found.highlights) == 3
    for event in found.highlights:
        assert (
            get_template("tables/journey/_highlight.jinja", using="jinja2").render({"event": event}).strip()
        )
    for name in found.counts["p1"]:
        assert get_template("tables/journey/_count.jinja", using="jinja2").render({"name": name}).strip()
