"""The pictures of NPCs: who sees them and from when on, and the lines that the GM speaks as one."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from companion.identity import personal_data
from companion.models import Picture
from sessions.card_table import npcs
from sessions.chat import messages
from sessions.evening import nights
from sessions.live.pages import FacePage, TablePage
from sessions.models import Campaign, LibraryNpc, Message, Role, Seat, Session, Table, TableNpc
from tests.characters.test_faces import SVG
from tests.companion.test_pictures import painted, saved
from tests.conftest import Somebody, _account

pytestmark = pytest.mark.django_db

FIELDS = {"name": "鬼", "rank": 3, "hp_max": 4}


def upload(content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile("a.png", saved(painted(300, 300), "PNG") if content is None else content)


def written(who: Somebody, address: str = "/gm/npcs/new/", **more: object) -> Any:
    return who.client.post(address, FIELDS | more)


def say(seat: Seat, text: str, speaker: str, **more: Any) -> Message:
    draft = messages.MessageDraft(uuid.uuid4(), more.pop("tab", "main"), text, speaker=speaker, **more)
    return messages.send(seat=seat, draft=draft)


@pytest.fixture
def ogre(gm: Somebody, session: Session) -> LibraryNpc:
    assert written(gm, picture=upload(), campaign=session.campaign_id).status_code == 302
    return LibraryNpc.objects.select_related("picture").get()


@pytest.fixture
def desk(session: Session) -> Seat:
    return session.seats.get(role=Role.GM)


def key_of(npc: LibraryNpc) -> str:
    npc.refresh_from_db()
    assert npc.picture
    return npc.picture.key


def sees(client: Client, address: str, npc: LibraryNpc) -> bool:
    return key_of(npc) in client.get(address).content.decode()


# --- the library ----------------------------------------------------------------------------------------


def test_a_gm_adds_replaces_and_removes_an_npcs_picture(gm: Somebody, ogre: LibraryNpc) -> None:
    address = f"/gm/npcs/{ogre.pk}/"
    assert ogre.picture
    assert (ogre.picture.width, ogre.picture.height) == (225, 300)
    assert sees(gm.client, address, ogre)
    assert sees(gm.client, "/gm/npcs/", ogre)
    before = key_of(ogre)
    written(gm, address, notes="弱点は火")
    assert key_of(ogre) == before, "what is not spoken of stays"
    written(gm, address, picture=upload())
    assert key_of(ogre) != before
    assert Picture.objects.count() == 1
    written(gm, address, without="on")
    assert not Picture.objects.exists()


@pytest.mark.parametrize("content", [SVG, b"\x89PNG\r\n\x1a\n"], ids=["svg", "broken"])
def test_an_npc_with_an_invalid_picture_is_not_saved(gm: Somebody, content: bytes) -> None:
    assert written(gm, picture=upload(content)).status_code == 422
    assert not LibraryNpc.objects.exists()
    assert not Picture.objects.exists()


def test_npc_picture_uploads_are_rate_limited(gm: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    never = type("Never", (), {"count": lambda *_: False})()
    monkeypatch.setattr("companion.files.gallery.UPLOADS", never)
    assert written(gm, picture=upload()).status_code == 422
    assert not Picture.objects.exists()


def test_a_copied_npc_keeps_its_picture_when_the_original_is_deleted(gm: Somebody, ogre: LibraryNpc) -> None:
    gm.client.post(f"/gm/npcs/{ogre.pk}/copy/")
    copy = LibraryNpc.objects.exclude(pk=ogre.pk).get()
    assert key_of(copy) != key_of(ogre)
    gm.client.post(f"/gm/npcs/{ogre.pk}/delete/")
    assert Picture.objects.get().key == key_of(copy)


def test_an_heir_gets_the_pictures_of_a_campaigns_npcs(gm: Somebody, ogre: LibraryNpc) -> None:
    heir = _account("heir", "次のGM")
    assert personal_data.export_documents(gm.person)["npcs.json"][0]["picture"]
    personal_data.delete_belongings(gm.person, {f"campaign-{ogre.campaign_id}": heir.person})
    ogre.refresh_from_db()
    assert ogre.owner == heir.person
    assert ogre.picture
    assert ogre.picture.owner == heir.person


def test_npc_pictures_without_an_heir_are_deleted_with_the_gm(gm: Somebody, ogre: LibraryNpc) -> None:
    personal_data.delete_belongings(gm.person, {})
    assert not Picture.objects.exists()


# --- at the table ---------------------------------------------------------------------------------------


def test_an_npcs_picture_is_shown_only_once_the_npc_is_at_the_table(
    session: Session, table: Table, gm: Somebody, ayumi: Somebody, ogre: LibraryNpc
) -> None:
    pages = [
        (gm.client, table.get_absolute_url()),
        (ayumi.client, table.get_absolute_url()),
        (Client(), f"/face/{session.face_key}/"),
    ]
    assert [sees(*page, ogre) for page in pages] == [False] * 3
    npcs.spawn_library(table_pk=table.pk, library=ogre, count=1)
    table_page = [(gm.client, table.get_absolute_url()), (Client(), f"/face/{session.face_key}/")]
    assert all(sees(*page, ogre) for page in table_page)
    drawn = TablePage(ayumi.person, table.pk, "http://takujo.test").render_all().regions["figures"]
    assert key_of(ogre) in drawn


def test_an_npc_with_a_reused_id_does_not_get_the_earlier_npcs_picture(
    table: Table, gm: Somebody, ogre: LibraryNpc
) -> None:
    TableNpc.objects.create(table=table, npc="n1", name="鬼", library=ogre)
    npcs.spawn(table_pk=table.pk, rank=3, name="村人", hidden=False)
    page = gm.client.get(table.get_absolute_url()).content.decode()
    assert "村人" in page
    assert key_of(ogre) not in page


def test_a_new_picture_of_an_npc_shows_at_the_table_at_once(
    session: Session, table: Table, gm: Somebody, ogre: LibraryNpc
) -> None:
    npcs.spawn_library(table_pk=table.pk, library=ogre, count=1)
    assert sees(gm.client, table.get_absolute_url(), ogre)
    written(gm, f"/gm/npcs/{ogre.pk}/", picture=upload(), campaign=session.campaign_id)
    assert sees(gm.client, table.get_absolute_url(), ogre)


# --- speaking -------------------------------------------------------------------------------------------


def test_the_gm_speaks_as_an_npc_with_its_face(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, desk: Seat, ogre: LibraryNpc
) -> None:
    chat = f"/s/{session.pk}/chat/"
    assert '<option value="鬼">' in gm.client.get(chat).content.decode()
    page = ayumi.client.get(chat).content.decode()
    assert "鬼" not in page
    assert not sees(ayumi.client, chat, ogre)
    assert say(desk, "喰うぞ", "鬼").npc == ogre
    assert sees(ayumi.client, chat, ogre)
    html = FacePage(session.face_key, "http://takujo.test").render_parts(["speaker"]).regions["speaker"]
    assert re.search(rf"/pictures/{key_of(ogre)}\.webp.*<b>鬼</b>", html, re.DOTALL)


def test_each_npc_of_a_group_speaks_with_the_face_of_its_library_npc(
    table: Table, desk: Seat, ogre: LibraryNpc
) -> None:
    npcs.spawn_library(table_pk=table.pk, library=ogre, count=2)
    assert say(desk, "喰うぞ", "鬼B").npc == ogre
    assert say(desk, "だれだ", "鬼C").npc is None
    assert say(desk, "さて", "").npc is None


def test_a_seat_does_not_speak_as_another_persons_npc(
    seats: list[Seat], desk: Seat, ogre: LibraryNpc
) -> None:
    assert say(seats[0], "喰うぞ", "鬼").npc is None
    stranger = _account("other", "別のGM").person
    LibraryNpc.objects.create(owner=stranger, name="蛇", rank=2)
    assert say(desk, "しゅー", "蛇").npc is None


def test_an_npcs_face_in_a_whisper_is_shown_to_its_recipient_only(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody, desk: Seat, ogre: LibraryNpc
) -> None:
    say(desk, "おまえだけに", "鬼", tab="whisper", to=[str(seats[0].pk)])
    whispers = f"/s/{session.pk}/chat/?tab=whisper"
    assert sees(ayumi.client, whispers, ogre)
    assert not sees(bo.client, whispers, ogre)


def test_a_campaign_file_carries_npc_pictures_and_lines_spoken_as_npcs(
    session: Session, seats: list[Seat], gm: Somebody, desk: Seat, ogre: LibraryNpc
) -> None:
    say(desk, "喰うぞ", "鬼")
    nights.close_session(session=session)
    out = gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").content
    other = _account("other", "別のGM")
    content = SimpleUploadedFile("any.zip", out)
    assert other.client.post("/gm/campaigns/bring/", {"file": content}).status_code == 302
    copy = Campaign.objects.exclude(pk=session.campaign_id).get()
    npc = LibraryNpc.objects.get(campaign=copy)
    assert npc.picture
    assert npc.picture.owner == other.person
    assert Message.objects.get(session__campaign=copy).npc == npc
