"""The screens, drawn from real views in both languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from django.conf import settings
from django.template import engines
from django.template.loader import get_template
from django.utils import translation

from sessions.engine.forms import forms
from sessions.engine.step import encode
from sessions.game import Event
from sessions.modules.goodcop import module
from sessions.modules.goodcop.moves import EquipmentId, Face
from sessions.modules.goodcop.state import State

from .table import FOUR, UNDEAD, Game
from .test_random_games import lively_game

HERE = Path(__file__).parents[1]
PEOPLE = ["あゆみ", "ボー", "ケイ", "ダイ", "エミ", "ふみ", "ごろう", "はるか"]
NAMES = {f"p{n}": name for n, name in enumerate(PEOPLE, 1)}
SHARED = ["board", "figures", "face"]
OWN = ["prompt", "hand", "equipment", "me", "state"]
LANGUAGES = [code for code, _ in settings.LANGUAGES]


def draw(
    region: str, game: Game | State, seat: str | None, language: str = "en", names: dict[str, str] = NAMES
) -> str:
    state = game.state if isinstance(game, Game) else game
    context = {"view": module.view(state, seat), "seat": seat, "names": names, "table": {"pk": 1}}
    with translation.override(language):
        return str(get_template(f"tables/goodcop/_{region}.jinja", using="jinja2").render(context)).strip()


def moments(seed: int, every: int) -> list[State]:
    """States spread over a random game, the last among them."""
    snapshots = [snapshot for snapshot, _, _ in lively_game(seed)]
    return [module.load(snapshot) for snapshot in [*snapshots[::every], snapshots[-1]]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [0, 4])
def test_every_moment_of_a_game_can_be_drawn(seed: int, language: str) -> None:
    for state in moments(seed, 12):
        for region in SHARED:
            assert draw(region, state, None, language).startswith("<")
        for seat in (state.seats[0], state.seats[-1], None):
            for region in OWN:
                assert draw(region, state, seat, language).startswith("<")


# Possible moves


class Forms(HTMLParser):
    """The forms of a screen: what each sends, and by field what can be chosen in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, Any], dict[str, list[Any]]]] = []
        self._put: tuple[list[str], str, str] = ([], "", "")
        self._hidden = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((json.loads(given["data-move"]), {}))
        elif tag == "input" and given.get("type") == "hidden":
            self._hidden = given["name"]
        elif tag == "select":
            part = given.get("data-part", "")
            names = given.get("name", self._hidden if part else "").split()
            kinds = forms(module.move)[self.found[-1][0]["type"]].kinds
            is_text = not part and len(names) == 1 and str(kinds[names[0]]).startswith("text")
            self._put = names, part, "" if is_text else "json"
        elif tag == "option" and given["value"]:
            self._choose(given["value"])

    def _choose(self, raw: str) -> None:
        names, part, kind = self._put
        value = raw if not kind else json.loads(raw)
        choices = self.found[-1][1]
        if part:
            choices.setdefault(f"{names[0]}.{part}", []).append(value)
        elif len(names) > 1:
            for name, one in value.items():
                choices.setdefault(name, []).append(one)
        else:
            choices.setdefault(names[0], []).append(value)

    def offer(self, move: dict[str, Any]) -> bool:
        """True if one of the forms can send a move."""
        return any(_composes(base, choices, move) for base, choices in self.found)


def _composes(base: dict[str, Any], choices: dict[str, list[Any]], move: dict[str, Any]) -> bool:
    def chosen(name: str, value: Any) -> bool:
        if isinstance(value, list):
            pairs = [(part, one) for item in value for part, one in item.items()] if name != "looks" else []
            return all(one in choices.get(f"{name}.{part}", []) for part, one in pairs) and (
                bool(pairs) or all(item in choices.get(name, []) for item in value)
            )
        return value in choices.get(name, [])

    return base.items() <= move.items() and all(
        chosen(name, value) for name, value in move.items() if name not in base
    )


def test_every_legal_move_can_be_made_on_the_phone() -> None:
    seen: Counter[str] = Counter()
    for seed in (0, 1, 2):
        for state in moments(seed, 4):
            for seat in state.seats:
                legal = module.legal_moves(state, seat)
                forms = Forms(draw("hand", state, seat) + draw("equipment", state, seat)) if legal else None
                for move in legal:
                    assert forms
                    assert forms.offer(json.loads(encode(move))), move
                    seen[type(move).__name__] += 1
    assert {"Investigate", "Arm", "Equip", "Shoot", "Play", "Pass", "Aim"} <= set(seen)


@pytest.mark.parametrize("card", get_args(EquipmentId))
def test_every_card_can_be_played_with_all_its_targets(card: str) -> None:
    game = table_for(card)
    legal = game.legal("p1", card)
    assert legal, "the card has no target here: this test could not have failed"
    forms = Forms(draw("hand", game, "p1"))
    for move in legal:
        assert forms.offer(json.loads(encode(move))), move
    for language in LANGUAGES:
        assert 'data-act="act-play-0"' in draw("equipment", game, "p1", language)


