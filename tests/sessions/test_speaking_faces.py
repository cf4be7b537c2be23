"""The faces of lines: who chooses one, who sees it, and how long the table's face shows who speaks."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from characters.models import Character, FacePicture
from characters.services import exchange, faces
from companion.identity import personal_data
from companion.models import Picture
from sessions.archive import campaign_file as form
from sessions.chat import messages
from sessions.evening import nights
from sessions.evening.refusals import Refused
from sessions.live.pages import FacePage, LobbyPage
from sessions.models import Campaign, Message, Role, Seat, Session, Table
from tests.companion.test_pictures import painted, saved
from tests.conftest import Somebody, _account
from tests.evening import sit
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db

ORIGIN = "http://takujo.test"


@pytest.fixture
def saki(bo: Somebody, seats: list[Seat]) -> Character:
    sheet = Character.objects.create(owner=bo.person, name="サキ", hp_max=5, hp=4, suits="h", status="done")
    for label in ("笑顔", "怒り"):
        faces.add_face(character=sheet, label=label, sent=saved(painted(30, 40), "PNG"))
    nights.bring_character(seat=seats[1], character=sheet)
    seats[1].refresh_from_db()
    return sheet


def face_of(character: Character, label: str) -> FacePicture:
    return character.faces.get(label=label)


def say(seat: Seat, text: str, tab: str = "main", **more: object) -> Message:
    wanted = {"speaker": "character", **more}
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab=tab, text=text, **wanted)  # type: ignore[arg-type]
    return messages.send(seat=Seat.objects.get(pk=seat.pk), draft=draft)


def drawn(who: Somebody, session: Session, *names: str) -> str:
    parts = LobbyPage(who.person, session.pk, ORIGIN).render_parts(names).regions
    return "".join(parts[name] for name in names)


def on_the_face(session: Session) -> str:
    return FacePage(session.face_key, ORIGIN).render_parts(["speaker"]).regions["speaker"]


def keys(html: str) -> list[str]:
    return re.findall(r"/pictures/([\w-]+)\.webp", html)


# --- choosing -------------------------------------------------------------------------------------------


def test_a_chat_line_shows_the_face_that_the_player_tapped(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody
) -> None:
    anger = face_of(saki, "怒り")
    line = say(seats[1], "知らない！", face=str(anger.pk))
    assert (line.character, line.face) == (saki, anger)
    html = drawn(ayumi, session, "chat_main")
    assert keys(html) == [anger.picture.key]
    assert 'alt="怒り"' in html


def test_a_label_at_the_end_of_a_line_chooses_the_face_and_is_removed(
    seats: list[Seat], saki: Character
) -> None:
    smile = face_of(saki, "笑顔")
    line = say(seats[1], "やっぱり！@怒り", face=str(smile.pk))
    assert (line.text, line.face) == ("やっぱり！", face_of(saki, "怒り"))
    assert say(seats[1], "a@b.c").text == "a@b.c"
    with pytest.raises(Refused, match="nothing_written"):
        say(seats[1], "@怒り")


def test_a_chat_line_takes_only_faces_of_its_own_character(seats: list[Seat], saki: Character) -> None:
    other = exchange.copy_character(character=saki, name="他人")
    line = say(seats[1], "a", face=str(other.faces.get(label="怒り").pk))
    assert (line.character, line.face) == (saki, None)
    assert say(seats[1], "a", face="笑").face is None
    as_oneself = say(seats[1], "a@怒り", speaker="seat", face=str(face_of(saki, "怒り").pk))
    assert (as_oneself.character, as_oneself.face, as_oneself.text) == (None, None, "a@怒り")
    desk = seats[1].session.seats.get(role=Role.GM)
    assert say(desk, "a", face=str(face_of(saki, "怒り").pk)).face is None


def test_a_chat_line_without_a_chosen_face_shows_the_portrait(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody
) -> None:
    say(seats[1], "a")
    assert "emblems.svg" in drawn(ayumi, session, "chat_main")
    faces.set_portrait(character=saki, sent=saved(painted(30, 40), "PNG"))
    saki.refresh_from_db()
    assert keys(drawn(ayumi, session, "chat_main")) == [saki.portrait.key]


def test_the_face_used_last_stays_chosen(
    session: Session, seats: list[Seat], saki: Character, bo: Somebody
) -> None:
    def chosen() -> str:
        [tag] = [tag for tag in re.findall(r'<input type="radio"[^>]*>', desk()) if " checked" in tag]
        return re.search(r'value="(\d*)"', tag)[1]  # type: ignore[index]

    def desk() -> str:
        return drawn(bo, session, "chat_with")

    assert chosen() == ""
    say(seats[1], "a", face=str(face_of(saki, "怒り").pk))
    assert chosen() == str(face_of(saki, "怒り").pk)
    say(seats[1], "a@笑顔")
    say(seats[1], "ぼくの話", speaker="seat")
    assert chosen() == str(face_of(saki, "笑顔").pk)
    say(seats[1], "a")
    assert chosen() == ""


# --- who sees what --------------------------------------------------------------------------------------


def test_faces_not_yet_spoken_with_are_sent_to_their_player_only(
    session: Session,
    seats: list[Seat],
    table: Table,
    saki: Character,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    say(seats[1], "a", face=str(face_of(saki, "怒り").pk))
    secret = face_of(saki, "笑顔").picture.key
    where = (session.get_absolute_url(), table.get_absolute_url(), f"/s/{session.pk}/chat/")
    for address in where:
        assert secret in bo.client.get(address).content.decode(), address
        for other in (gm, ayumi):
            page = other.client.get(address).content.decode()
            assert secret not in page, address
            assert face_of(saki, "怒り").picture.key in page, address
    assert secret not in Client().get(f"/face/{session.face_key}/").content.decode()


def test_the_face_of_a_whisper_is_shown_to_its_recipient_only(
    session: Session, seats: list[Seat], saki: Character, gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    watcher = sit(session, kei.person, Role.SPECTATOR)
    assert watcher
    every = ("chat_main", "chat_info", "chat_other", "chat_whisper", "chat_with")

    def seen() -> tuple[str, ...]:
        return (*(drawn(who, session, *every) for who in (gm, kei)), on_the_face(session))

    before = seen()
    say(seats[1], "ないしょ", "whisper", to=[str(seats[0].pk)], face=str(face_of(saki, "怒り").pk))
    assert keys(drawn(ayumi, session, "chat_whisper")) == [face_of(saki, "怒り").picture.key]
    assert seen() == before
    say(seats[1], "ないしょ@笑顔", "whisper", to=[str(seats[0].pk)])
    assert seen() == before


@pytest.mark.django_db(transaction=True)
async def test_a_whisper_with_a_face_sends_nothing_to_other_seats(
    server: ThreadServer,
    table: Table,
    seats: list[Seat],
    saki: Character,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    anger = await database_sync_to_async(lambda: face_of(saki, "怒り").pk)()
    path, face = f"/ws/tables/{table.pk}/", f"/ws/faces/{table.session.face_key}/"
    async with (
        phone(server, gm, path) as desk,
        phone(server, None, face) as tv,
        phone(server, ayumi, path) as meant,
    ):
        for device, last in ((desk, "#chat_with"), (tv, "#speaker"), (meant, "#chat_with")):
            await device.until_shown(last)  # what every page is sent as it comes
            await device.pong()
            device.bytes = ""
        whisper = {"to": [str(seats[0].pk)], "face": str(anger)}
        await database_sync_to_async(lambda: say(seats[1], "ないしょ", "whisper", **whisper))()
        await meant.until_shown("ないしょ")
        await database_sync_to_async(lambda: say(seats[1], "みんなへ"))()
        for device in (desk, tv):
            await device.until_shown("みんなへ")
            assert not re.search(r"/pictures/|#chat_whisper|#chat_with", device.bytes)


def test_a_deleted_line_has_no_face(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody
) -> None:
    line = say(seats[1], "a", face=str(face_of(saki, "怒り").pk))
    messages.delete(message=line)
    assert "portrait" not in drawn(ayumi, session, "chat_main")
    line.refresh_from_db()
    assert (line.character, line.face) == (None, None)


def test_lines_spoken_with_a_removed_face_show_the_usual_one(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody
) -> None:
    say(seats[1], "a", face=str(face_of(saki, "怒り").pk))
    faces.remove_face(character=saki, face_pk=face_of(saki, "怒り").pk)
    html = drawn(ayumi, session, "chat_main")
    assert keys(html) == []
    assert "emblems.svg" in html


def test_faces_are_deleted_with_their_owners_personal_data(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody, bo: Somebody
) -> None:
    say(seats[1], "a", face=str(face_of(saki, "怒り").pk))
    personal_data.delete_belongings(bo.person, {})
    assert not FacePicture.objects.exists()
    assert not Picture.objects.exists()
    assert "portrait" not in drawn(ayumi, session, "chat_main")


# --- the table's face -----------------------------------------------------------------------------------


def test_the_table_face_shows_a_speaker_for_as_long_as_reading_takes(
    session: Session, seats: list[Seat], saki: Character
) -> None:
    assert "speaker-" not in on_the_face(session)
    line = say(seats[1], "知らない！", face=str(face_of(saki, "怒り").pk))
    html = on_the_face(session)
    assert keys(html) == [face_of(saki, "怒り").picture.key]
    assert "知らない！" in html
    assert 'data-stays="6"' in html
    Message.objects.filter(pk=line.pk).update(sent_at=timezone.now() - timedelta(seconds=7))
    assert "speaker-" not in on_the_face(session)
    say(seats[1], "あ" * 500)
    assert 'data-stays="10"' in on_the_face(session)


@pytest.mark.parametrize("tab", ["info", "other"])
def test_the_table_face_shows_no_lines_of_other_chat_tabs(
    session: Session, seats: list[Seat], saki: Character, tab: str
) -> None:
    say(seats[1], "ちょっと休憩", tab)
    assert "speaker-" not in on_the_face(session)


def test_a_line_of_a_player_without_a_face_shows_an_emblem(session: Session, seats: list[Seat]) -> None:
    say(seats[0], "こんばんは")
    assert "emblems.svg#mask" in on_the_face(session)


def test_the_table_face_page_shows_the_speaker_with_and_without_a_table(
    session: Session, seats: list[Seat], saki: Character, request: pytest.FixtureRequest
) -> None:
    say(seats[1], "知らない！", face=str(face_of(saki, "怒り").pk))
    for _ in range(2):
        page = Client().get(f"/face/{session.face_key}/").content.decode()
        assert "知らない！" in page
        assert "css/speaker" in page
        request.getfixturevalue("table")


def test_the_table_face_of_an_ended_session_shows_no_speaker(
    session: Session, seats: list[Seat], saki: Character
) -> None:
    say(seats[1], "またね")
    nights.close_session(session=session)
    assert "speaker-" not in on_the_face(session)


# --- campaign files -------------------------------------------------------------------------------------


def test_a_campaign_file_carries_only_faces_that_were_spoken_with(
    session: Session, seats: list[Seat], saki: Character, gm: Somebody
) -> None:
    say(seats[1], "知らない！", face=str(face_of(saki, "怒り").pk))
    say(seats[1], "ふつうに")
    nights.close_session(session=session)
    out = gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").content
    [hero] = form.read(out).whole.characters
    assert [face["label"] for face in hero.sheet["faces"]] == ["怒り"], (
        "the other is still its player's secret"
    )
    other = _account("other", "別のGM")
    answer = other.client.post("/gm/campaigns/bring/", {"file": SimpleUploadedFile("any.zip", out)})
    assert answer.status_code == 302
    copy = Campaign.objects.exclude(pk=session.campaign_id).get()
    lines = list(Message.objects.filter(session__campaign=copy))
    assert [(line.spoken_as, line.face and line.face.label) for line in lines] == [
        ("サキ", "怒り"),
        ("サキ", None),
    ]
    assert {line.character.pk for line in lines if line.character} != {saki.pk}
    assert {line.face.character for line in lines if line.face} == {lines[0].character}


def test_a_campaign_file_lists_faces_that_are_too_large_for_it(
    session: Session, seats: list[Seat], saki: Character, gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.archive.campaign_export.FACE_BYTES_AT_MOST", 10)
    say(seats[1], "知らない！", face=str(face_of(saki, "怒り").pk))
    nights.close_session(session=session)
    whole = form.read(gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").content).whole
    assert [(one.title, one.why) for one in whole.left_out] == [("サキ @怒り", "heavy")]
    assert whole.nights[0].messages[0].face == ""


def test_a_campaign_file_with_an_unknown_face_is_not_imported(
    session: Session, seats: list[Seat], saki: Character, gm: Somebody
) -> None:
    say(seats[1], "知らない！", face=str(face_of(saki, "怒り").pk))
    nights.close_session(session=session)
    file = form.read(gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").content)
    file.whole.nights[0].messages[0].face = "驚き"
    content = SimpleUploadedFile("any.zip", form.encode_campaign(file))
    other = _account("other", "別のGM")
    assert other.client.post("/gm/campaigns/bring/", {"file": content}).status_code == 422
    assert Campaign.objects.count() == 1
