"""Scenarios as files: the export, the import as another person's, and the refusals of both."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.files import Unusable, gallery, pictures
from companion.identity import personal_data
from companion.models import Picture
from companion.requests import quotas
from companion.requests.throttle import cache
from sessions.archive import scenario_file as form
from sessions.models import Scenario, ScenarioSound
from sessions.scenarios import document as documents
from sessions.scenarios import editing
from sessions.scenarios.document import (
    CutIn,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioScene,
)
from tests.companion.test_sound_files import m4a
from tests.conftest import Somebody, _account
from tests.sessions.test_campaign_files import changed, put, rows, zipped

pytestmark = pytest.mark.django_db

BRING = "/gm/scenarios/bring/"
WHOLE = form.WHOLE
FILES_OF_SOUNDS = Path(__file__).parent / "files"


def drawn(colour: str, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (60, 40), colour).save(file, kind)
    return file.getvalue()


def picture(colour: str) -> pictures.EncodedPicture:
    return pictures.rewritten(drawn(colour), pictures.SCENE)


@pytest.fixture
def scenario(gm: Somebody) -> Scenario:
    document = Document(
        title="灯の消えた港",
        picture="cover",
        warns="暗闇\n水",
        scenes=[
            ScenarioScene(
                id="a1", title="桟橋", read="霧が深い。\n灯が消えている。", picture="pier", leads=["b2"]
            ),
            ScenarioScene(
                id="b2",
                title="倉庫",
                checks=[ScenarioCheck(id="c3", label="錠を開ける", difficulty=3, kind="secret")],
                npcs=[ScenarioNpc(id="d4", name="番人", rank=3, picture="guard")],
                letters=[ScenarioHandout(id="e5", title="HO1", secret="あなたが灯を消した。")],
                cut_ins=[CutIn(id="f6", words="灯が！", picture="pier")],
            ),
        ],
    )
    colours = {"cover": "teal", "pier": "navy", "guard": "olive"}
    return editing.create_with_media(gm.person, document, {key: picture(c) for key, c in colours.items()})


@pytest.fixture
def other() -> Somebody:
    return _account("other", "別のGM")


def taken(who: Somebody, scenario: Scenario) -> bytes:
    answer = who.client.get(f"/gm/scenarios/{scenario.pk}/file/")
    assert answer.status_code == 200
    return answer.content


def brought(who: Somebody, content: bytes) -> Any:
    cache.clear()  # of how many files were brought
    return who.client.post(BRING, {"file": SimpleUploadedFile("any.zip", content)})


def said(answer: Any, who: Somebody) -> str:
    return who.client.get(answer.url).content.decode()


def without(content: bytes, member: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return zipped({name: archive.read(name) for name in archive.namelist() if name != member})


def test_an_imported_scenario_is_exported_as_the_same_document(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    out = taken(gm, scenario)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        when = {entry.date_time for entry in archive.infolist()}
    assert when == {(1980, 1, 1, 0, 0, 0)}, "the same scenario is the same file at any time"
    answer = brought(other, out)
    copy = Scenario.objects.get(owner=other.person)
    assert copy.title == "灯の消えた港"
    assert form.read(taken(other, copy)).document == form.read(out).document
    came, went = editing.document_of(copy), editing.document_of(scenario)
    assert came.scenes[1].checks[0].kind == went.scenes[1].checks[0].kind == "secret"
    assert came.scenes[0].leads == [came.scenes[1].id]
    assert "外しました" not in said(answer, other)


@pytest.mark.parametrize(
    ("earlier", "kind"),
    [
        ({}, "check"),
        ({"chain": False, "secret": ""}, "check"),
        ({"chain": True, "secret": ""}, "chain"),
        ({"chain": False, "secret": "gm"}, "secret"),
        ({"chain": False, "secret": "own"}, "secret_own"),
        ({"chain": True, "secret": "gm"}, "secret"),
    ],
)
def test_a_check_in_a_file_of_version_1_keeps_what_it_is(
    gm: Somebody, earlier: dict[str, Any], kind: str
) -> None:
    check = {"id": "2", "label": "気配", "difficulty": 3} | earlier
    document = {"title": "港", "scenes": [{"id": "1", "checks": [check]}]}
    whole = {"format": "takujo.scenario", "version": 1, "document": document}
    brought(gm, zipped({WHOLE: json.dumps(whole).encode()}))
    scenario = Scenario.objects.get()
    assert editing.document_of(scenario).scenes[0].checks[0].kind == kind
    [stored] = scenario.document["scenes"][0]["checks"]
    assert not {"chain", "secret"} & stored.keys(), "it says it once"


def test_a_contest_with_its_sides_is_exported_and_imported(gm: Somebody, other: Somebody) -> None:
    contest = ScenarioCheck(id="c1", label="話を聞かせる", kind="contest", active="澪", passive="岩瀬")
    scene = ScenarioScene(id="a1", checks=[contest])
    brought(other, taken(gm, editing.create_scenario(gm.person, Document(title="駅", scenes=[scene]))))
    [came] = editing.document_of(Scenario.objects.get(owner=other.person)).scenes[0].checks
    assert (came.label, came.kind, came.active, came.passive) == ("話を聞かせる", "contest", "澪", "岩瀬")


def test_a_scenario_file_has_no_picture_keys_and_gets_new_ids_on_import(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    keys = set(Picture.objects.values_list("key", flat=True))
    out = taken(gm, scenario)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        assert not [key for key in keys if key in archive.read(WHOLE).decode() + str(archive.namelist())]
    brought(other, out)
    copy = editing.document_of(Scenario.objects.get(owner=other.person))
    own = set(Picture.objects.filter(owner=other.person).values_list("key", flat=True))
    assert documents.media(copy) == own
    assert len(own) == 3
    assert not {thing.id for thing in documents.things(copy)} & {"a1", "b2", "c3", "d4", "e5", "f6"}


def test_the_key_of_another_persons_picture_is_left_out_on_import(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    theirs = gallery.store_picture(gm.person, picture("red"), guarded=True)
    answer = brought(
        other, changed(taken(gm, scenario), WHOLE, put("document", "scenes", 0, "picture", value=theirs.key))
    )
    copy = editing.document_of(Scenario.objects.get(owner=other.person))
    assert copy.scenes[0].picture == ""
    assert copy.scenes[1].cut_ins[0].picture
    assert "外しました：1 桟橋" in said(answer, other)


def test_another_persons_picture_is_left_out_on_export(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    theirs = gallery.store_picture(other.person, picture("red"), guarded=True)
    scenario.document["scenes"][1]["picture"] = theirs.key
    scenario.save()
    assert form.read(taken(gm, scenario)).left_out == ["2 倉庫"]


def test_a_missing_picture_is_left_out_on_import_and_reported(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    answer = brought(other, without(taken(gm, scenario), "media/m3.webp"))
    copy = editing.document_of(Scenario.objects.get(owner=other.person))
    assert copy.scenes[1].npcs[0].picture == ""
    assert copy.scenes[0].picture
    assert "外しました：2 倉庫" in said(answer, other)


def test_a_picture_over_the_size_limit_of_the_file_is_left_out(
    gm: Somebody, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [len(bytes(one.content)) for one in Picture.objects.filter(owner=gm.person)]
    monkeypatch.setattr(form, "BYTES_OF_PICTURES", sum(sizes) - 1)
    assert form.read(form.encode_scenario(scenario)).left_out == ["2 倉庫"]


def heard(scenario: Scenario, name: str, called: str) -> ScenarioSound:
    """Keep a sound of the tests' files with a scenario."""
    return editing.keep_sound(
        scenario, SimpleUploadedFile(f"{called}.any", (FILES_OF_SOUNDS / name).read_bytes())
    )