def table_for(card: str) -> Game:
    """A table at which p1 is asked and holds a card that fits: zombies, guns, wounds and tokens all round."""
    if card == "zombie_serum":
        game = Game(UNDEAD, {"p1": card}, zombies=True)
        game.do("p1", "investigate", seat="p2", position=1)
        game.all_pass()
        return game
    other = "taser" if card == "coffee" else "coffee"
    game = Game("A! H+ H | K+ C C* | Z+ H* C | C+ C H+", {"p1": card, "p2": other}, zombies=True)
    game.undead("p3")
    game.arm("p3", "p1")
    game.arm("p4", "p2")
    game.set("p2", active=["disguise"] if card != "disguise" else [])
    if card == "defibrillator":
        game.set("p4", alive=False, armed=None, aim=None)
    if card in ("restraining_order", "riot_shield"):
        game.change(turn="p4")
        game.do("p4", "shoot")
    return game


def test_an_action_that_is_not_possible_says_why() -> None:
    game = Game()
    html = draw("hand", game, "p1")
    shoot = html[html.index('"type":"shoot"') :]
    assert 'aria-disabled="true"' in shoot[: shoot.index("</form>")]
    assert 'data-act="act-shoot"' not in html
    assert 'data-act="act-arm"' in html


# Hidden things


def band(html: str) -> str:
    """A screen as others see it over a shoulder: without the panels of the own cards and the covered ones."""
    panels = r'<form class="gc-panel\b.*?</form>|<div class="gc-mine.*?</div>'
    bare = re.sub(panels, "", html, flags=re.DOTALL)
    return " ".join(bare.split())


def test_a_reaction_window_looks_the_same_with_any_held_equipment() -> None:
    drawn = set()
    for held in ("taser", "k9_unit", "restraining_order", "coffee", ""):
        game = Game(FOUR, {"p2": held}, auto_pass=False)
        game.do("p1", "investigate", seat="p3", position=0)
        drawn.add(band(draw("hand", game, "p2")))
    assert len(drawn) == 1
    assert 'id="act-pass"' in drawn.pop()


def test_other_screens_stay_the_same_when_a_player_passes() -> None:
    """The others' screens stay as they are while a player passes."""
    game = Game(FOUR, {"p1": "taser", "p2": "coffee", "p3": "med_kit", "p4": "wiretap"}, auto_pass=False)
    game.do("p1", "investigate", seat="p3", position=0)
    before = [draw(region, game, seat) for seat in ("p3", "p4", None) for region in [*OWN, *SHARED]]
    game.do("p2", "pass")
    after = [draw(region, game, seat) for seat in ("p3", "p4", None) for region in [*OWN, *SHARED]]
    assert before == after
    assert 'class="say mine"' not in draw("prompt", game, "p2")


def test_own_cards_team_and_seen_cards_can_be_covered() -> None:
    game = Game()
    game.do("p1", "investigate", seat="p2", position=0)
    area = r'<div class="gc-mine hand-area coverable">.*?</div>'
    own = re.search(area, draw("hand", game, "p1"), re.DOTALL)
    assert own
    assert 'class="gc-own' in own[0]
    assert 'class="gc-team' in own[0]
    assert 'class="cover"' in own[0]
    ring = draw("prompt", game, "p1")
    secrets = re.findall(r'<span class="gc-peek eyes-only[^>]*data-face="(\w+)"', ring)
    assert sorted(secrets) == ["agent", "honest", "honest", "kingpin"], "three own cards, and one seen"
    assert 'data-face="kingpin"' not in draw("prompt", game, "p3")


@pytest.mark.parametrize(
    ("cards", "role"),
    [
        ("A H H | K C C | H H C | C C H", "You are the agent. You win when the kingpin is out"),
        ("K C C | A H H | H H C | C C H", "You are the kingpin. You win when the agent is out"),
        ("H H C | K C C | A H H | C C H", "You are on the honest team. You win when the kingpin is out"),
        ("C C H | K C C | H H C | A H H", "You are on the crooked team. You win when the agent is out"),
    ],
)
def test_the_first_lesson_tells_each_seat_its_own_role_and_goal(cards: str, role: str) -> None:
    game = Game(cards)
    prompt = draw("prompt", game, "p1")
    told = re.findall(r'data-lesson="goodcop\.(\w+)"', prompt)
    assert told == ["goal", "action"], "the first lesson is the one that is shown"
    assert re.search(rf'<div class="coverable">\s*<p class="gc-role">\s*{role}', prompt)
    assert re.search(rf'<p class="gc-team eyes-only">\s*{role}', draw("hand", game, "p1"))
    assert role not in draw("prompt", game, "p2")
    assert "You are the" not in draw("face", game, None)


@pytest.mark.parametrize(("seat", "told"), [("p3", True), ("p1", False)])
def test_a_player_whose_team_changed_by_planted_evidence_reads_why(seat: str, told: bool) -> None:
    game = Game("A H H | K C C | H H C | C C H")
    game.set(seat, active=["planted_evidence"])
    team = draw("hand", game, seat).partition('class="gc-team')[2].partition("</p>")[0]
    assert ("honest and crooked change places" in team) == told
    assert ("on the crooked team" in team) == told


