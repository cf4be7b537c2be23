"""Pictures that a GM shows: on handouts, for those who may read them, and of the scene, for everybody."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from companion.files import Unusable
from companion.identity import personal_data
from companion.models import Picture
from companion.requests import quotas
from sessions.archive import campaign_export, campaign_file, campaign_import, erasure
from sessions.evening import handouts, nights
from sessions.models import Handout, HandoutCopy, Role, SceneNote, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db


def sent(kind: str = "PNG", width: int = 40) -> SimpleUploadedFile:
    file = io.BytesIO()
    Image.new("RGB", (width, 30), "teal").save(file, kind)
    return SimpleUploadedFile("map.png", file.getvalue())


def write(who: Somebody, session: Session, kind: str = "handouts", **data: object) -> Any:
    return who.client.post(f"/s/{session.pk}/write/{kind}/", data)


def html(who: Client, address: str) -> str:
    return who.get(address).content.decode()


def pictured(gm: Somebody, session: Session, *seats: Seat, **data: object) -> Handout:
    """A handout with a picture, handed to these seats."""
    said = {"text": "港の地図", "picture": sent(), "to": [seat.pk for seat in seats], "now": "on"}
    assert write(gm, session, **said | data).status_code == 200
    return Handout.objects.latest("pk")


def test_only_readers_of_a_handout_can_see_its_picture(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    handout = pictured(gm, session, seats[0])
    address = handout.picture_url
    assert handout.picture
    everybody = [ayumi.client, bo.client, kei.client, gm.client, Client()]
    answers = [client.get(address).status_code for client in everybody]
    assert answers == [200, 404, 404, 200, 404]
    assert ayumi.client.get(address)["Cache-Control"] == "private, no-store"
    assert [address in html(client, session.get_absolute_url()) for client in everybody[:3]] == [
        True,
        False,
        False,
    ]
    for client in everybody:  # the address by which everybody may see other pictures
        assert client.get(f"/pictures/{handout.picture.key}.webp").status_code == 404
    assert ayumi.client.get(f"/handouts/{handout.pk}/{'x' * 32}.webp").status_code == 404
    assert ayumi.client.get(f"/handouts/{handout.pk + 1}/{handout.picture.key}.webp").status_code == 404

    handouts.set_revealed(session=session, handout=handout, revealed=True)
    assert [client.get(address).status_code for client in everybody] == [200, 200, 200, 200, 404]
    assert address in html(bo.client, session.get_absolute_url())
    nights.remove_seat(seat=seats[1])
    assert bo.client.get(address).status_code == 404


def test_the_picture_of_a_handout_is_hidden_until_the_handout_is_given(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    said = {"picture": sent(), "to": [seats[0].pk]}
    assert write(gm, session, **said).status_code == 200
    handout = Handout.objects.get()
    assert HandoutCopy.objects.get().notice is None
    assert ayumi.client.get(handout.picture_url).status_code == 404
    handouts.hand_over_copies(session=session)
    assert ayumi.client.get(handout.picture_url).status_code == 200


def test_a_sub_gm_in_charge_sees_the_pictures_of_handouts(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    handout = pictured(gm, session, seats[0])
    session.seats.filter(role=Role.GM).update(stand_in=seats[1])
    assert bo.client.get(handout.picture_url).status_code == 404
    Seat.objects.filter(pk=seats[1].pk).update(deputy=True)
    assert bo.client.get(handout.picture_url).status_code == 200


@pytest.mark.parametrize("with_table", [False, True])
def test_the_gm_shows_and_hides_a_scenes_picture_on_all_screens(
    session: Session,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    kei: Somebody,
    with_table: bool,
    request: pytest.FixtureRequest,
) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    where = session.get_absolute_url()
    if with_table:
        where = request.getfixturevalue("table").get_absolute_url()
    said = write(gm, session, "notes", text="犯人は船長", picture=sent(), caption="霧の港", show="on").json()[
        "said"
    ]
    assert said
    note = SceneNote.objects.get()
    screens = [(client, where) for client in (ayumi.client, kei.client, gm.client)]
    screens.append((Client(), f"/face/{session.face_key}/"))
    for client, address in screens:
        page = html(client, address)
        assert note.picture_url in page
        assert "霧の港" in page
        assert client.get(note.picture_url).status_code == 200
        assert ("犯人は船長" in page) is (client is gm.client), "notes are the GM's own"
    gm.client.post(f"/s/{session.pk}/scene/picture/", {"note": ""})
    for client, address in screens:
        assert (note.picture_url in html(client, address)) is (client is gm.client), "it lies in the notes"
    gm.client.post(f"/s/{session.pk}/scene/picture/", {"note": note.pk})
    assert note.picture_url in html(ayumi.client, where)
    assert ayumi.client.post(f"/s/{session.pk}/scene/picture/", {"note": ""}).status_code == 404


def test_the_table_face_of_an_ended_session_shows_no_scene(
    session: Session, gm: Somebody, ayumi: Somebody
) -> None:
    write(gm, session, "notes", picture=sent(), show="on")
    note = SceneNote.objects.get()
    assert note.title == "場面"
    face = f"/face/{session.face_key}/"
    assert note.picture_url in html(Client(), face)
    nights.close_session(session=session)
    assert note.picture_url not in html(Client(), face)


@pytest.mark.parametrize("number", ["²", "999999", "-1", "abc", "9" * 30])
def test_an_unknown_scene_or_one_without_a_picture_is_not_shown(
    session: Session, gm: Somebody, number: str
) -> None:
    SceneNote.objects.create(campaign=session.campaign, title="港")
    for wanted in (number, str(SceneNote.objects.get().pk)):  # the second has no picture
        assert gm.client.post(f"/s/{session.pk}/scene/picture/", {"note": wanted}).status_code == 404
    session.refresh_from_db()
    assert session.scene_note is None


@pytest.mark.parametrize("kind", ["handouts", "notes"])
@pytest.mark.parametrize("content", [b"", b"<svg onload=alert(1)>", b"RIFF\0\0\0\0WEBPVP8 "])
def test_a_handout_or_scene_with_an_invalid_picture_is_not_saved(
    session: Session, gm: Somebody, kind: str, content: bytes
) -> None:
    answer = write(gm, session, kind, text="地図", picture=SimpleUploadedFile("map.png", content))
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == ["picture"]
    assert not any(model.objects.exists() for model in (Handout, SceneNote, Picture))


def test_a_new_scene_cannot_be_shown_without_a_picture(session: Session, gm: Somebody) -> None:
    answer = write(gm, session, "notes", text="地図", show="on")
    assert list(answer.json()["errors"]) == ["picture"]
    assert not SceneNote.objects.exists()


def test_picture_uploads_over_the_rate_limit_are_refused(
    session: Session, gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.files.gallery.UPLOADS", type("Never", (), {"count": lambda *_: False})())
    answer = write(gm, session, text="地図", picture=sent())
    assert list(answer.json()["errors"]) == ["picture"]
    ready = f"/gm/campaigns/{session.campaign_id}/ready/handouts/"
    assert gm.client.post(ready, {"title": "地図", "picture": sent()}).status_code == 422
    assert not Handout.objects.exists()


def test_a_handout_over_the_gms_picture_quota_is_not_saved(
    session: Session, gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = quotas.Quota("owner", 1, "full")
    monkeypatch.setitem(quotas.QUOTAS, "companion.Picture", [full])  # type: ignore[arg-type]
    assert write(gm, session, text="一", picture=sent()).status_code == 200
    headers = {"HTTP_ACCEPT": "application/json"}
    data = {"text": "二", "picture": sent()}
    answer = gm.client.post(f"/s/{session.pk}/write/handouts/", data, **headers)
    assert (answer.status_code, answer.json()) == (422, {"reason": "full"})
    assert Handout.objects.count() == Picture.objects.count() == 1


def test_a_scenes_picture_is_replaced_removed_and_deleted_with_the_scene(
    session: Session, gm: Somebody
) -> None:
    ready = f"/gm/campaigns/{session.campaign_id}/ready/notes/"
    gm.client.post(ready, {"title": "港", "picture": sent(), "caption": "霧"})
    note = SceneNote.objects.get()
    before = note.picture_url
    assert before in html(gm.client, f"{ready}{note.pk}/")
    gm.client.post(f"{ready}{note.pk}/", {"title": "岬"})
    assert SceneNote.objects.get().picture_url == before
    gm.client.post(f"{ready}{note.pk}/", {"title": "岬", "picture": sent(width=50)})
    assert SceneNote.objects.get().picture_url not in ("", before)
    assert gm.client.get(before).status_code == 404
    gm.client.post(f"{ready}{note.pk}/", {"title": "岬", "without": "on"})
    assert SceneNote.objects.get().picture is None
    assert not Picture.objects.exists()
    gm.client.post(f"{ready}{note.pk}/", {"title": "岬", "picture": sent()})
    gm.client.post(f"{ready}{note.pk}/discard/")
    assert not Picture.objects.exists()


# --- kept, taken along, and gone ---------------------------------------------------------------------------


def both(gm: Somebody, session: Session, seat: Seat) -> None:
    pictured(gm, session, seat)
    write(gm, session, "notes", text="灯台", picture=sent("JPEG", 60), caption="霧の港")


def test_a_campaign_file_carries_pictures_of_handouts_and_scenes(
    session: Session, table: Table, gm: Somebody, kei: Somebody
) -> None:
    both(gm, session, session.seats.exclude(role=Role.GM)[0])
    nights.close_session(session=session)
    raw = campaign_file.encode_campaign(campaign_export.export_campaign(session.own_campaign))
    brought = campaign_import.import_campaign(campaign_file.read(raw), gm=kei.person)
    handout, note = brought.handouts.get(), brought.scene_notes.get()
    assert handout.picture
    assert note.picture
    assert (handout.picture.guarded, note.picture.guarded) == (True, False)
    assert (note.caption, note.picture.width, handout.picture.width) == ("霧の港", 60, 40)
    assert {handout.picture.owner, note.picture.owner} == {kei.person}
    assert gm.client.get(handout.picture_url).status_code == 404
    assert kei.client.get(handout.picture_url).status_code == 200


def test_a_campaign_file_lists_pictures_that_are_too_large_for_it(
    session: Session, seats: list[Seat], gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(gm, session, seats[0])
    monkeypatch.setattr("sessions.archive.file_format.PICTURES_AT_MOST", 1)
    whole = campaign_export.export_campaign(session.own_campaign).whole
    assert [(one.title, one.why) for one in whole.left_out][-1] == ("灯台", "heavy")
    assert whole.handouts[0].picture
    assert not whole.scene_notes[0].picture


@pytest.mark.parametrize("picture", ["%", "bm8gcGljdHVyZQ=="])
def test_a_campaign_file_with_an_invalid_picture_is_not_imported(
    session: Session, seats: list[Seat], gm: Somebody, picture: str
) -> None:
    both(gm, session, seats[0])
    nights.close_session(session=session)
    file = campaign_export.export_campaign(session.own_campaign)
    file.whole.handouts[0].picture = picture
    before = Handout.objects.count()
    with pytest.raises(Unusable):
        campaign_import.import_campaign(file, gm=gm.person)
    assert Handout.objects.count() == before


def test_a_gms_personal_data_has_pictures_of_handouts_and_scenes(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    both(gm, session, seats[0])
    packed = zipfile.ZipFile(io.BytesIO(personal_data.export_zip(gm.person)))
    campaign = json.loads(packed.read("campaigns.json"))[0]
    assert campaign["handouts"][0]["picture"].startswith("UklGR")
    assert campaign["scene_notes"][0]["caption"] == "霧の港"


def test_a_campaigns_pictures_pass_to_its_heir_or_are_deleted_with_the_gm(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    both(gm, session, seats[0])
    erasure.hand_over_campaign(gm.person, f"campaign-{session.campaign_id}", ayumi.person)
    personal_data.delete_belongings(gm.person, {})
    assert Picture.objects.filter(owner=ayumi.person).count() == 2
    assert ayumi.client.get(Handout.objects.get().picture_url).status_code == 200
    personal_data.delete_belongings(ayumi.person, {})
    assert not Picture.objects.exists()
