"""The page on which a scenario is written: it keeps the author's text, and refuses other people."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from companion.models import Picture
from sessions.models import Campaign, Handout, PreparedCheck, Scenario, ScenarioRevision, SceneNote, Session
from sessions.scenarios import editing
from sessions.scenarios.document import SCENES_AT_MOST, THINGS_AT_MOST, Document, ScenarioScene
from tests.conftest import Somebody
from tests.sessions.test_scenery import sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(gm: Somebody) -> Scenario:
    return editing.create_scenario(
        gm.person,
        Document(title="灯の消えた港", scenes=[ScenarioScene(id="pier"), ScenarioScene(id="store")]),
    )


def write(who: Somebody, pk: int, of: str, field: str, value: Any, was: Any) -> Any:
    said = json.dumps({"of": of, "field": field, "value": value, "was": was})
    return who.client.post(f"/gm/scenarios/{pk}/write/", said, "application/json")


def now(scenario: Scenario) -> Document:
    scenario.refresh_from_db()
    return editing.document_of(scenario)


def test_a_scenario_begins_with_one_scene_and_is_listed(gm: Somebody) -> None:
    address = gm.client.post("/gm/scenarios/new/")["Location"]
    page = gm.client.get(address)
    assert page.status_code == 200
    assert len(now(Scenario.objects.get()).scenes) == 1
    assert address in gm.client.get("/gm/scenarios/").content.decode()


def test_typed_text_of_a_scenario_is_saved(gm: Somebody, harbour: Scenario) -> None:
    answer = write(gm, harbour.pk, "pier", "title", " 桟橋 ", "")
    assert answer.json() == {"value": "桟橋"}
    assert now(harbour).scenes[0].title == "桟橋"
    write(gm, harbour.pk, "0", "title", "灯の消えた町", "灯の消えた港")
    harbour.refresh_from_db()
    assert str(harbour) == "灯の消えた町"


def test_a_conflicting_edit_is_refused_with_the_stored_value(gm: Somebody, harbour: Scenario) -> None:
    write(gm, harbour.pk, "pier", "notes", "嘘をつく", "")
    answer = write(gm, harbour.pk, "pier", "notes", "本当を言う", "")
    assert answer.status_code == 409
    assert answer.json()["now"] == "嘘をつく"
    assert now(harbour).scenes[0].notes == "嘘をつく"
    assert write(gm, harbour.pk, "pier", "notes", "本当を言う", "嘘をつく").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"of": "pier"}',
        b'{"of": "pier", "field": "title", "value": {"a": 1}, "was": ""}',
        b'{"of": "pier", "field": "title", "value": 1, "was": ""}',
        b'{"of": "pier", "field": "checks", "value": [], "was": []}',
        b'{"of": "none", "field": "title", "value": "x", "was": ""}',
        b'{"of": "pier", "field": "title", "value": "' + b"x" * 61 + b'", "was": ""}',
        b"[" * 5000,
    ],
)
def test_an_invalid_edit_of_a_scenario_changes_nothing(gm: Somebody, harbour: Scenario, body: bytes) -> None:
    before = now(harbour)
    answer = gm.client.post(f"/gm/scenarios/{harbour.pk}/write/", body, "application/json")
    assert answer.status_code in (409, 422)
    assert answer.json()["reason"]
    assert now(harbour) == before


def test_checks_and_scenes_are_added_moved_and_removed(gm: Somebody, harbour: Scenario) -> None:
    base = f"/gm/scenarios/{harbour.pk}"
    address = gm.client.post(f"{base}/pier/add/checks/")["Location"]
    [check] = now(harbour).scenes[0].checks
    assert address.endswith(f"#thing-{check.id}")
    gm.client.post(f"{base}/store/move/", {"up": "1"})
    assert [scene.id for scene in now(harbour).scenes] == ["store", "pier"]
    gm.client.post(f"{base}/pier/remove/")
    assert [scene.id for scene in now(harbour).scenes] == ["store"]
    for wrong in ("nobody/remove/", "nobody/move/", "pier/add/checks/", "store/add/nothing/"):
        assert gm.client.post(f"{base}/{wrong}", follow=True).status_code == 200
    assert [scene.id for scene in now(harbour).scenes] == ["store"]


def test_a_removed_scene_is_restored_from_an_earlier_version(gm: Somebody, harbour: Scenario) -> None:
    gm.client.post(f"/gm/scenarios/{harbour.pk}/pier/remove/")
    page = gm.client.get(f"/gm/scenarios/{harbour.pk}/versions/")
    assert page.status_code == 200
    version = harbour.revisions.get().version
    gm.client.post(f"/gm/scenarios/{harbour.pk}/versions/{version}/")
    assert [scene.id for scene in now(harbour).scenes] == ["pier", "store"]
    gm.client.post(f"/gm/scenarios/{harbour.pk}/versions/99/", follow=True)
    assert [scene.id for scene in now(harbour).scenes] == ["pier", "store"]


def test_a_picture_of_a_scene_is_stored_and_an_invalid_one_is_refused(
    gm: Somebody, harbour: Scenario
) -> None:
    address = f"/gm/scenarios/{harbour.pk}/pier/picture/"
    gm.client.post(address, {"picture": sent()})
    picture = Picture.objects.get()
    assert now(harbour).scenes[0].picture == picture.key
    assert picture.get_absolute_url() in gm.client.get(f"/gm/scenarios/{harbour.pk}/").content.decode()
    for wrong in (SimpleUploadedFile("map.png", b"none"), SimpleUploadedFile("map.png", b"")):
        told = gm.client.post(address, {"picture": wrong}, follow=True).content.decode()
        assert 'class="messages' in told
        assert now(harbour).scenes[0].picture == picture.key
    gm.client.post(address)
    assert now(harbour).scenes[0].picture == ""


def test_a_copied_scenario_has_its_own_pictures(gm: Somebody, harbour: Scenario) -> None:
    gm.client.post(f"/gm/scenarios/{harbour.pk}/pier/picture/", {"picture": sent()})
    gm.client.post(f"/gm/scenarios/{harbour.pk}/copy/")
    copy = Scenario.objects.exclude(pk=harbour.pk).get()
    assert "灯の消えた港" in copy.title
    own = now(copy).scenes[0].picture
    assert own not in ("", now(harbour).scenes[0].picture)
    gm.client.post(f"/gm/scenarios/{harbour.pk}/delete/")
    assert gm.client.get(Picture.objects.get(key=own).get_absolute_url()).status_code == 200


def test_an_interrupted_copy_of_a_scenario_is_marked_as_incomplete(
    gm: Somebody, harbour: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm.client.post(f"/gm/scenarios/{harbour.pk}/pier/picture/", {"picture": sent()})
    left: list[Scenario] = []
    monkeypatch.setattr(editing, "check_client_waits", lambda: left.append(Scenario.objects.latest("pk")))
    gm.client.post(f"/gm/scenarios/{harbour.pk}/copy/")
    assert [(scenario.title[:3], scenario.document["scenes"]) for scenario in left] == [("未完成", [])]
    copy = Scenario.objects.latest("pk")
    assert "未完成" not in copy.title + now(copy).title


def test_a_session_is_opened_with_a_scenario(gm: Somebody, session: Session, harbour: Scenario) -> None:
    campaign = session.own_campaign
    gm.client.post(f"/gm/scenarios/{harbour.pk}/play/", {"campaign": campaign.pk})
    assert campaign.sessions.latest("pk").stage.scenario == harbour
    gm.client.post(f"/gm/scenarios/{harbour.pk}/play/", {"campaign": ""})
    assert Campaign.objects.latest("pk").name == "灯の消えた港"
    assert gm.client.post(f"/gm/scenarios/{harbour.pk}/play/", {"campaign": "x"}).status_code == 404


def test_prepared_notes_handouts_and_checks_become_a_scenario(gm: Somebody, session: Session) -> None:
    campaign = session.own_campaign
    for title in ("桟橋", "倉庫"):
        SceneNote.objects.create(campaign=campaign, title=title, text="メモ")
    Handout.objects.create(campaign=campaign, title="海図", secret="隠し扉")
    PreparedCheck.objects.create(campaign=campaign, label="足跡", difficulty=3)
    gm.client.post(f"/gm/campaigns/{campaign.pk}/ready/scenario/")
    document = now(Scenario.objects.get())
    assert [scene.title for scene in document.scenes] == ["桟橋", "倉庫"]
    assert [letter.secret for letter in document.scenes[0].letters] == ["隠し扉"]
    assert [check.difficulty for check in document.scenes[0].checks] == [3]
    assert campaign.scene_notes.count() == 2


def test_only_the_author_opens_and_changes_a_scenario(
    ayumi: Somebody, bo: Somebody, harbour: Scenario
) -> None:
    base = f"/gm/scenarios/{harbour.pk}"
    before = now(harbour)
    for who in (ayumi, bo):
        for address in (f"{base}/", f"{base}/versions/"):
            assert who.client.get(address).status_code in (302, 404)
        for address in ("write/", "play/", "copy/", "delete/", "versions/1/", "pier/move/", "pier/remove/"):
            assert who.client.post(f"{base}/{address}").status_code in (302, 404)
    assert now(harbour) == before
    assert Scenario.objects.count() == 1


def full_document() -> Document:
    """Return a scenario with all the scenes and things that one may have."""
    ids = (f"x{number}" for number in count())
    scenes = []
    for _ in range(SCENES_AT_MOST):
        lists = {
            name: [kind(id=next(ids)) for _ in range(THINGS_AT_MOST)]
            for name, kind in ScenarioScene.parts.items()
        }
        scenes.append(ScenarioScene(id=next(ids), title="場" * 60, **lists))
    return Document(title="題" * 60, notes="覚" * 4_000, scenes=scenes)


def test_the_page_of_a_scenario_filled_to_its_limits_stays_small(gm: Somebody) -> None:
    document = full_document()
    kept = editing.create_scenario(gm.person, document)
    closed = gm.client.get(f"/gm/scenarios/{kept.pk}/").content
    assert len(closed) < 200_000
    assert closed.count("場".encode() * 60) == SCENES_AT_MOST, "each is there to be opened"
    scene = document.scenes[-1]
    check = scene.checks[-1].id
    opened = gm.client.get(f"/gm/scenarios/{kept.pk}/?scene={scene.id}").content
    assert len(opened) < 800_000
    assert f'id="thing-{check}"'.encode() in opened
    assert f'id="thing-{check}"'.encode() not in closed


def test_an_edit_in_a_large_scenario_returns_to_its_scene(gm: Somebody) -> None:
    document = full_document()
    kept = editing.create_scenario(gm.person, document)
    scene = document.scenes[-1]
    moved = gm.client.post(f"/gm/scenarios/{kept.pk}/{scene.checks[3].id}/move/", {"up": "1"})
    assert moved["Location"] == f"/gm/scenarios/{kept.pk}/?scene={scene.id}#thing-{scene.checks[3].id}"
    removed = gm.client.post(f"/gm/scenarios/{kept.pk}/{scene.checks[3].id}/remove/")
    assert removed["Location"] == f"/gm/scenarios/{kept.pk}/?scene={scene.id}#thing-{scene.id}"


def test_adding_and_removing_empty_scenes_keeps_one_version(gm: Somebody) -> None:
    kept = editing.create_scenario(gm.person, Document(notes="覚" * 4_000))
    for _ in range(3):
        editing.remove(kept.pk, editing.add(kept.pk, "0", "scenes").id)
    assert kept.revisions.count() == 1


def test_versions_of_scenarios_over_the_size_limit_are_deleted(
    gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = editing.create_scenario(gm.person, Document(notes="覚" * 4_000))
    kept = editing.create_scenario(gm.person, Document(notes="覚" * 4_000))
    weight = len(json.dumps(kept.document))
    monkeypatch.setattr(editing, "BYTES_AT_MOST", 3 * weight)
    monkeypatch.setattr(editing, "BYTES_OF_A_PERSON", 4 * weight)

    def step(scenario: Scenario) -> None:
        editing.remove(scenario.pk, editing.add(scenario.pk, "0", "scenes", title="港").id)

    for _ in range(5):
        step(other)
    assert other.revisions.count() == 2
    for _ in range(5):
        step(kept)
    assert kept.revisions.count() == 2
    assert ScenarioRevision.objects.count() <= 4
    assert kept.revisions.first() == ScenarioRevision.objects.order_by("-pk").first(), "the oldest went"
