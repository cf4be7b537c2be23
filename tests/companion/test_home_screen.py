"""The app of the home screen, and the list of what a device may keep of whom."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.core import signing
from django.test import Client
from PIL import Image

from companion.pages.home_screen import mark
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from tests.evening import mentions

if TYPE_CHECKING:
    from sessions.game import AnyModule
    from sessions.models import Session, Table
    from tests.conftest import Somebody


def kept(who: Somebody) -> dict[str, str]:
    answer = who.client.get("/kept/").json()
    assert answer["mark"] == mark(who.person)
    return dict(answer["pages"])


@pytest.mark.parametrize(("language", "name"), [("ja", "卓上"), ("en", "Takujō")])
def test_the_manifest_has_a_translated_name_and_icons_of_the_stated_size(
    db: None, client: Client, language: str, name: str
) -> None:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    content = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert (content["name"], content["lang"], content["start_url"]) == (name, language, "/")
    assert {icon["purpose"] for icon in content["icons"]} == {"any", "maskable"}
    for icon in content["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(path, str)
        with Image.open(path) as image:
            assert f"{image.width}x{image.height}" == icon["sizes"]


def test_the_service_worker_is_not_cached_and_its_values_are_filled_in(db: None, client: Client) -> None:
    answer = client.get("/worker.js")
    assert answer["Cache-Control"] == "no-cache"
    assert answer["Content-Type"] == "text/javascript"
    assert "__" not in answer.content.decode()
    assert "worker-src 'self'" in answer["Content-Security-Policy"]


def test_every_page_has_an_opaque_mark_of_its_person(ayumi: Somebody, bo: Somebody) -> None:
    marks = [who.client.get("/")["Kept-Of"] for who in (ayumi, bo)]
    assert marks == [mark(ayumi.person), mark(bo.person)]
    assert len({*marks, ""}) == 3
    assert Client().get("/")["Kept-Of"] == ""
    assert ayumi.person.key.hex not in marks[0]
    assert signing.dumps(ayumi.person.key.hex) != marks[0]
    ayumi.client.post("/account/sign-out/")
    assert ayumi.client.get("/")["Kept-Of"] == ""


def test_the_offline_page_names_no_person(gm: Somebody) -> None:
    html = gm.client.get("/offline/").content.decode()
    assert "csrf" not in html
    assert not mentions(html, "GM")


def test_a_player_keeps_own_tables_and_sheets_offline_and_a_gm_none(
    table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    hero = create_character(ayumi.person, SAMPLES[0])
    create_character(bo.person, SAMPLES[1])
    assert kept(ayumi).keys() == {table.get_absolute_url(), hero.get_absolute_url()}
    assert kept(gm) == kept(kei) == {}
    assert Client().get("/kept/").json() == {"mark": "", "pages": {}, "books": {}}


def test_a_game_without_a_rulebook_has_none_in_the_offline_list(tally: AnyModule, ayumi: Somebody) -> None:
    books = ayumi.client.get("/kept/").json()["books"]
    assert [path for path in books if tally.key in path] == []
    assert all(ayumi.client.get(path).status_code == 200 for path in books)


def test_the_offline_list_loses_a_table_with_its_seat_or_session(
    session: Session, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    nights.remove_seat(seat=session.seats.get(person=ayumi.person))
    assert (kept(ayumi), len(kept(bo))) == ({}, 1)
    nights.close_session(session=session)
    assert kept(bo) == {}


def test_a_changed_sheet_has_a_new_version_in_the_offline_list(ayumi: Somebody) -> None:
    hero = create_character(ayumi.person, SAMPLES[0])
    before = kept(ayumi)
    hero.hp -= 1
    hero.save()
    assert kept(ayumi).keys() == before.keys()
    assert kept(ayumi) != before


def test_errors_of_forms_are_in_everyday_japanese(gm: Somebody) -> None:
    html = gm.client.post("/gm/campaigns/", {"name": "", "jokers": "7"}).content.decode()
    assert "入力してください。" in html
    assert "この中から選んでください。" in html
    assert "このフィールドは" not in html
