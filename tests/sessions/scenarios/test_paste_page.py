"""The page on which a scenario is pasted: first a preview, and nothing kept before its author says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from companion.models import Picture
from sessions.models import Scenario, ScenarioPicture
from sessions.scenarios.editing import document_of
from tests.conftest import Somebody
from tests.sessions.scenarios.rooms import room

pytestmark = pytest.mark.django_db

PAGE = "/gm/scenarios/paste/"
HARBOUR = (Path(__file__).with_name("texts") / "harbour.ja.md").read_text()


def sent(who: Somebody, text: str = "", content: bytes | None = None, keep: str = "") -> Any:
    form: dict[str, Any] = {"text": text} | ({"keep": keep} if keep else {})
    if content is not None:
        form["file"] = SimpleUploadedFile("any", content)
    return who.client.post(PAGE, form)


def test_the_preview_of_a_pasted_scenario_stores_nothing(gm: Somebody) -> None:
    page = sent(gm, HARBOUR)
    shown = page.content.decode()
    assert page.status_code == 200
    assert all(title in shown for title in ("灯の消えた港", "シーン1：桟橋", "シーン2：灯台"))
    assert Scenario.objects.count() == 0


def test_the_preview_marks_the_parts_that_players_will_read(gm: Somebody) -> None:
    text = "雨の駅\n概要：駅の話。\n\n■導入\n□描写\n誰もいない。\n□KP情報\n駅員の仕業。\n"
    text += "■HO1：医師\n医師だ。\n■HO1の秘密\n殺した。"
    _, read = sent(gm, text).content.decode().split('id="read"')
    shown = re.findall(r'<div class="for-players">(.*?)</div>', read, re.DOTALL)
    for part, words in zip(shown, ["駅の話。", "誰もいない。", "医師だ。"], strict=True):
        assert "プレイヤーに見える" in part
        assert words in part
    assert "仕業" not in read
    assert "殺した" not in read
    assert "書かれていません" in read


def test_a_previewed_scenario_is_stored_on_confirmation(gm: Somebody) -> None:
    shown = sent(gm, HARBOUR)
    kept = sent(gm, HARBOUR, keep=shown.context["fingerprint"])
    (scenario,) = Scenario.objects.all()
    assert kept.status_code == 302
    assert (scenario.owner, scenario.title, scenario.version) == (gm.person, "灯の消えた港", 1)
    assert len(document_of(scenario).scenes) == 3


def test_a_text_changed_after_its_preview_is_previewed_again(gm: Somebody) -> None:
    shown = sent(gm, HARBOUR)
    again = sent(gm, HARBOUR + "\nまだ続く。", keep=shown.context["fingerprint"])
    assert again.status_code == 200
    assert Scenario.objects.count() == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
def test_files_in_japanese_encodings_are_read(gm: Somebody, encoding: str) -> None:
    page = sent(gm, content=HARBOUR.encode(encoding))
    assert page.context["draft"].document.title == "灯の消えた港"


def test_a_ccfolia_room_is_stored_with_its_pictures(gm: Somebody) -> None:
    content = room()
    shown = sent(gm, content=content)
    assert (Scenario.objects.count(), Picture.objects.count()) == (0, 0)
    kept = gm.client.post(
        PAGE,
        {"text": "", "keep": shown.context["fingerprint"], "file": SimpleUploadedFile("a.zip", content)},
        follow=True,
    )
    (scenario,) = Scenario.objects.all()
    document = document_of(scenario)
    first, second, _ = document.scenes
    pictures = {row.picture.key for row in ScenarioPicture.objects.filter(scenario=scenario)}
    assert {document.picture, first.picture, first.npcs[0].picture, first.cut_ins[0].picture} == pictures
    assert second.picture == "", "this one could not be read"
    assert [str(message.level_tag) for message in kept.context["messages"]] == ["success", "warning"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"\x81", b"a\0b", b"PK\x03\x04", b"x" * 800_001, "霧".encode() * 200_001],
)
def test_a_bad_file_is_refused_with_a_reason_and_stores_no_scenario(gm: Somebody, content: bytes) -> None:
    page = sent(gm, content=content, keep="x")
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert Scenario.objects.count() == 0


def test_a_pasted_text_or_file_over_the_size_limit_is_refused(gm: Somebody) -> None:
    assert sent(gm, "x" * 300_000).status_code == 422
    assert sent(gm, content=b"PK\x03\x04" + b"x" * 8_000_000).status_code == 422


def test_the_paste_page_sends_a_visitor_to_sign_in() -> None:
    assert "/account/sign-in/" in Client().post(PAGE, {"text": HARBOUR})["Location"]
    assert Scenario.objects.count() == 0


def test_the_preview_shows_the_words_that_players_read_when_they_are_used(gm: Somebody) -> None:
    text = (
        "シーン1：港\n秘密判定「足跡に気づく」（難易度2）\n敵：番犬×2\nカットイン「灯が消えた」\nBGM：波の音"
    )
    _, read = sent(gm, text).content.decode().split('id="read"')
    [shown] = re.findall(r'<div class="for-players">(.*?)</div>', read, re.DOTALL)
    lines = [
        " ".join(re.sub(r"<[^>]*>", "", line).split())
        for line in re.findall(r"<li>.*?</li>", shown, re.DOTALL)
    ]
    assert lines == ["足跡に気づく 秘密判定 · 難易度 2", "番犬 ランク1 × 2", "灯が消えた カットイン"]
    assert "「BGM：波の音」（1行）は、メモに残しました。" in read
