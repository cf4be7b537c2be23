"""The faces that a character speaks with: limits, labels, editors, and the pages that show them."""

from __future__ import annotations

import base64
import io
import json
import random
import zipfile
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.urls import reverse
from PIL import Image

from characters import rules
from characters.exchange import parsing, reader, sheet_json
from characters.exchange.wording import wording
from characters.models import Character, FacePicture
from characters.services import exchange as character_exchange
from characters.services import faces as character_faces
from characters.views import exchange
from companion.files import pictures
from companion.identity import personal_data
from companion.models import Picture
from companion.requests.quotas import Quota
from tests.companion.test_pictures import SVG, painted, saved

pytestmark = pytest.mark.django_db


def add(who, sheet, label):
    picture = SimpleUploadedFile("me.png", saved(painted(300, 400), "PNG"))
    address = reverse("characters:faces", args=[sheet.pk])
    return who.client.post(address, {"label": label, "picture": picture})


def press(who, sheet, name, face, **sent):
    return who.client.post(reverse(f"characters:{name}", args=[sheet.pk, face.pk]), sent)


def called(sheet):
    return [face.label for face in sheet.faces.all()]


@pytest.fixture
def faced(ayumi, sheet):
    for label in ("笑顔", "怒り"):
        assert add(ayumi, sheet, label).status_code == 302
    return Character.objects.get(pk=sheet.pk)


# --- labels ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "label"),
    [(" 笑顔 ", "笑顔"), ("@笑顔", "笑顔"), ("＠ smile", "smile"), ("あ" * 20, "あ" * 20)],
)
def test_a_label_of_a_face_is_stored_without_its_at_sign(written, label):
    assert parsing.clean_label(written) == label


@pytest.mark.parametrize("written", ["", " \u3000", "@", "\u200b", "あ" * 21, "a@b"])
def test_an_invalid_label_of_a_face_is_refused(written):
    with pytest.raises(rules.SheetRefused, match="bad_label"):
        parsing.clean_label(written)


@pytest.mark.parametrize(
    ("text", "rest", "label"),
    [
        ("知らない！@怒り", "知らない！", "怒り"),
        ("知らない！ ＠怒り ", "知らない！", "怒り"),
        ("See? @ＳＭＩＬＥ", "See?", "smile"),
        ("@怒り", "", "怒り"),
        ("メールは a@b.c", "メールは a@b.c", None),
        ("@怒り と言う", "@怒り と言う", None),
        ("知らない！@", "知らない！@", None),
        ("ここまで", "ここまで", None),
    ],
)
def test_a_label_at_the_end_of_a_chat_line_names_a_face(text, rest, label):
    assert parsing.split_label(text, ["笑顔", "怒り", "smile"]) == (rest, label)


# --- the page -------------------------------------------------------------------------------------------


def test_an_owner_adds_renames_reorders_and_removes_faces(ayumi, faced):
    smile, anger = faced.faces.all()
    assert (smile.picture.width, smile.picture.height) == (300, 400)
    press(ayumi, faced, "relabel-face", smile, label="微笑み")
    assert called(faced) == ["微笑み", "怒り"]
    press(ayumi, faced, "move-face", anger, up="1")
    press(ayumi, faced, "move-face", anger, up="1")
    assert called(faced) == ["怒り", "微笑み"], "the first stays first"
    press(ayumi, faced, "move-face", anger)
    assert called(faced) == ["微笑み", "怒り"]
    page = ayumi.client.get(faced.get_absolute_url()).content.decode()
    assert anger.picture.get_absolute_url() in page
    press(ayumi, faced, "remove-face", anger)
    assert called(faced) == ["微笑み"]
    assert Picture.objects.count() == 1, "and its picture is gone"


@pytest.mark.parametrize("label", ["", "@", "あ" * 21, "笑顔", "@笑顔"])
def test_a_duplicate_empty_or_long_label_of_a_face_is_refused(ayumi, faced, label):
    before = Picture.objects.count()
    assert add(ayumi, faced, label).status_code == 422
    press(ayumi, faced, "relabel-face", faced.faces.last(), label=label)
    assert called(faced) == ["笑顔", "怒り"]
    assert Picture.objects.count() == before


def test_a_face_may_be_renamed_to_its_own_label(ayumi, faced):
    press(ayumi, faced, "relabel-face", faced.faces.first(), label="＠笑顔")
    assert called(faced) == ["笑顔", "怒り"]


def test_a_character_has_at_most_twelve_faces(ayumi, sheet):
    for number in range(12):
        assert add(ayumi, sheet, f"顔{number}").status_code == 302
    assert add(ayumi, sheet, "顔12").status_code == 422
    assert sheet.faces.count() == Picture.objects.count() == 12


