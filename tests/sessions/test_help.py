"""The help: each page in each language, and a cheat sheet for each game on the shelf."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders

from sessions.engine.registry import registry
from sessions.engine.rulebook import Leaflet, book, cheat_sheet, leaflet, parse_leaflet
from sessions.views.help_pages import PAGES, TEXTS

if TYPE_CHECKING:
    from django.test import Client

    from sessions.models import Session
    from tests.conftest import Somebody

#: Those in which all of it is written; others read one of these.
LANGUAGES = ("ja", "en")
PAGE_NAMES = [f"/help/{name}/" for name in PAGES]
SHEET_NAMES = [f"/help/games/{key}/" for key in registry() if cheat_sheet(key, "ja")]


def sheet(key: str, language: str) -> Leaflet:
    found = cheat_sheet(key, language)
    assert found
    return found


@pytest.fixture
def reader(client: Client, reference_rows: None) -> Client:
    """A stranger in the first language."""
    return client


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/help/", *PAGE_NAMES, *SHEET_NAMES])
def test_a_help_page_is_in_the_readers_language_and_its_links_work(
    reader: Client, path: str, language: str
) -> None:
    page = reader.get(path, headers={"Accept-Language": language})
    html = page.content.decode()
    assert page.status_code == 200
    assert f'lang="{language}"' in html
    assert "{{" not in html
    for link in set(re.findall(r'href="(/[^"?#]*)', html)):
        if not link.startswith("/static/"):
            assert reader.get(link, follow=True).status_code == 200, link
    for source in re.findall(r'<img src="/static/([^"]+)"', html):
        assert finders.find(source), f"{source} is missing; run: make pictures"


def test_every_public_page_has_its_own_description_and_ordered_headings(reader: Client) -> None:
    books = [f"/rules/{key}/" for key in registry() if book(key, "ja")]
    games = [f"/games/{key}/" for key in ("goodcop", "journey", "liarmafia", "twentyfour")]
    descriptions = set()
    for path in (public := ["/", "/help/", *PAGE_NAMES, *SHEET_NAMES, *books, *games]):
        html = reader.get(path).content.decode()
        described = re.search(r'<meta name="description"\s+content="([^"]+)"', html)
        assert described, path
        descriptions.add(described[1].strip())
        levels = [1, *(int(level) for level in re.findall(r"<h([1-6])\b", html.partition("<main")[2]))]
        assert all(level <= before + 1 for before, level in pairwise(levels)), (path, levels)
    assert len(descriptions) == len(public)


@pytest.mark.parametrize("key", [key for key in registry() if cheat_sheet(key, "ja")])
def test_a_cheat_sheet_names_the_same_existing_rules_in_each_language(key: str) -> None:
    first = sheet(key, LANGUAGES[0])
    for language in LANGUAGES:
        text = sheet(key, language)
        assert text.language == language
        assert text.mentions <= set(book(key, language).ids)
        assert text.mentions == first.mentions
        assert [section.anchor for section in text.sections] == [section.anchor for section in first.sections]


@pytest.mark.parametrize("name", PAGES)
def test_a_help_page_has_the_same_sections_in_each_language(name: str) -> None:
    first = leaflet(TEXTS / name, LANGUAGES[0])
    for language in LANGUAGES:
        text = leaflet(TEXTS / name, language)
        assert [section.anchor for section in text.sections] == [section.anchor for section in first.sections]
        assert text.pictures == first.pictures
        assert text.mentions == first.mentions


def test_a_reader_of_a_language_without_help_pages_gets_english(reader: Client) -> None:
    reader.cookies["django_language"] = "ko"
    html = reader.get("/help/gm/").content.decode()
    assert '<html lang="ko"' in html
    assert 'lang="en"' in html.partition("<main")[2].partition(">")[0]
    assert "A GM's first evening" in html.replace("&#x27;", "'")


def test_the_gm_guide_has_ten_sections_in_each_language() -> None:
    for language in LANGUAGES:
        assert len(leaflet(TEXTS / "gm", language).sections) == 10


def test_every_game_of_this_repository_has_a_cheat_sheet() -> None:
    assert {"goodcop", "journey", "liarmafia", "twentyfour", "uroboros"} <= {
        key for key in registry() if cheat_sheet(key, "ja")
    }


def test_a_cheat_sheet_has_the_experience_rates_of_the_campaign(
    session: Session, gm: Somebody, kei: Somebody, reference_rows: None
) -> None:
    campaign = session.campaign
    assert campaign
    campaign.house_values = {
        "experience": {
            "points_a_line": 77,
            "hp_max_cost": 5,
            "skill_cost": 3,
            "suit_cost": 20,
            "suits_at_most": 3,
        }
    }
    campaign.save()
    address = f"/help/games/uroboros/?campaign={campaign.pk}"
    assert "77点" in gm.client.get(address).content.decode()
    assert "77点" not in gm.client.get("/help/games/uroboros/").content.decode()
    assert kei.client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/help/nothing/", "/help/games/nothing/", "/help/games/"])
def test_an_unknown_help_address_is_not_found(reader: Client, address: str) -> None:
    assert reader.get(address).status_code == 404


@pytest.mark.parametrize(
    "text", ["# Title\n\n## Without an anchor\n", "# Title\n\n## One {#a}\n\n## Two {#a}\n"]
)
def test_sections_of_a_help_page_need_unique_anchors(text: str) -> None:
    with pytest.raises(ValueError, match="anchor"):
        parse_leaflet(text, "ja")
