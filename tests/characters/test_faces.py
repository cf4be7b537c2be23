"""A character's face: its portrait or emblem, the people who may change it, and the pages that show it."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.urls import reverse
from PIL import Image

from characters.exchange import reader, sheet_json
from characters.exchange.wording import wording
from characters.models import Character
from characters.services import exchange
from companion.identity import personal_data
from companion.models import Picture
from sessions.evening import nights
from sessions.live.regions import seat_faces
from sessions.models import Session
from tests.companion.test_pictures import SVG, painted, saved

pytestmark = pytest.mark.django_db


def put(who, sheet, **sent):
    return who.client.post(reverse("characters:face", args=[sheet.pk]), sent)


def upload(content=None):
    return SimpleUploadedFile("me.png", saved(painted(300, 300), "PNG") if content is None else content)


@pytest.fixture
def portrayed(ayumi, sheet):
    assert put(ayumi, sheet, picture=upload()).status_code == 302
    return Character.objects.get(pk=sheet.pk)


def test_an_uploaded_picture_becomes_the_portrait_on_the_sheet(ayumi, portrayed):
    assert (portrayed.portrait.width, portrayed.portrait.height) == (225, 300)
    assert (
        portrayed.portrait.get_absolute_url()
        in ayumi.client.get(portrayed.get_absolute_url()).content.decode()
    )


def send_to(address, who, sheet, content=None):
    """Send a picture to the page of the portrait or to that of the labelled faces."""
    sent = {"label": "笑顔", "picture": upload(content)}
    return who.client.post(reverse(f"characters:{address}", args=[sheet.pk]), sent)


@pytest.mark.parametrize("address", ["face", "faces"])
@pytest.mark.parametrize("content", [b"", SVG, b"\x89PNG\r\n\x1a\n"], ids=["nothing", "svg", "broken"])
def test_an_upload_that_is_no_picture_is_refused_with_a_reason(ayumi, sheet, address, content):
    answer = send_to(address, ayumi, sheet, content)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Picture.objects.exists()


@pytest.mark.parametrize("address", ["face", "faces"])
def test_uploads_of_faces_have_a_rate_limit(ayumi, sheet, address, monkeypatch):
    monkeypatch.setattr("characters.views.faces.UPLOADS", type("Never", (), {"count": lambda *_: False})())
    assert send_to(address, ayumi, sheet).status_code == 422
    assert not Picture.objects.exists()


def test_other_people_cannot_change_a_portrait_or_emblem(bo, sheet):
    assert put(bo, sheet, picture=upload()).status_code == 404
    assert put(bo, sheet, emblem="lamp").status_code == 404


def test_an_emblem_replaces_a_portrait_and_its_picture_is_deleted(ayumi, portrayed):
    assert put(ayumi, portrayed, emblem="lamp").status_code == 302
    page = ayumi.client.get(portrayed.get_absolute_url()).content.decode()
    assert 'emblems.svg#lamp"' in page
    assert 'class="portrait emblem" data-suit="h"' in page
    assert not Picture.objects.exists()
    assert put(ayumi, portrayed, emblem="dragon").status_code == 422


def test_the_picture_of_a_replaced_portrait_is_deleted(ayumi, portrayed):
    before = portrayed.portrait.get_absolute_url()
    put(ayumi, portrayed, picture=upload())
    assert Picture.objects.count() == 1
    assert ayumi.client.get(before).status_code == 404
    ayumi.client.post(reverse("characters:delete", args=[portrayed.pk]))
    assert not Picture.objects.exists()


def test_a_copied_character_has_its_own_copy_of_the_portrait(portrayed):
    copy = exchange.copy_character(character=portrayed, name="朔二")
    assert copy.portrait_id != portrayed.portrait_id
    assert copy.portrait.width == portrayed.portrait.width


def test_a_portrait_is_handed_over_and_deleted_with_its_person(ayumi, bo, portrayed):
    with_it = personal_data.export_documents(ayumi.person)["character-1.json"]["character"]["portrait"]
    assert base64.b64decode(with_it) == bytes(portrayed.portrait.content)
    personal_data.hand_over(ayumi.person, bo.person)
    assert Picture.objects.get().owner == bo.person
    personal_data.delete_belongings(bo.person, {})
    assert not Picture.objects.exists()


def test_a_portrait_is_imported_from_json_and_must_be_a_picture(portrayed):
    document = sheet_json.write_document(exchange.plain_sheet(portrayed))
    back = reader.read_text(json.dumps(document), wording("ja")).sheet
    assert Image.open(io.BytesIO(back.portrait)).size == (225, 300)
    document["character"]["portrait"] = base64.b64encode(SVG).decode()
    with pytest.raises(reader.UnreadableSheet, match="bad_portrait"):
        reader.read_text(json.dumps(document), wording("ja"))


def test_the_udonarium_export_names_the_portrait_by_its_hash(ayumi, portrayed):
    answer = ayumi.client.get(reverse("exports:udonarium", args=[portrayed.pk]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        named = ElementTree.fromstring(archive.read("data.xml")).find(".//data[@name='imageIdentifier']").text
        content = archive.read(f"{named}.webp")
    assert sha256(content).hexdigest() == named
    assert content == bytes(portrayed.portrait.content)


def test_the_ccfolia_piece_has_a_portrait_address_only_on_a_hosted_server(ayumi, portrayed):
    at_home = ayumi.client.get(portrayed.get_absolute_url()).content.decode()
    with override_settings(PUBLIC_URL="https://takujo.example"):
        hosted = ayumi.client.get(portrayed.get_absolute_url()).content.decode()
    assert "iconUrl" not in at_home
    assert f"https://takujo.example{portrayed.portrait.get_absolute_url()}" in hosted


def test_a_changed_emblem_is_shown_at_the_table_at_once(session: Session, seats, table, ayumi, portrayed):
    nights.bring_character(seat=seats[0], character=portrayed)
    session.refresh_from_db()
    seating = session.seating
    assert seat_faces(type(table).objects.get(pk=table.pk))["p1"].count("<img") == 1
    put(ayumi, portrayed, emblem="key")
    session.refresh_from_db()
    assert session.seating == seating + 1
    assert "#key" in seat_faces(type(table).objects.get(pk=table.pk))["p1"]