def test_faces_count_towards_the_picture_quota_of_a_person(ayumi, faced, monkeypatch):
    monkeypatch.setattr(
        "companion.requests.quotas.QUOTAS", {"companion.Picture": [Quota("owner", 2, "full")]}
    )
    assert add(ayumi, faced, "驚き").status_code == 422
    assert called(faced) == ["笑顔", "怒り"]


def test_other_people_cannot_open_or_change_the_faces(bo, faced):
    face = faced.faces.first()
    assert bo.client.get(reverse("characters:faces", args=[faced.pk])).status_code == 404
    assert add(bo, faced, "驚き").status_code == 404
    for name in ("relabel-face", "move-face", "remove-face"):
        assert press(bo, faced, name, face, label="変").status_code == 404
    assert called(faced) == ["笑顔", "怒り"]


def test_a_face_cannot_be_removed_through_another_character(ayumi, faced):
    other = character_exchange.copy_character(character=faced, name="朔二")
    press(ayumi, other, "remove-face", faced.faces.first())
    assert called(faced) == called(other) == ["笑顔", "怒り"]


def test_a_reader_of_a_public_sheet_does_not_get_its_faces(bo, faced):
    Character.objects.filter(pk=faced.pk).update(visibility="public")
    with override_settings(PUBLIC_URL=HTTPS):
        page = bo.client.get(faced.get_absolute_url()).content.decode()
    assert faced.name in page
    for face in faced.faces.all():
        assert face.picture.key not in page
    document = bo.client.get(reverse("exports:json", args=[faced.pk])).json()
    assert document["character"]["faces"] == []
    archive = bo.client.get(reverse("exports:udonarium", args=[faced.pk])).content
    assert not [name for name in zipfile.ZipFile(io.BytesIO(archive)).namelist() if name.endswith(".webp")]


# --- where they go --------------------------------------------------------------------------------------


def test_a_copied_character_has_its_own_copies_of_the_faces(faced):
    copy = character_exchange.copy_character(character=faced, name="朔二")
    assert called(copy) == called(faced)
    assert FacePicture.objects.count() == Picture.objects.count() == 4


def test_faces_are_handed_over_and_deleted_with_their_character(ayumi, bo, faced):
    with_it = personal_data.export_documents(ayumi.person)["character-1.json"]["character"]["faces"]
    assert [face["label"] for face in with_it] == ["笑顔", "怒り"]
    personal_data.hand_over(ayumi.person, bo.person)
    assert {picture.owner for picture in Picture.objects.all()} == {bo.person}
    copy = character_exchange.copy_character(character=Character.objects.get(pk=faced.pk), name="朔二")
    faced.delete()
    assert Picture.objects.count() == 2
    personal_data.delete_belongings(bo.person, {})
    assert not Picture.objects.exists()
    assert not FacePicture.objects.exists()
    assert not Character.objects.filter(pk=copy.pk).exists()


def document_of(sheet):
    return sheet_json.write_document(character_exchange.plain_sheet(sheet, faces=True))


def read_back(document):
    return reader.read_file(json.dumps(document).encode(), wording("ja"))


def test_faces_are_exported_and_imported_as_json(faced):
    back = read_back(document_of(faced)).sheet
    assert [face.label for face in back.faces] == ["笑顔", "怒り"]
    assert Image.open(io.BytesIO(back.faces[0].picture)).size == (300, 400)


def test_a_json_file_without_faces_is_imported(faced):
    document = document_of(faced)
    del document["character"]["faces"]
    assert read_back(document).sheet.faces == ()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda face: [face | {"picture": base64.b64encode(SVG).decode()}], "bad_face"),
        (lambda face: [face | {"picture": ""}], "bad_face"),
        (lambda face: [face | {"picture": "A" * 100_000}], "too_long"),
        (lambda face: [face | {"label": "@"}], "bad_label"),
        (lambda face: [face | {"label": 7}], "wrong_type"),
        (lambda face: [face, face], "label_twice"),
        (lambda face: [face | {"label": f"顔{n}"} for n in range(13)], "too_many_rows"),
        (lambda face: ["笑顔"], "wrong_type"),
        (lambda face: face, "wrong_type"),
    ],
)
def test_an_import_with_invalid_faces_is_refused(faced, change, code):
    document = document_of(faced)
    document["character"]["faces"] = change(document["character"]["faces"][0])
    with pytest.raises(reader.UnreadableSheet, match=code):
        read_back(document)


