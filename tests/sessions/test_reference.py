"""The rules as players read them: whole in both languages, with values that count, for the right people."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.template.loader import get_template
from django.test import Client
from django.utils import translation

from sessions import modules
from sessions.engine import rulebook
from sessions.engine.registry import registry
from sessions.engine.rulebook import RULE_ID, book
from sessions.evening import nights
from sessions.models import Campaign, Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import sit
from tests.words import COMPLETE

FOLDER = Path(modules.__path__[0])
LADDER = [{"flip": False, "link": "any", "near": 0} for _ in range(5)] + [
    {"flip": True, "link": "near", "near": 11}
]

#: Refusals that no game words by itself: those of every table, and an NPC that is gone as a seat that is.
WORDED_ELSEWHERE = {"malformed_move", "not_seated", "game_over", "unknown_npc"}

pytestmark = pytest.mark.django_db


def raised(key: str) -> dict[str, set[str | None]]:
    """Return each refusal code that a game raises, with the rule ids it names."""
    found: dict[str, set[str | None]] = {}
    for path in (FOLDER / key).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and (parts := _refusal(node)):
                code, named = parts
                codes = [one.value for one in ast.walk(code) if isinstance(one, ast.Constant)]
                rules = {one.value for value in named for one in ast.walk(value) if _is_id(one)} or {None}
                for one in codes:
                    found.setdefault(str(one), set()).update(rules)
    return found


def _refusal(call: ast.Call) -> tuple[ast.expr, list[ast.expr]] | None:
    """Return the expressions of the code and the rule, None when the call refuses nothing."""
    match ast.unparse(call.func):
        case "IllegalMove":
            return call.args[0], [keyword.value for keyword in call.keywords if keyword.arg == "rule"]
        case "demand" if not isinstance(call.args[2], ast.Name):  # by name: the caller says which rule
            return call.args[1], call.args[2:]
    return None


def _is_id(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and bool(re.fullmatch(RULE_ID, str(node.value)))


@pytest.mark.parametrize("key", registry())
def test_a_rule_book_has_the_same_rules_in_every_language(key: str) -> None:
    books = [book(key, language) for language in rulebook.languages(key)]
    assert {*COMPLETE} <= {*rulebook.languages(key)}
    assert [each.ids for each in books] == [books[0].ids] * len(books)
    assert len(set(books[0].ids)) == len(books[0].ids) > 0
    assert [each.values for each in books] == [books[0].values] * len(books)
    assert all(clause.html for each in books for chapter in each.chapters for clause in chapter.clauses)


@pytest.mark.parametrize("key", registry())
def test_a_language_without_a_rule_book_gets_the_english_one(key: str) -> None:
    assert "tlh" not in rulebook.languages(key)
    assert book(key, "tlh") == book(key, "en") != book(key, "ja")
    assert book(key, "en-gb") == book(key, "en")


def test_the_rule_book_of_a_game_without_one_raises_lookup_error() -> None:
    assert not rulebook.languages("tally")
    with pytest.raises(LookupError):
        book("tally", "en")


@pytest.mark.parametrize("key", registry())
def test_every_rule_in_rules_md_is_in_the_rule_book(key: str) -> None:
    headed = re.findall(rf"^- \**({RULE_ID})\b", (FOLDER / key / "RULES.md").read_text("utf-8"), re.MULTILINE)
    assert headed
    assert set(headed) <= set(book(key, "ja").ids)


@pytest.mark.parametrize("key", registry())
def test_every_refusal_names_a_rule_of_the_rule_book(key: str) -> None:
    refusals = raised(key)
    assert refusals, "nothing found: this test could not have failed"
    assert {code for code, rules in refusals.items() if None in rules} == set()
    assert {rule for rules in refusals.values() for rule in rules} <= set(book(key, "ja").ids)


@pytest.mark.parametrize("key", registry())
@pytest.mark.parametrize("language", COMPLETE)
def test_every_refusal_has_a_sentence_of_its_own(key: str, language: str) -> None:
    rows = (FOLDER / key / "RULES.md").read_text("utf-8").split("## Refusals")[1].split("\n## ")[0]
    listed = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\|[^|]*\|", rows, re.MULTILINE)))
    codes = {*listed, *raised(key)} - WORDED_ELSEWHERE
    with translation.override(language):
        template = get_template(f"tables/{key}/_refusal.jinja", using="jinja2")
        said = {
            code: template.render({"code": code, "details": {"need": 2}}).strip()
            for code in {*codes, "none such"}
        }
    assert len(set(said.values())) == len(said), "two are told in the same words"


@pytest.mark.parametrize("key", registry())
@pytest.mark.parametrize("language", COMPLETE)
def test_every_rule_that_a_rule_book_mentions_is_in_it(key: str, language: str) -> None:
    text = (FOLDER / key / "rules" / f"{language}.md").read_text("utf-8")
    assert set(re.findall(RULE_ID, text)) <= set(book(key, language).ids)


@pytest.mark.parametrize("key", registry())
def test_every_figure_of_a_rule_book_has_a_template(key: str) -> None:
    for name in book(key, "ja").values:
        get_template(f"tables/{key}/rules/{name}.html")


@pytest.mark.parametrize(
    "text",
    ["# T\n## C\n### no id\n", "# T\n### UC-1.1 no chapter\n", "# T\n## empty\n## C\n### UC-1.1 one\n"],
)
def test_a_rule_book_with_misplaced_clauses_or_chapters_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"clause|chapter"):
        rulebook.parse_rule_book(text)


def test_a_rule_book_does_not_render_raw_html() -> None:
    parsed = rulebook.parse_rule_book("# T\n## C\n### UC-1.1 one\n<script>alert(1)</script> see UC-1.1\n")
    [clause] = parsed.chapters[0].clauses
    assert "<script>" not in clause.html
    assert '<a class="rule-id" href="#UC-1.1">UC-1.1</a>' in clause.html


# Pages


def page(client: Client, address: str, language: str = "ja", **headers: str) -> str:
    answer = client.get(address, headers={"Accept-Language": language, **headers})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("language", COMPLETE)
def test_a_visitor_can_read_the_whole_rule_book(client: Client, language: str) -> None:
    html = page(client, "/rules/uroboros/", language)
    for rule_id in book("uroboros", language).ids:
        assert f'id="{rule_id}"' in html
    assert "{{" not in html
    for chapter in book("uroboros", language).chapters:
        assert f'href="#{chapter.anchor}"' in html
        assert f'id="{chapter.anchor}"' in html


def test_the_figures_of_a_rule_book_are_in_the_readers_language(client: Client) -> None:
    assert "雑魚" in page(client, "/rules/uroboros/")
    english = page(client, "/rules/uroboros/", "en")
    assert "2 jokers" in english
    assert "same suit and 5 apart at most" in english
    assert "2 points" in english


def test_every_rule_book_links_to_all_the_others(client: Client) -> None:
    for key in registry():
        page = client.get(f"/rules/{key}/").content.decode()
        assert [other for other in registry() if f'href="/rules/{other}/"' in page] == list(registry())


def test_the_rule_book_of_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/rules/chess/").status_code == 404


@pytest.fixture
def house(session: Session) -> Campaign:
    """The campaign with house rules of its own."""
    campaign = session.campaign
    campaign.jokers, campaign.ladder = 1, LADDER
    campaign.house_values = {
        "experience": {
            "points_a_line": 7,
            "hp_max_cost": 8,
            "skill_cost": 9,
            "suit_cost": 77,
            "suits_at_most": 1,
        }
    }
    campaign.house_values["npcs"] = {"1": {"hp": 42, "skills": 0, "suits": 0, "weapon": 3, "armour": 4}}
    campaign.save()
    return campaign


def test_a_campaigns_rule_book_shows_its_house_rules(house: Campaign, gm: Somebody) -> None:
    html = page(gm.client, f"/rules/uroboros/?campaign={house.pk}", "en")
    for words in ("1 joker", "same suit and 11 apart at most", "7 points", "× 77, up to 1", ">42<"):
        assert words in html, words


def test_a_campaigns_rule_book_is_open_to_its_gm_and_players_only(
    house: Campaign, session: Session, gm: Somebody, bo: Somebody, kei: Somebody, client: Client
) -> None:
    address = f"/rules/uroboros/?campaign={house.pk}"
    assert bo.client.get(address).status_code == 404
    seat = sit(session, bo.person)
    assert bo.client.get(address).status_code == 200
    nights.remove_seat(seat=seat)
    for who in (bo.client, kei.client, client):
        assert who.get(address).status_code == 404
    for nonsense in ("x", "-1", "9" * 40, "\u0664", "%00"):
        assert gm.client.get(f"/rules/uroboros/?campaign={nonsense}").status_code == 404


def test_invalid_house_rules_do_not_break_the_rule_book(house: Campaign, gm: Somebody) -> None:
    Campaign.objects.update(ladder=[{"flip": 1}], house_values={"npcs": "?"})
    html = page(gm.client, f"/rules/uroboros/?campaign={house.pk}", "en")
    assert "same suit and 5 apart at most" in html


def test_a_tables_rule_book_shows_the_house_rules_it_was_opened_with(
    house: Campaign, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    Campaign.objects.update(ladder=None, jokers=2)
    html = page(bo.client, f"/t/{table.pk}/rules/", "en")
    assert "same suit and 11 apart at most" in html
    assert "1 joker" in html


def test_htmx_gets_the_rule_book_without_the_layout(table: Table, bo: Somebody) -> None:
    html = page(bo.client, f"/t/{table.pk}/rules/", **{"HX-Request": "true"})
    assert html.lstrip().startswith('<div class="book"')
    assert 'id="UC-4.2"' in html
    assert "<html" not in html


def test_a_tables_rule_book_is_open_to_the_seats_of_its_session_only(
    table: Table, seats: list[Seat], bo: Somebody, kei: Somebody
) -> None:
    assert kei.client.get(f"/t/{table.pk}/rules/").status_code == 404
    nights.remove_seat(seat=seats[1])
    assert bo.client.get(f"/t/{table.pk}/rules/").status_code == 403
