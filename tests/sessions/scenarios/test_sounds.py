"""Sounds of scenarios: accepted and dropped ones, their listeners, and the people who learn of them."""

from __future__ import annotations

import struct
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from companion.files import sounds as files
from companion.requests import quotas
from sessions.models import Scenario, ScenarioSound, Seat, Session
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioScene
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db

#: Short tones that FFmpeg wrote, with the word "Kanari" in their tags; and a film of four frames.
FILES = Path(__file__).parent / "files"
TONES = {
    "tone.mp3": ("audio/mpeg", 0.68),
    "tone.ogg": ("audio/ogg", 0.08),
    "tone.opus": ("audio/ogg", 0.61),
    "tone.m4a": ("audio/mp4", 0.65),
    "tone.wav": ("audio/wav", 0.3),
}


@pytest.fixture
def harbour(gm: Somebody) -> Scenario:
    return editing.create_scenario(
        gm.person, Document(title="港", scenes=[ScenarioScene(id="a"), ScenarioScene(id="b")])
    )


def file(name: str, content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (FILES / name).read_bytes() if content is None else content)


def send(who: Client, scenario: Scenario, upload: SimpleUploadedFile | None, of: str = "") -> Any:
    data = {"of": of} | ({"sound": upload} if upload else {})
    return who.post(f"/gm/scenarios/{scenario.pk}/sounds/", data)


def silence(seconds: int) -> bytes:
    """A WAV of eight bits that would last so long; its samples are mostly left out."""
    head = struct.pack("<HHIIHH", 1, 1, 100, 100, 1, 8)
    body = bytes(100 * seconds)
    chunks = b"WAVEfmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


@pytest.mark.parametrize("name", TONES)
def test_an_uploaded_sound_is_stored_without_its_metadata(gm: Somebody, harbour: Scenario, name: str) -> None:
    answer = send(gm.client, harbour, file(name), of="b")
    sound = ScenarioSound.objects.get()
    media_type, seconds = TONES[name]
    assert answer.json() == {"key": sound.key, "name": "tone", "seconds": round(sound.seconds, 1)}
    assert (sound.media_type, round(sound.seconds, 2)) == (media_type, seconds)
    assert b"Kanari" in (FILES / name).read_bytes()
    assert b"Kanari" not in bytes(sound.content)
    assert [scene.sound for scene in editing.document_of(Scenario.objects.get()).scenes] == ["", sound.key]
    assert files.check_sound(bytes(sound.content)).content == bytes(sound.content), "there is no more to drop"


def test_the_audio_data_of_an_uploaded_sound_stays_unchanged() -> None:
    mp3, wav = ((FILES / name).read_bytes() for name in ("tone.mp3", "tone.wav"))
    assert mp3.endswith(files.check_sound(mp3).content)
    samples = wav[wav.index(b"data") + 8 :]
    assert files.check_sound(wav).content.endswith(samples)
    tagged = b"ID3\x04\0\0\0\0\0\x05" + b"Kanar" + mp3 + b"APETAGEXKanari" + b"TAG" + b"Kanari" * 20
    assert files.check_sound(tagged).content == files.check_sound(mp3).content
    m4a = (FILES / "tone.m4a").read_bytes()
    place = m4a.index(b"mdat") - 4
    mdat = m4a[place : place + int.from_bytes(m4a[place : place + 4])]
    assert mdat in files.check_sound(m4a).content


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("film.mp4", None, "映像"),
        ("rain.mp3", (FILES / "film.mp4").read_bytes(), "映像"),
        ("rain.mp3", b"\x1aE\xdf\xa3" + bytes(200), "映像"),
        ("rain.mp3", b"RIFF\0\0\0\0AVI LIST" + bytes(200), "映像"),
        ("rain.mp3", b"<script>alert(1)</script>" * 20, "MP3"),
        ("rain.mp3", b"ID3\x04\0\0\0\0\0\x05Kanar" + b"<script>" * 40, "MP3"),
        ("rain.ogg", (FILES / "tone.ogg").read_bytes()[:-40] + bytes(40), "MP3"),
        ("rain.m4a", (FILES / "tone.m4a").read_bytes()[:900], "MP3"),
        ("rain.wav", silence(3)[:20], "MP3"),
        ("rain.wav", silence(0), "MP3"),
        ("rain.wav", silence(601), "10分"),
        ("rain.wav", silence(1) + bytes(8_000_000), "8 MB"),
        ("rain.mp3", b"", "選んで"),
    ],
)
def test_an_invalid_sound_file_is_refused_with_a_reason(
    gm: Somebody, harbour: Scenario, name: str, content: bytes | None, says: str
) -> None:
    with translation.override("ja"):
        answer = send(gm.client, harbour, file(name, content), of="a")
    assert answer.status_code == 422
    assert says in answer.json()["reason"]
    assert not ScenarioSound.objects.exists()
    assert Scenario.objects.get().version == harbour.version