def test_sounds_of_a_scenario_are_exported_and_imported(
    gm: Somebody, other: Somebody, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    rain, bell = heard(scenario, "tone.mp3", "雨"), heard(scenario, "tone.wav", "鐘")
    editing.set_media(scenario.pk, "b2", "sound", rain.key)
    scenario.refresh_from_db()
    out = taken(gm, scenario)
    assert rain.key not in (text := zipfile.ZipFile(io.BytesIO(out)).read(WHOLE).decode())
    assert bell.key not in text
    assert "外しました" not in said(brought(other, out), other)
    copy = Scenario.objects.get(owner=other.person)
    kept = {sound.name: sound for sound in copy.sounds.all()}
    assert bytes(kept["雨"].content) == bytes(rain.content)
    assert (kept["鐘"].media_type, bytes(kept["鐘"].content)) == ("audio/wav", bytes(bell.content))
    assert editing.document_of(copy).scenes[1].sound == kept["雨"].key
    assert form.read(taken(other, copy)).left_out == []
    names = [called for called in ("鐘", "雨") if form.read(without(out, member(out, called))).left_out]
    assert names == ["鐘", "雨"]
    monkeypatch.setattr(form, "BYTES_OF_SOUNDS", rain.size)
    assert form.read(form.encode_scenario(scenario)).left_out == ["鐘"]


def member(out: bytes, called: str) -> str:
    """Return the member of a file that has this sound."""
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        names = json.loads(archive.read(WHOLE))["sounds"]
        (name,) = (name for name, said in names.items() if said == called)
        return next(one for one in archive.namelist() if one.startswith(f"media/{name}."))


def test_a_file_with_invalid_sounds_is_not_imported(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    heard(scenario, "tone.wav", "鐘")
    out = taken(gm, scenario)
    place = member(out, "鐘")
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    twice = dict(members) | {"media/m1.wav": members[place]}
    before = rows()
    for what, content in {
        "a film": zipped(members | {place: b"\x1aE\xdf\xa3" + bytes(90)}),
        "half a sound": zipped(members | {place: members[place][:40]}),
        "one name for two": changed(zipped(twice), WHOLE, put("sounds", value={"m1": "鐘"})),
        "many": changed(out, WHOLE, put("sounds", value={f"s{n}": "鐘" for n in range(31)})),
        "no names": changed(out, WHOLE, put("sounds", value=["鐘"])),
    }.items():
        assert brought(other, content).status_code == 422, what
        assert rows() == before, what


def test_an_unsupported_sound_of_an_earlier_version_is_left_out_and_reported(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    heard(scenario, "tone.wav", "鐘")
    out = taken(gm, scenario)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    answer = brought(other, zipped(members | {member(out, "鐘"): m4a(b"alac")}))
    assert "外しました：鐘" in said(answer, other)
    assert not Scenario.objects.get(owner=other.person).sounds.exists()


def test_an_imported_picture_is_encoded_again(gm: Somebody, other: Somebody, scenario: Scenario) -> None:
    with zipfile.ZipFile(io.BytesIO(taken(gm, scenario))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    hidden = b"a message that no picture needs"
    brought(other, zipped(members | {"media/m1.webp": drawn("teal") + hidden}))
    kept = [bytes(one.content) for one in Picture.objects.filter(owner=other.person)]
    assert len(kept) == 3
    assert all(one.startswith(b"RIFF") and hidden not in one for one in kept)


def test_control_characters_are_removed_on_import(gm: Somebody, other: Somebody, scenario: Scenario) -> None:
    def change(part: Any) -> None:
        part["document"]["scenes"][0] |= {"title": "桟\n橋\x1b", "read": "霧\x07\n灯"}

    brought(other, changed(taken(gm, scenario), WHOLE, change))
    scene = editing.document_of(Scenario.objects.get(owner=other.person)).scenes[0]
    assert (scene.title, scene.read) == ("桟 橋", "霧\n灯")


def scenes(count: int) -> list[dict[str, str]]:
    return [{"id": f"s{number}"} for number in range(count)]


def words(scene: int) -> list[dict[str, str]]:
    return [{"id": f"w{scene}x{number}", "words": "鐘" * 40} for number in range(20)]


SCENES = ("document", "scenes")
WRONG: dict[str, Callable[[Any], object]] = {
    "another format": put("format", value="takujo.campaign"),
    "a version of none": put("version", value=0),
    "a version in words": put("version", value="one"),
    "no document": lambda part: part.pop("document"),
    "10,000 scenes": put(*SCENES, value=scenes(10_000)),
    "an id twice": put(*SCENES, 1, "id", value="a1"),
    "an id that is none": put(*SCENES, 0, "id", value="../a"),
    "a title too long": put("document", "title", value="x" * 61),
    "a mood of none": put(*SCENES, 0, "mood", value="casino"),
    "a rank of none": put(*SCENES, 1, "npcs", 0, "rank", value=7),
    "a difficulty of none": put(*SCENES, 1, "checks", 0, "difficulty", value=6),
    "a picture elsewhere": put(*SCENES, 0, "picture", value="https://example.com/a.webp"),
    "NUL": put("document", "title", value="a\0b"),
    "more than a scenario has": put(
        *SCENES,
        value=[
            {"id": f"s{n}", "notes": "x" * 4000, "read": "y" * 4000, "cut_ins": words(n)} for n in range(60)
        ],
    ),
}


def test_an_inconsistent_scenario_file_is_refused_with_a_reason(other: Somebody, scenario: Scenario) -> None:
    # Its own ids, as an author of files would have them.
    whole = {"format": form.FORMAT, "version": 1, "document": scenario.document}
    out = zipped({WHOLE: msgspec.json.encode(whole)})
    before = rows()
    for what, change in WRONG.items():
        answer = brought(other, changed(out, WHOLE, change))
        assert answer.status_code == 422, what
        assert 'role="alert"' in answer.content.decode(), what
        assert rows() == before, what
    assert brought(other, changed(out, WHOLE, lambda part: None)).status_code == 302, "without a change"


def test_a_file_of_a_newer_version_asks_to_update_the_server(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    answer = brought(other, changed(taken(gm, scenario), WHOLE, put("version", value=form.VERSION + 1)))
    assert "先にこちらを更新してください" in answer.content.decode()


LARGE = ("a bomb", "a bomb of pictures", "many", "too large")


def test_zip_bombs_and_invalid_pictures_are_not_imported(other: Somebody) -> None:
    head = b'{"format": "takujo.scenario", "version": 1, "document": {"picture": "m1", "scenes": '
    shown = head + b"[]}}"
    wide = drawn("teal").replace((60).to_bytes(4, "big"), (60_000).to_bytes(4, "big"), 1)
    bombs = {
        "no zip": b"a text",
        "an empty zip": zipped({}),
        "a bomb": zipped({WHOLE: b"[" + b" " * 9_000_000}),
        "a bomb of pictures": zipped({WHOLE: shown, "media/m1.webp": bytes(9_000_000)}),
        "many": zipped({f"media/m{number}.webp": b"" for number in range(600)}),
        "lzma": zipped({WHOLE: shown}, zipfile.ZIP_LZMA),
        "deep": zipped({WHOLE: b'{"format": ' + b"[" * 100_000}),
        "deep inside": zipped({WHOLE: b'{"a": ' + b"[" * 100_000}),
        "a deep document": zipped({WHOLE: head + b"[" * 100_000}),
        "too large": b"PK" + bytes(form.BYTES_AT_MOST),
        "no picture": zipped({WHOLE: shown, "media/m1.webp": b"GIF89a"}),
        "a picture of nothing": zipped({WHOLE: shown, "media/m1.webp": b""}),
        "a picture too wide": zipped({WHOLE: shown, "media/m1.webp": wide}),
    }
    for what, content in bombs.items():
        answer = brought(other, content)
        assert answer.status_code == 422, what
        assert ("大きすぎます" in answer.content.decode()) == (what in LARGE), what
        assert 'role="alert"' in answer.content.decode(), what
    assert not Scenario.objects.exists()
    assert not Picture.objects.exists()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TEXT = st.text(max_size=8).filter(lambda text: "\0" not in text)


def scene(words: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b", "c"])},
        optional={
            "title": words,
            "picture": st.sampled_from(["m1", "m2"]),
            "sound": st.sampled_from(["m1", "s1"]),
            "leads": st.lists(st.sampled_from(["a", "b", "z"])),
            "cut_ins": st.lists(st.fixed_dictionaries({"id": st.just("w"), "words": words}), max_size=1),
        },
    )


def document(words: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    scenes_of = st.lists(scene(words), max_size=3, unique_by=lambda one: one["id"])
    return st.fixed_dictionaries(
        {"scenes": scenes_of}, optional={"title": words, "id": st.sampled_from("0z")}
    )


FILES = st.builds(
    lambda whole, image: zipped({WHOLE: json.dumps(whole).encode(), "media/m1.webp": image}),
    st.fixed_dictionaries(
        {
            "format": st.just(form.FORMAT),
            "version": st.sampled_from([1, 1, 1, 0, 2]),
            "document": document(TEXT) | document(TEXT | JSON),
        }
    ),
    st.sampled_from([drawn("teal", "WEBP"), drawn("teal", "WEBP"), b"RIFF", b""]),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FILES | st.binary(max_size=60))
@example(zipped({WHOLE: b'{"format": "takujo.scenario", "version": 1, "document": {"title": "\\ud800"}}'}))
def test_any_file_is_a_scenario_or_refused_in_words(gm: Somebody, content: bytes) -> None:
    before = Scenario.objects.count(), Picture.objects.count()
    try:
        file = form.read(content)
    except Unusable:
        assert (Scenario.objects.count(), Picture.objects.count()) == before
        return
    scenario = form.import_scenario(file, owner=gm.person)
    kept = editing.document_of(Scenario.objects.get(pk=scenario.pk))
    assert documents.read(msgspec.json.encode(kept)) == kept
    assert documents.media(kept) <= set(Picture.objects.values_list("key", flat=True))
    again = form.read(form.encode_scenario(scenario))
    assert again.left_out == []
    event("a scenario")
    scenario.delete()
    assert Picture.objects.count() == before[1]


def test_a_scenario_over_the_picture_quota_is_not_imported(
    gm: Somebody, other: Somebody, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = taken(gm, scenario)
    monkeypatch.setitem(quotas.QUOTAS, "companion.Picture", [quotas.Quota("owner", 2, "full")])  # type: ignore[arg-type]
    assert brought(other, out).status_code == 422
    assert not Scenario.objects.filter(owner=other.person).exists()
    assert not Picture.objects.filter(owner=other.person).exists()


def test_only_the_owner_exports_a_scenario(
    scenario: Scenario, other: Somebody, bo: Somebody, gm: Somebody
) -> None:
    address = f"/gm/scenarios/{scenario.pk}/file/"
    assert other.client.get(address).status_code == 404
    assert bo.client.get(address).url.startswith("/account/sign-in/")
    assert bo.client.post(BRING).url.startswith("/account/sign-in/")
    answer = gm.client.get(address)
    assert "%E7%81%AF%E3%81%AE%E6%B6%88%E3%81%88%E3%81%9F%E6%B8%AF" in answer["Content-Disposition"]


# --- among what a person has ---------------------------------------------------------------------------


def test_scenarios_are_part_of_their_owners_personal_data(gm: Somebody, scenario: Scenario) -> None:
    assert ("灯の消えた港", "場面2") in [
        (thing.title, thing.note) for thing in personal_data.list_belongings(gm.person)
    ]
    with zipfile.ZipFile(io.BytesIO(personal_data.export_zip(gm.person))) as archive:
        own = json.loads(archive.read("scenario-1.json"))
    assert own["document"]["scenes"][1]["letters"][0]["secret"] == "あなたが灯を消した。"
    assert set(own["pictures"]) == documents.media(editing.document_of(scenario))


def test_scenarios_are_handed_over_with_their_pictures(
    gm: Somebody, other: Somebody, scenario: Scenario
) -> None:
    personal_data.hand_over(gm.person, other.person)
    scenario.refresh_from_db()
    assert scenario.owner == other.person
    assert {kept.picture.owner for kept in scenario.pictures.all()} == {other.person}
    assert form.read(taken(other, scenario)).left_out == []


def test_scenarios_are_erased_with_their_owner(gm: Somebody, other: Somebody, scenario: Scenario) -> None:
    kept = editing.duplicate(scenario, other.person, "写し")
    personal_data.erase(gm.person, {})
    assert list(Scenario.objects.all()) == [kept]
    assert set(Picture.objects.values_list("owner", flat=True)) == {other.person.pk}
    assert form.read(taken(other, kept)).left_out == []


def test_a_deleted_scenario_deletes_only_its_own_pictures(gm: Somebody, scenario: Scenario) -> None:
    mine = gallery.store_picture(gm.person, picture("red"))
    scenario.delete()
    assert list(Picture.objects.all()) == [mine]
