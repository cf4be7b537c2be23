"""The screens, drawn from real views in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils import translation

from sessions.game import Event
from sessions.modules.liarmafia import module

from .table import Game
from .test_claims import ACTIONS, FIELDS
from .test_random_games import lively_game

HERE = Path(__file__).parents[1]
NAMES = {"p1": "あゆみ", "p2": "ボー"}
SHARED = ["board", "figures", "face"]
OWN = ["prompt", "hand", "me", "state"]
LANGUAGES = [code for code, _ in settings.LANGUAGES]


def draw(region: str, game: Game | Any, seat: str | None, language: str = "en") -> str:
    state = game.state if isinstance(game, Game) else game
    context = {"view": module.view(state, seat), "seat": seat, "names": NAMES, "table": {"pk": 1}}
    with translation.override(language):
        return str(get_template(f"tables/liarmafia/_{region}.jinja", using="jinja2").render(context)).strip()


def answers(html: str) -> str:
    """The buttons over the own cards."""
    return html[html.index('id="commit"') : html.index("own-area")]


def covered(html: str) -> str:
    """The buttons as they are while the hand is covered: without the marks that their seat alone may see."""
    return re.sub(r'<small class="truth eyes-only".*?</small>', "", answers(html), flags=re.DOTALL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_of_a_game_can_be_drawn(language: str) -> None:
    for seed in range(6):
        for snapshot, _, _ in lively_game(seed):
            state = module.load(snapshot)
            for region in SHARED:
                assert draw(region, state, None, language).startswith("<")
            for seat in ("p1", "p2", None):
                for region in OWN:
                    assert draw(region, state, seat, language).startswith("<")


def test_the_five_buttons_are_the_same_for_truth_and_bluff() -> None:
    """Covered buttons give away nothing of the cards: not the field, nor the possible moves."""
    for second_edition in (False, True):
        drawn = {
            covered(draw("hand", Game(field, "h^ pv", second_edition=second_edition), "p1"))
            for field in FIELDS
        }
        assert len(drawn) == 1
        [html] = drawn
        assert [action for action in ACTIONS if f'"{action}"' in html or f"{action}-sheet" in html] == list(
            ACTIONS
        )


def test_the_answering_player_sees_the_same_for_truth_and_bluff() -> None:
    drawn = set()
    for mine in FIELDS:
        game = Game("h^ b^", mine)
        game.play("p1 declare action=murder")
        drawn.add(covered(draw("hand", game, "p2")))
    assert len(drawn) == 1


def test_a_button_says_that_its_cost_cannot_be_paid() -> None:
    poor = answers(draw("hand", Game("b^ pv", "h^ pv"), "p1"))
    assert poor.count('aria-disabled="true"') == 2
    assert poor.count("needs") == 2
    assert "allout-sheet" not in poor
    rich = answers(draw("hand", Game("b^ pv", "h^ pv", chips={"p1": [2, 2]}), "p1"))
    assert "aria-disabled" not in rich
    assert 'data-open="allout-sheet"' in rich


def test_warnings_come_before_moves_that_cannot_be_undone() -> None:
    game = Game("b^ hv", "h^ bv", chips={"p1": [2, 2]})
    game.play("p1 declare action=assassinate")
    asked = answers(draw("hand", game, "p2"))
    assert 'data-open="bluff-sheet"' in asked
    assert "doubt-sheet" not in asked
    other = Game("b^ p^", "h^ pv")
    other.play("p1 declare action=embezzle", "p2 doubt", "p2 remove slot=1", "p2 replace facing=up")
    other.play(
        "p1 gain how=take", "p1 rotate slot=0", "p2 declare action=smuggle", "p1 pass", "p2 rotate slot=0"
    )
    other.play("p1 declare action=smuggle")
    warned = answers(draw("hand", other, "p2"))
    assert 'data-open="doubt-sheet"' in warned
    assert "bluff-sheet" not in warned


def test_each_claim_tells_its_seat_alone_if_it_is_true() -> None:
    game = Game("b^ pv", "h^ pv")
    html = answers(draw("hand", game, "p1"))
    told = dict(re.findall(r'"action":"(\w+)".*?data-truth="(\w+)"', html, re.DOTALL))
    assert told == {"embezzle": "no", "smuggle": "yes", "murder": "no", "assassinate": "no", "allout": "yes"}
    game.play("p1 declare action=murder")
    assert 'data-truth="yes"' in answers(draw("hand", game, "p2")), "HITMAN lies upright there"
    for region in ("board", "face", "state", "figures"):
        assert "data-truth" not in draw(region, game, None)
    assert html.count("data-truth") == html.count('<small class="truth eyes-only"')


def test_a_doubt_is_judged_in_words_and_with_a_stamp_on_every_screen() -> None:
    true, lie = Game("b^ pv", "h^ pv"), Game("b^ pv", "h^ pv")
    true.play("p1 declare action=smuggle", "p2 doubt")
    lie.play("p1 declare action=murder", "p2 doubt")
    for seat in ("p1", "p2", None):
        region = "board" if seat else "face"
        shown, caught = draw(region, true, seat), draw(region, lie, seat)
        assert 'data-true="yes"' in shown
        assert "It was true" in shown
        assert 'data-card="boss"' in shown
        assert 'data-true="no"' in caught
        assert "It was a lie" in caught
        assert "data-card" not in caught, "a lie shows no card"
        assert not seat or shown == draw(region, true, None)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_end_of_a_game_is_explained(language: str) -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt", "p1 remove slot=0")
    mine, theirs = (draw("prompt", game, seat, language) for seat in ("p1", "p2"))
    assert {"ja": "あなたの負け", "en": "You have lost"}[language] in mine
    assert {"ja": "あなたの勝ち", "en": "You have won"}[language] in theirs
    for html in (mine, theirs, draw("face", game, None, language)):
        assert {"ja": "あゆみのBOSSが除外されました", "en": "BOSS of あゆみ left"}[language] in html
        for card in ("BOSS", "BAD POLICE", "HITMAN"):
            assert card in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_line_of_its_own(language: str) -> None:
    lines = {"placed_anew": line(Event("placed_anew", {"seat": "p1"}), language)}
    for seed in range(60):
        for _, _, events in lively_game(seed):
            for event in events:
                lines.setdefault(event.kind, line(event, language))
    assert set(lines) == told()
    assert all(html.startswith("<li") for html in lines.values())


def line(event: Event, language: str) -> str:
    with translation.override(language):
        template = get_template("tables/liarmafia/_event.jinja", using="jinja2")
        return str(template.render({"event": event, "names": NAMES})).strip()


def told() -> set[str]:
    """The kinds of events that the rules tell."""
    kinds = set()
    for path in HERE.glob("*.py"):
        kinds |= set(re.findall(r'\.(?:tell|whisper)\((?:\w+, )?"(\w+)"', path.read_text("utf-8")))
    return kinds


@pytest.mark.parametrize(("option", "values"), [("first", ["fate", "p1", "p2"]), ("second_edition", [])])
def test_options_have_words(option: str, values: list[str]) -> None:
    template = get_template("tables/liarmafia/_option.jinja", using="jinja2")
    said = {str(template.render({"option": option, "value": value})).strip() for value in [None, *values]}
    assert "" not in said
    assert len(said) == len(values) + 1


def test_a_card_to_be_removed_is_named_with_its_owners_loss() -> None:
    drawn = []
    for field in ("b^ p^", "p^ bv"):
        game = Game(field, "b^ p^")
        game.play("p1 declare action=murder", "p2 doubt")
        drawn.append(answers(draw("hand", game, "p1")))
    assert "without it you lose the game" in drawn[0]
    assert re.search(r"BAD POLICE.*Embezzle,\s+Inform", drawn[0], re.DOTALL)
    first, second = (
        re.sub(r'<span class="eyes-only">.*?</span>', "", html, flags=re.DOTALL) for html in drawn
    )
    assert first == second, "covered buttons tell nothing of the cards"


def test_abilities_are_explained_where_they_stand() -> None:
    game = Game("b^ p^", "b^ p^")
    assert "Take a 1 from the stock" in draw("hand", game, "p1"), "by a tap at one's card"
    game.play("p1 declare action=murder")
    assert "a field card of your opponent leaves the game" in draw("board", game, None)
    assert "popover" not in draw("face", game, None), "nobody taps a face"
