"""Taking a character along and bringing one in, through the pages."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from characters import access
from characters.models import Character
from characters.services import drafts, exchange
from characters.urls import exports
from tests.evening import sit

pytestmark = pytest.mark.django_db
BRING = reverse("characters:bring")
ADDRESSES = [pattern.name for pattern in exports if "pk" in str(pattern.pattern)]


def at(name, sheet):
    return reverse(f"exports:{name}", args=[sheet.pk])


@pytest.fixture
def public(sheet):
    """The sheet is shown to everybody."""
    access.set_visibility(character=sheet, visibility="public")


FOREIGN = {"Origin": "https://example.org"}


# Out


@pytest.mark.parametrize("name", ADDRESSES)
def test_exports_of_a_private_sheet_are_for_its_owner_only(kei, gm, sheet, name):
    for client in (kei.client, gm.client, Client()):
        there = client.get(at(name, sheet), follow=True)
        nowhere = client.get(reverse(f"exports:{name}", args=[10**30]), follow=True)
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert "Access-Control-Allow-Origin" not in there


def test_a_draft_has_no_exports(ayumi):
    draft = drafts.start_draft(owner=ayumi.person, method="standard", name="朔")
    for name in ("json", "palette", "udonarium"):
        assert ayumi.client.get(at(name, draft)).status_code == 404


def test_the_short_address_redirects_to_the_sheet(ayumi, sheet):
    assert ayumi.client.get(f"/c/{sheet.pk}").url == sheet.get_absolute_url()


def test_the_sheet_page_contains_the_ccfolia_piece(ayumi, sheet):
    page = ayumi.client.get(sheet.get_absolute_url()).content.decode()
    piece = page[page.index('id="ccfolia-text"') :].partition(">")[2].partition("</textarea>")[0]
    data = json.loads(unescape(piece))["data"]
    assert data["name"] == "朔"
    assert data["memo"].startswith("PL: あゆみ\nコンセプト: ")
    assert data["externalUrl"] == "http://testserver/", "nobody else can read the sheet"
    assert "ココフォリア用コマデータ（クリップボードへコピー）" in page
    assert "カードの判定を処理できません" in page


def test_the_ccfolia_piece_of_a_public_sheet_links_to_the_sheet(ayumi, sheet, public):
    page = unescape(ayumi.client.get(sheet.get_absolute_url()).content.decode())
    assert f'"externalUrl":"http://testserver/c/{sheet.pk}"' in page


def test_the_ccfolia_piece_and_palette_are_in_the_readers_language(ayumi, sheet):
    english = {"Accept-Language": "en"}
    page = unescape(ayumi.client.get(sheet.get_absolute_url(), headers=english).content.decode())
    assert '"label":"Favoured suits"' in page
    assert "//Difficulty=2" in ayumi.client.get(at("palette", sheet), headers=english).content.decode()


def test_the_chat_palette_is_exported_as_plain_text(ayumi, sheet):
    answer = ayumi.client.get(at("palette", sheet))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().startswith("◆判定\n")
    assert "脇差（武器3）で攻撃する" in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("朔", "朔.zip"),
        ('a/b\\c:"d"', "a_b_c_d.zip"),
        ("../..", "character.zip"),
        ("\u202egpj.exe", "gpj.exe.zip"),
        ("x\r\nSet-Cookie: a=b", "x_Set-Cookie_a=b.zip"),
    ],
)
def test_an_exported_file_is_named_after_the_character(ayumi, sheet, name, file):
    Character.objects.filter(pk=sheet.pk).update(name=name)
    answer = ayumi.client.get(at("udonarium", sheet))
    assert answer["Content-Type"] == "application/zip"
    said = answer["Content-Disposition"]
    encoded = re.fullmatch(r"attachment; filename\*=utf-8''(\S+)", said)
    plain = re.fullmatch(r'attachment; filename="([^"]+)"', said)
    assert (unquote(encoded[1]) if encoded else plain[1]) == file
    assert "data.xml" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


def test_json_of_a_private_sheet_is_for_its_owner_without_cors(ayumi, sheet):
    answer = ayumi.client.get(at("json", sheet), headers=FOREIGN)
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["character"]["name"] == "朔"
    assert answer.json()["url"] == ""
    assert "Access-Control-Allow-Origin" not in answer
    assert answer["Cache-Control"] == "no-store"
    assert 'rel="alternate"' not in ayumi.client.get(sheet.get_absolute_url()).content.decode()


def test_json_of_a_public_sheet_is_open_to_pages_of_other_sites(ayumi, sheet, public):
    stranger = Client()
    answer = stranger.get(at("json", sheet), headers=FOREIGN)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert answer.json()["url"] == f"http://testserver/c/{sheet.pk}"
    asked = stranger.options(at("json", sheet), headers=FOREIGN)
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Origin"] == "*"
    assert "GET" in asked["Access-Control-Allow-Methods"]
    named = f'<link rel="alternate" type="application/json" href="/c/{sheet.pk}.json">'
    for client in (stranger, ayumi.client):
        assert named in client.get(f"/c/{sheet.pk}", follow=True).content.decode()


def test_json_of_a_sheet_that_is_private_again_is_closed(ayumi, sheet, public):
    access.set_visibility(character=sheet, visibility="private")
    for answer in (Client().get(at("json", sheet)), Client().options(at("json", sheet))):
        assert answer.status_code == 404
        assert "Access-Control-Allow-Origin" not in answer
    assert "Access-Control-Allow-Origin" not in ayumi.client.get(at("json", sheet))


def test_a_share_link_has_json_that_ends_with_the_link(sheet):
    access.make_link(character=sheet)
    sheet.refresh_from_db()
    page = Client().get(reverse("characters:shared", args=[sheet.share_key])).content.decode()
    address = reverse("exports:shared", args=[sheet.share_key])
    assert f'<link rel="alternate" type="application/json" href="{address}">' in page
    answer = Client().get(address, headers=FOREIGN)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert (answer.json()["character"]["name"], answer.json()["url"]) == ("朔", "")
    assert Client().options(address, headers=FOREIGN)["Access-Control-Allow-Origin"] == "*"
    assert Client().get(at("json", sheet)).status_code == 404
    access.end_link(character=sheet)
    assert Client().get(address).status_code == 404
    assert Client().get(reverse("exports:shared", args=["x" * 500])).status_code == 404


def test_json_shown_to_a_campaign_is_not_open_to_other_sites(ayumi, bo, sheet, session):
    access.set_visibility(character=sheet, visibility="campaign")
    seat = sit(session, ayumi.person)
    seat.character = sheet
    seat.save()
    assert bo.client.get(at("palette", sheet)).status_code == 404
    sit(session, bo.person)
    answer = bo.client.get(at("json", sheet), headers=FOREIGN)
    assert answer.status_code == 200
    assert "Access-Control-Allow-Origin" not in answer
    assert 'rel="alternate"' not in bo.client.get(sheet.get_absolute_url()).content.decode()


# In


def pasted(client, text, **more):
    return client.post(BRING, {"text": text, **more})


CHICKEN = json.dumps(
    {
        "kind": "character",
        "data": {
            "name": "<b>鶏</b>",
            "memo": "庭の主。",
            "status": [{"label": "HP", "value": "3", "max": "5"}, {"label": "MP", "value": 1, "max": 2}],
            "params": [{"label": "得意スート", "value": "♥"}, {"label": "特技1", "value": "鳴く"}],
        },
    }
)


def text_of(answer):
    """The sheet that a preview sends on."""
    return unescape(
        answer.content.decode().partition('name="text"')[2].partition(">")[2].partition("</textarea>")[0]
    )


def test_an_import_shows_a_preview_and_makes_no_character_yet(bo):
    answer = pasted(bo.client, CHICKEN)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "&lt;b&gt;鶏&lt;/b&gt;は、このようになります" in page
    assert "<b>3 / 5</b>" in page
    assert "<li>MP: 1/2</li>" in page
    assert not Character.objects.exists()


def test_an_imported_piece_becomes_a_character_of_the_importer(bo):
    preview = pasted(bo.client, CHICKEN)
    answer = pasted(bo.client, text_of(preview), yes="1")
    made = Character.objects.get()
    assert answer.url == made.get_absolute_url()
    assert (made.owner, made.name, made.hp, made.hp_max, made.suits) == (bo.person, "<b>鶏</b>", 3, 5, "h")
    assert [skill.name for skill in made.skills.all()] == ["鳴く"]
    assert made.background == "庭の主。\n\nMP: 1/2"
    assert made.is_done


def test_an_import_that_began_in_a_session_returns_there(bo):
    there = f"{BRING}?next=/s/1/"
    page = bo.client.get(there).content.decode()
    assert 'href="/s/1/"' in page
    assert 'action="/characters/bring/?next=/s/1/"' in page
    preview = bo.client.post(there, {"text": CHICKEN}).content.decode()
    assert 'action="/characters/bring/?next=/s/1/"' in preview
    assert bo.client.post(there, {"text": CHICKEN, "yes": "1"}).url == "/s/1/"
    elsewhere = bo.client.post(f"{BRING}?next=//evil.example/", {"text": CHICKEN, "yes": "1"})
    assert elsewhere.url.startswith("/characters/")


def test_a_stranger_imports_a_character_without_an_account(client):
    answer = client.post(BRING, {"text": CHICKEN, "yes": "1"}, follow=True)
    assert answer.status_code == 200
    assert "を取り込みました" in answer.content.decode()


def test_all_pages_work_for_an_imported_character(bo):
    pasted(bo.client, CHICKEN, yes="1")
    made = Character.objects.get()
    for name in ("sheet", "edit", "delete"):
        assert bo.client.get(reverse(f"characters:{name}", args=[made.pk])).status_code == 200
    assert bo.client.get(reverse("characters:shelf")).status_code == 200
    assert bo.client.get(reverse("characters:creation", args=[made.pk])).status_code == 404
    assert exchange.table_options(made)["hp"] == 3


@pytest.mark.parametrize("name", ["json", "udonarium"])
def test_an_exported_file_is_imported_as_the_same_character(ayumi, bo, sheet, name):
    taken = ayumi.client.get(at(name, sheet)).content
    preview = bo.client.post(BRING, {"file": SimpleUploadedFile("sheet", taken)})
    assert preview.status_code == 200
    pasted(bo.client, text_of(preview), yes="1")
    back = exchange.plain_sheet(Character.objects.get(owner=bo.person))
    went = exchange.plain_sheet(sheet)
    assert (back.hp, back.hp_max, back.suits, back.skills) == (went.hp, went.hp_max, went.suits, went.skills)
    assert (back.items, back.ca) == (went.items, went.ca)
    assert name != "json" or back == went


def test_an_import_keeps_the_line_ends_of_the_background(bo):
    document = {"name": "朔", "background": "一\r\n二\n三", "concept": "</textarea><b>"}
    sent = json.dumps({"format": "takujo.character", "version": 1, "character": document})
    pasted(bo.client, text_of(pasted(bo.client, sent)), yes="1")
    made = Character.objects.get()
    assert (made.background, made.concept) == (document["background"], document["concept"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ファイルも選ばれていません"),
        ("{こんにちは", "1行目の2文字目"),
        (
            '{"format":"takujo.character","version":1,"character":{"name":"朔","hp":45,"hp_max":45}}',
            "1〜20",
        ),
        ('{"kind":"character","data":{"name":"<i>","name":"b"}}', "「name」が2回"),
        ("a\0", "NUL"),
    ],
)
def test_an_invalid_import_is_refused_with_a_reason_and_keeps_the_text(bo, text, why):
    answer = pasted(bo.client, text, yes="1")
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert why in page
    assert text in page
    assert not Character.objects.exists()


def test_reasons_of_a_refused_import_are_translated(bo):
    answer = bo.client.post(BRING, {"text": "{hello"}, headers={"Accept-Language": "en"})
    assert "it stops being JSON in line 1, place 2" in answer.content.decode()


@pytest.mark.parametrize("size", [255_000, 258_000, 400_000, 3_000_000])
def test_an_import_of_too_much_text_is_refused_with_a_reason(bo, size):
    answer = pasted(bo.client, "a" * size)
    assert answer.status_code == 422
    said = answer.content.decode()
    assert ("256 kBを超えています" if size > 256_000 else "コマのデータではありません") in said


@pytest.mark.parametrize("size", [0, 10, 257_000, 3_000_000])
def test_an_imported_file_that_is_no_character_is_refused(bo, size):
    answer = bo.client.post(BRING, {"file": SimpleUploadedFile("x.zip", b"\xff" * size)})
    assert answer.status_code == 422
    assert not Character.objects.exists()


def test_an_import_without_csrf_token_makes_no_character():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(BRING, {"text": CHICKEN, "yes": "1"}).status_code == 403
    assert not Character.objects.exists()


def test_a_stranger_who_only_previews_an_import_becomes_no_person(client):
    client.get(BRING)
    pasted(client, CHICKEN)
    assert "takujo" not in client.cookies