def noisy(seed):
    """Return a picture that hardly gets smaller, as large as a face may be."""
    noise = Image.frombytes("RGB", (480, 640), random.Random(seed).randbytes(480 * 640 * 3))
    return saved(noise, "PNG")


def test_twelve_large_faces_pass_the_preview_and_the_import(ayumi, sheet):
    for number in range(12):
        character_faces.add_face(character=sheet, label=f"顔{number}", sent=noisy(number))
    character_faces.set_portrait(character=sheet, sent=noisy(99))
    assert max(len(picture.content) for picture in Picture.objects.all()) <= pictures.PORTRAIT.bytes
    answer = ayumi.client.get(reverse("exports:json", args=[sheet.pk]))
    assert 256_000 < len(answer.content) < reader.FILE_BYTES_AT_MOST
    bring = reverse("characters:bring")
    seen = ayumi.client.post(bring, {"file": SimpleUploadedFile("a.json", answer.content)})
    assert seen.status_code == 200
    assert seen.context["whole"]
    ayumi.client.post(
        bring, {"file": SimpleUploadedFile("a.json", seen.context["whole"].encode()), "yes": "1"}
    )
    assert called(Character.objects.first()) == [f"顔{number}" for number in range(12)]
    without = ayumi.client.post(bring, {"text": seen.context["text"], "yes": "1"})
    assert without.status_code == 302
    assert called(Character.objects.first()) == [], "a browser without scripts brings it without faces"


def test_a_json_file_over_the_size_limit_is_refused(sheet):
    document = document_of(sheet) | {"more": "あ" * 600_000}
    with pytest.raises(reader.UnreadableSheet, match="too_large_file"):
        reader.read_file(json.dumps(document, ensure_ascii=False).encode(), wording("ja"))


def test_the_udonarium_export_has_all_faces_after_the_portrait(ayumi, faced):
    answer = ayumi.client.get(reverse("exports:udonarium", args=[faced.pk]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        root = ElementTree.fromstring(archive.read("data.xml"))
        named = [data.text for data in root.findall(".//data[@name='imageIdentifier']")]
        assert named[0] + ".png" in archive.namelist()
        contents = [archive.read(f"{name}.webp") for name in named[1:]]
    # Both were painted alike, and a zip has one picture once.
    assert contents == [bytes(faced.faces.first().picture.content)]
    assert sha256(contents[0]).hexdigest() == named[1]


HTTPS = "https://takujo.example"


def piece_of(who, sheet):
    with override_settings(PUBLIC_URL=HTTPS):
        page = who.client.get(sheet.get_absolute_url())
        return page.context["ccfolia"]


def test_faces_are_exported_to_ccfolia_by_address_and_imported_again(ayumi, faced):
    data = json.loads(piece_of(ayumi, faced))["data"]
    assert [face["label"] for face in data["faces"]] == ["@笑顔", "@怒り"]
    address = HTTPS + faced.faces.first().picture.get_absolute_url()
    assert data["faces"][0]["iconUrl"] == address
    found = reader.read_text(json.dumps({"kind": "character", "data": data}), wording("ja"), HTTPS)
    back = exchange.with_own_pictures(found, HTTPS)
    assert [face.label for face in back.sheet.faces] == ["笑顔", "怒り"]
    assert back.faceless == ()


def test_the_ccfolia_piece_of_a_home_server_has_no_faces(ayumi, faced):
    page = ayumi.client.get(faced.get_absolute_url())
    assert "faces" not in json.loads(page.context["ccfolia"])["data"]


@pytest.mark.parametrize(
    "address", ["https://example.com/a.png", "", "deadbeef.png", f"{HTTPS}/pictures/x.webp"]
)
def test_faces_on_other_sites_are_not_imported_and_the_preview_lists_them(ayumi, address):
    data = {"name": "朔", "faces": [{"label": "@笑顔", "iconUrl": address}]}
    text = json.dumps({"kind": "character", "data": data})
    with override_settings(PUBLIC_URL=HTTPS):
        answer = ayumi.client.post(reverse("characters:bring"), {"text": text})
    assert answer.context["sheet"].faces == ()
    assert "@笑顔" in answer.content.decode()


def test_a_guarded_picture_cannot_be_imported_as_a_face(faced):
    picture = faced.faces.first().picture
    Picture.objects.filter(pk=picture.pk).update(guarded=True)
    faces = [{"label": "怒り", "iconUrl": HTTPS + picture.get_absolute_url()}]
    text = json.dumps({"kind": "character", "data": {"name": "朔", "faces": faces}})
    found = reader.read_text(text, wording("ja"), HTTPS)
    assert exchange.with_own_pictures(found, HTTPS).sheet.faces == ()