def test_a_sound_for_a_missing_scene_is_refused(gm: Somebody, harbour: Scenario) -> None:
    for of in ("z", "0"):
        assert send(gm.client, harbour, file("tone.mp3"), of=of).status_code == 422
    assert send(gm.client, harbour, None, of="a").status_code == 422
    assert not ScenarioSound.objects.exists()


def test_only_the_author_of_a_scenario_adds_sounds(
    harbour: Scenario, ayumi: Somebody, seats: list[Seat]
) -> None:
    for client in (ayumi.client, Client()):
        assert send(client, harbour, file("tone.mp3"), of="a").status_code == 404
    assert not ScenarioSound.objects.exists()


def test_sounds_over_the_quota_of_a_person_are_refused(
    gm: Somebody, harbour: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_number, of_bytes = quotas.QUOTAS["play.ScenarioSound"]
    held = len(files.check_sound((FILES / "tone.mp3").read_bytes()).content)
    monkeypatch.setitem(
        quotas.QUOTAS,  # type: ignore[arg-type]
        "play.ScenarioSound",
        [quotas.Quota(of_number.of, 3, "三"), quotas.Weighed(of_bytes.of, 2 * held, "重")],
    )
    json = {"headers": {"Accept": "application/json"}}
    address = f"/gm/scenarios/{harbour.pk}/sounds/"
    for _ in range(2):
        assert gm.client.post(address, {"sound": file("tone.mp3")}, **json).status_code == 200
    full = gm.client.post(address, {"sound": file("tone.mp3")}, **json)
    assert (full.status_code, full.json()) == (422, {"reason": "重"})
    monkeypatch.setattr(quotas.Weighed, "is_full", lambda self, row: False)
    assert gm.client.post(address, {"sound": file("tone.mp3")}, **json).status_code == 200
    assert gm.client.post(address, {"sound": file("tone.mp3")}, **json).json() == {"reason": "三"}


def test_uploads_of_sounds_are_rate_limited(gm: Somebody, harbour: Scenario) -> None:
    for _ in range(editing.UPLOADS.limits[0][0]):
        send(gm.client, harbour, file("tone.mp3", b"?"))
    assert send(gm.client, harbour, file("tone.mp3")).status_code == 422
    assert not ScenarioSound.objects.exists()


def test_a_sound_is_served_whole_or_in_ranges_without_a_seat(harbour: Scenario) -> None:
    sound = editing.keep_sound(harbour, file("tone.mp3"))
    content, stranger, address = bytes(sound.content), Client(), sound.get_absolute_url()
    assert stranger.get(address).content == content
    assert stranger.head(address)["Content-Length"] == str(len(content))
    whole = stranger.get(address, headers={"Accept-Encoding": "gzip"})
    assert whole.content == content
    assert whole["Content-Type"] == "audio/mpeg"
    assert whole["Accept-Ranges"] == "bytes"
    assert whole["X-Content-Type-Options"] == "nosniff"
    assert whole["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert whole["Cache-Control"].startswith("private")
    size = len(content)
    for asked, told, part in [
        ("bytes=0-", f"bytes 0-{size - 1}/{size}", content),
        ("bytes=100-299", f"bytes 100-299/{size}", content[100:300]),
        ("bytes=1000-99999", f"bytes 1000-{size - 1}/{size}", content[1000:]),
        ("bytes=-10", f"bytes {size - 10}-{size - 1}/{size}", content[-10:]),
    ]:
        answer = stranger.get(address, headers={"Range": asked, "Accept-Encoding": "gzip"})
        assert (answer.status_code, answer["Content-Range"], answer.content) == (206, told, part)
    for asked in (f"bytes={size}-", "bytes=9-2", "bytes=-0"):
        answer = stranger.get(address, headers={"Range": asked})
        assert (answer.status_code, answer["Content-Range"]) == (416, f"bytes */{size}")
    for asked in ("bytes=", "bytes=-", "bytes=0-1,5-6", "lines=0-1", "bytes=a-b"):
        assert stranger.get(address, headers={"Range": asked}).status_code == 200
    assert stranger.get(f"/sounds/{'x' * 32}").status_code == 404
    assert stranger.post(address).status_code == 405


def test_sounds_are_deleted_with_their_scenario_and_a_copy_has_its_own(
    gm: Somebody, harbour: Scenario
) -> None:
    key = send(gm.client, harbour, file("tone.mp3"), of="a").json()["key"]
    copied = editing.duplicate(Scenario.objects.get(), gm.person, "写し")
    harbour.delete()
    (sound,) = ScenarioSound.objects.all()
    assert sound.key == editing.document_of(copied).scenes[0].sound != key
    copied.delete()
    assert not ScenarioSound.objects.exists()


def test_a_sound_plays_on_if_the_next_scene_has_the_same_sound(
    harbour: Scenario, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (editing.keep_sound(harbour, file("tone.mp3")).key for _ in range(2))
    for scene, key in [("a", one), ("b", one)]:
        editing.set_media(harbour.pk, scene, "sound", key)
    staging.choose_scenario(session=session, scenario=harbour)

    def since(scene: str, at: float) -> int:
        monkeypatch.setattr(time, "time", lambda: at)
        staging.show_scene(session=session, scene_id=scene)
        return int(Session.objects.get().staged["since"])

    assert since("a", 1000.0) == 1_000_000
    assert since("b", 1060.0) == 1_000_000
    editing.set_media(harbour.pk, "a", "sound", two)
    assert since("a", 1070.0) == 1_070_000
    staging.clear_stage(session=session)
    assert since("b", 1080.0) == 1_080_000


@pytest.mark.parametrize("where", ["lobby", "table", "face", "face of a table"])
def test_every_page_of_the_session_has_the_sound_of_the_shown_scene(
    gm: Somebody,
    harbour: Scenario,
    session: Session,
    seats: list[Seat],
    ayumi: Somebody,
    where: str,
    request: pytest.FixtureRequest,
) -> None:
    sound = editing.keep_sound(harbour, file("tone.mp3"))
    editing.set_media(harbour.pk, "a", "sound", sound.key)
    editing.write(harbour.pk, "a", "ambience", "rain", "")
    staging.choose_scenario(session=session, scenario=harbour)
    address = session.get_absolute_url()
    if "table" in where:
        address = request.getfixturevalue("table").get_absolute_url()
    if "face" in where:
        address = f"/face/{session.face_key}/"
    screens = [(Client(), address)] if "face" in where else [(ayumi.client, address), (gm.client, address)]

    def said(client: Client, address: str) -> str:
        page = client.get(address).content.decode()
        return " ".join(page.partition('<div id="sound"')[2].partition(">")[0].split())

    for client, page in screens:
        assert 'data-ambience="" data-sound-url="" data-since=""' in said(client, page)
    staging.show_scene(session=session, scene_id="a")
    since = Session.objects.get().staged["since"]
    for client, page in screens:
        expected = f'data-ambience="rain" data-sound-url="{sound.get_absolute_url()}" data-since="{since}"'
        assert expected in said(client, page)
    staging.clear_stage(session=session)
    for client, page in screens:
        assert 'data-ambience="" data-sound-url="" data-since=""' in said(client, page)