def test_a_card_face_up_and_the_end_are_open_to_all() -> None:
    game = Game("A! H H | K C C | H H C+ | C C H")
    assert 'data-face="crooked"' in draw("face", game, None)
    game.arm("p2", "p1")
    game.change(turn="p2")
    game.do("p2", "shoot")
    game.all_pass()
    assert game.phase == "over"
    for language, words in (("ja", "悪徳チームの勝ち"), ("en", "the crooked team wins")):
        for html in (draw("face", game, None, language), draw("prompt", game, "p3", language)):
            assert words in html
        assert {"ja": "あなたの勝ち", "en": "You have won"}[language] in draw("prompt", game, "p2", language)
        assert {"ja": "あなたの負け", "en": "You have lost"}[language] in draw("prompt", game, "p1", language)
    assert "?" not in re.sub(r"<[^>]+>", "", draw("face", game, None))


# The ring


def test_the_ring_begins_with_the_own_seat_and_goes_on_in_turn_order() -> None:
    game = Game()
    game.change(order=["p3", "p1", "p4", "p2"])
    assert re.findall(r'data-who="(p\d)"', draw("prompt", game, "p4")) == ["p4", "p2", "p3", "p1"]
    assert re.findall(r'data-who="(p\d)"', draw("face", game, None)) == ["p3", "p1", "p4", "p2"]


def test_every_screen_shows_the_players_who_have_seen_a_card() -> None:
    game = Game()
    game.do("p1", "investigate", seat="p2", position=0)
    for html in (draw("face", game, None), draw("prompt", game, "p4"), draw("me", game, "p4")):
        assert re.findall(r"seen by[ \n]+(\w+)", html) == ["あゆみ"]
    assert game.view()["seen"] == {"p1": [[]] * 3, "p2": [["p1"], [], []], "p3": [[]] * 3, "p4": [[]] * 3}


def test_names_with_the_same_first_letter_get_a_second_one() -> None:
    game = Game()
    game.do("p1", "investigate", seat="p4", position=0)
    game.do("p2", "investigate", seat="p4", position=0)
    game.do("p3", "investigate", seat="p4", position=0)
    html = draw("face", game, None, names={"p1": "ボット5", "p2": "ボット6", "p3": "ケイ", "p4": "ダイ"})
    assert re.findall(r"</svg><i aria-hidden=\"true\">([^<]+)</i>", html) == ["ボ5 ボ6 ケ"]


def test_a_guns_target_stands_in_markup_and_in_words() -> None:
    game = Game()
    game.arm("p2", "p4")
    for html in (draw("prompt", game, "p1"), draw("face", game, None)):
        assert 'data-aim="p4"' in html
        assert "aims at ダイ" in html
        assert "→ダイ" in html, "lines cross where eight sit close together"
    assert "→you" in draw("prompt", game, "p4")


# Words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_face_has_a_name_words_and_a_drawing(language: str) -> None:
    drawings = (HERE / "static/tables/goodcop/icons.svg").read_text("utf-8")

    said = engines["jinja2"].macros("tables/goodcop/_words.jinja", language)  # type: ignore[attr-defined]
    with translation.override(language):
        names = {said["card_name"](card) for card in get_args(EquipmentId)}
        words = {said["card_text"](card) for card in get_args(EquipmentId)}
        faces = {
            word(face) for word in (said["integrity_name"], said["face_letter"]) for face in get_args(Face)
        }
    assert len(names) == len(words) == len(get_args(EquipmentId))
    assert len(faces) == 2 * len(get_args(Face))
    assert "" not in names | words | faces
    for one in (*get_args(EquipmentId), *get_args(Face)):
        assert f'id="{one}"' in drawings


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_line_of_its_own(language: str) -> None:
    kinds = set()
    for path in HERE.glob("**/*.py"):
        if path.parent.name != "tests":
            kinds |= set(re.findall(r'\.(?:tell|whisper)\(\s*(?:[\w.]+, )?"(\w+)"', path.read_text("utf-8")))
    assert len(kinds) > 35
    place = {"seat": "p1", "position": 0}
    data = {"seat": "p1", "target": "p2", "to": "p3", "position": 0, "face": "agent", "card": "coffee"}
    data |= {"a": place, "b": place, "source": place, "targets": {}, "faces": [1], "dice": "zombie"}
    data |= {"action": "shoot", "armed": "gun", "reason": "honest", "winners": ["p1"], "reveal": None}
    for kind in kinds:
        with translation.override(language):
            event = Event(kind, data | ({"to": place} if kind == "transfused" else {}))
            html = get_template("tables/goodcop/_event.jinja", using="jinja2").render(
                {"event": event, "names": NAMES}
            )
        assert html.strip().startswith("<li"), kind


def test_options_have_words() -> None:
    template = get_template("tables/goodcop/_option.jinja", using="jinja2")
    for option in ("zombies", "react_only_to_shots", "auto_pass", "start"):
        assert str(template.render({"option": option, "value": None})).strip()
    said = {str(template.render({"option": "start", "value": value})) for value in ("fate", "p1", "p8", None)}
    assert len(said) == 4
