"""Handouts, secrets, and what a GM lays ready."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sessions.evening import handouts, nights
from sessions.models import (
    Campaign,
    Handout,
    HandoutCopy,
    PreparedCheck,
    Role,
    SceneNote,
    Seat,
    Session,
    Table,
)
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db

SECRET = "あなたは蛇の一族だ"
OPEN = "港で待つ人がいる"


@pytest.fixture
def handout(session: Session) -> Handout:
    return Handout.objects.create(campaign=session.campaign, title="HO1", text=OPEN, secret=SECRET)


def page(who: Somebody, session: Session) -> str:
    return who.client.get(session.get_absolute_url()).content.decode()


def hand_over(session: Session, handout: Handout, *seats: Seat) -> None:
    for seat in seats:
        handouts.prepare_copy(handout=handout, seat=seat, lay=True)
    handouts.hand_over_copies(session=session)


def without_own_name(html: str, *names: str) -> str:
    """A page without what differs between any two people anyway."""
    html = re.sub(r"csrfmiddlewaretoken\" value=\"\w+|seats/\d+|pk=\d+", "", html)
    return re.sub("|".join(map(re.escape, names)), "", html)


def test_a_handout_laid_out_for_a_player_is_hidden_until_it_is_handed_over(
    session: Session, seats: list[Seat], handout: Handout, gm: Somebody, ayumi: Somebody
) -> None:
    before = page(ayumi, session)
    gm.client.post(f"/s/{session.pk}/handouts/{handout.pk}/", {"lay": seats[0].pk})
    assert HandoutCopy.objects.count() == 1
    after = page(ayumi, session)
    assert without_own_name(before) == without_own_name(after)
    gm.client.post(f"/s/{session.pk}/handouts/{handout.pk}/", {"take": seats[0].pk})
    assert not HandoutCopy.objects.exists()


def test_only_holders_and_the_gm_open_the_page_of_a_secret_handout(
    session: Session,
    seats: list[Seat],
    handout: Handout,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
) -> None:
    Handout.objects.filter(pk=handout.pk).update(text="")
    address = f"/s/{session.pk}/handouts/{handout.pk}/"
    assert ayumi.client.get(address).status_code == 404, "it is laid out for nobody"
    hand_over(session, handout, seats[0])
    assert SECRET in ayumi.client.get(address).content.decode()
    assert f'value="{seats[1].pk}"' in gm.client.get(address).content.decode()
    assert [who.client.get(address).status_code for who in (bo, kei)] == [404, 404]


def test_the_secret_of_a_handout_is_shown_to_its_holder_alone(
    session: Session,
    seats: list[Seat],
    handout: Handout,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    hand_over(session, handout, seats[0])
    for where in (session.get_absolute_url(), table.get_absolute_url()):
        for who, reads in ((ayumi, True), (bo, False), (kei, False)):
            html = who.client.get(where).content.decode()
            assert (SECRET in html) is reads
            assert OPEN in html
    assert SECRET not in kei.client.get(f"/face/{session.face_key}/").content.decode()


def test_the_notice_of_a_handout_has_the_same_frame_on_every_phone(
    session: Session, seats: list[Seat], handout: Handout, ayumi: Somebody, bo: Somebody
) -> None:
    hand_over(session, handout, seats[0])
    cards = []
    for who in (ayumi, bo):
        card = page(who, session).split('<section class="notice-card"')[1].split("</section>")[0]
        cards.append(re.sub(r"<article.*?</article>", "", card, flags=re.S).split())
    assert cards[0] == cards[1]


def test_a_spectators_page_does_not_tell_who_holds_a_secret(session: Session, kei: Somebody) -> None:
    """Twins: a spectator's page is the same whether one or the other got the secret."""
    from tests.conftest import _guest

    first, second = sit(session, _guest("アン").person), sit(session, _guest("カイ").person)
    sit(session, kei.person, Role.SPECTATOR)
    pages = []
    for holder in (first, second):
        handout = Handout.objects.create(
            pk=70, campaign=session.campaign, title="HO", text=OPEN, secret=SECRET
        )
        hand_over(session, handout, holder)
        pages.append(re.sub(r'(data-notice|value)="\d+"|csrfmiddlewaretoken.*?>', "", page(kei, session)))
        handout.delete()
        session.notices.all().delete()
    assert pages[0] == pages[1]


def test_a_handout_with_only_a_secret_is_not_named_to_other_players(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    secret = Handout.objects.create(campaign=session.campaign, title="裏切り", secret=SECRET)
    hand_over(session, secret, seats[0])
    assert "裏切り" in page(ayumi, session)
    assert "裏切り" not in page(bo, session)


def test_a_notice_without_a_handout_goes_to_all_players(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    gm.client.post(f"/s/{session.pk}/handouts/")
    assert "data-notice" in page(bo, session)
    assert "data-notice" not in page(gm, session)


def test_a_player_who_joins_late_gets_no_earlier_notices(
    session: Session, seats: list[Seat], handout: Handout, bo: Somebody, kei: Somebody
) -> None:
    hand_over(session, handout, seats[1])
    sit(session, kei.person)
    assert "data-notice" in page(bo, session)
    assert "data-notice" not in page(kei, session)


def test_a_notice_stays_until_dismissed_and_the_gm_sees_who_has_it_open(
    session: Session, seats: list[Seat], handout: Handout, gm: Somebody, bo: Somebody
) -> None:
    hand_over(session, handout, seats[1])
    number = session.notices.get().pk
    assert "data-notice" in page(bo, session)
    bo.client.post(f"/s/{session.pk}/notice/", {"notice": number})
    assert "data-notice" not in page(bo, session)
    assert SECRET in page(bo, session), "the copy stays"
    waiting = page(gm, session).split("確認待ち")[1].split("</p>")[0]
    assert seats[0].name in waiting
    assert seats[1].name not in waiting


def test_a_secret_is_shown_to_all_when_revealed_and_can_be_hidden_again(
    session: Session, seats: list[Seat], handout: Handout, gm: Somebody, bo: Somebody
) -> None:
    hand_over(session, handout, seats[0])
    address = f"/s/{session.pk}/handouts/{handout.pk}/reveal/"
    gm.client.post(address, {"revealed": "1"})
    assert SECRET in page(bo, session)
    gm.client.post(address, {"revealed": "0"})
    assert SECRET not in page(bo, session)


def test_a_handout_is_readable_in_the_next_session_of_its_campaign(
    session: Session, seats: list[Seat], handout: Handout, ayumi: Somebody, bo: Somebody
) -> None:
    hand_over(session, handout, seats[0])
    nights.close_session(session=session)
    second = nights.open_session(campaign=session.campaign, title="第二夜")
    elsewhere = nights.open_session(
        campaign=Campaign.objects.create(gm=session.campaign.gm, name="別の話"), title="別の夜"
    )
    for night in (second, elsewhere):
        for who in (ayumi, bo):
            sit(night, who.person)
    assert SECRET in page(ayumi, second)
    assert SECRET not in page(bo, second)
    assert SECRET not in page(ayumi, elsewhere)


def test_a_handout_that_was_handed_over_cannot_be_taken_back(
    session: Session, seats: list[Seat], handout: Handout, gm: Somebody
) -> None:
    hand_over(session, handout, seats[0])
    gm.client.post(f"/s/{session.pk}/handouts/{handout.pk}/", {"take": seats[0].pk})
    assert HandoutCopy.objects.get().notice is not None


@pytest.mark.parametrize("verb", ["", "1/", "1/reveal/", "../scene/"])
def test_a_player_cannot_hand_over_or_reveal_handouts_or_set_the_scene(
    session: Session, seats: list[Seat], bo: Somebody, verb: str
) -> None:
    Handout.objects.create(pk=1, campaign=session.campaign, title="HO", secret=SECRET)
    answer = bo.client.post(
        f"/s/{session.pk}/handouts/{verb}", {"lay": seats[1].pk, "revealed": "1", "scene": "x"}
    )
    assert answer.status_code == 404
    assert not HandoutCopy.objects.exists()
    assert not session.notices.exists()
    assert Handout.objects.get().revealed_at is None


@pytest.mark.parametrize("number", ["", "²", "-1", "99999999999999999999", "abc"])
def test_an_invalid_notice_number_dismisses_no_notice(
    session: Session, seats: list[Seat], bo: Somebody, number: str
) -> None:
    hand_over(session, Handout.objects.create(campaign=session.campaign, title="HO", secret=SECRET), seats[1])
    assert bo.client.post(f"/s/{session.pk}/notice/", {"notice": number}).status_code == 302
    assert "data-notice" in page(bo, session)


# --- what lies ready ----------------------------------------------------------------------------------------


def test_a_gm_prepares_edits_and_discards_handouts_notes_and_checks(session: Session, gm: Somebody) -> None:
    ready = f"/gm/campaigns/{session.campaign_id}/ready/"
    gm.client.post(f"{ready}handouts/", {"title": "HO1", "text": "", "secret": SECRET})
    gm.client.post(f"{ready}notes/", {"title": "港", "text": "霧が出ている"})
    gm.client.post(f"{ready}checks/", {"label": "崖を登る", "difficulty": "3"})
    desk = gm.client.get(ready).content.decode()
    assert all(words in desk for words in ("HO1", "港", "崖を登る"))
    note = SceneNote.objects.get()
    gm.client.post(f"{ready}notes/{note.pk}/", {"title": "岬", "text": ""})
    assert SceneNote.objects.get().title == "岬"
    gm.client.post(f"{ready}notes/{note.pk}/discard/")
    assert not SceneNote.objects.exists()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("handouts", {"title": ""}),
        ("handouts", {"title": "x" * 61}),
        ("notes", {"title": "x", "text": "x" * 4001}),
        ("notes", {"title": "a\x00b"}),
        ("checks", {"label": "x", "difficulty": "6"}),
        ("checks", {"label": "x", "difficulty": "²"}),
        ("checks", {"label": "x", "difficulty": "9" * 30}),
    ],
)
def test_an_invalid_handout_note_or_check_is_refused_with_a_reason(
    session: Session, gm: Somebody, kind: str, data: dict[str, str]
) -> None:
    answer = gm.client.post(f"/gm/campaigns/{session.campaign_id}/ready/{kind}/", data)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not any(model.objects.exists() for model in (Handout, SceneNote, PreparedCheck))


def test_a_player_cannot_open_the_gms_preparation_page(
    session: Session, seats: list[Seat], ayumi: Somebody, gm: Somebody
) -> None:
    note = SceneNote.objects.create(campaign=session.campaign, title="港", text="犯人は船長")
    ready = f"/gm/campaigns/{session.campaign_id}/ready/"
    for address in (ready, f"{ready}notes/", f"{ready}notes/{note.pk}/"):
        assert ayumi.client.get(address).status_code == 404
    assert ayumi.client.post(f"{ready}notes/{note.pk}/discard/").status_code == 404
    assert gm.client.get(f"{ready}secrets/").status_code == 404


def test_notes_and_prepared_checks_are_on_the_gms_table_page_only(
    session: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    SceneNote.objects.create(campaign=session.campaign, title="港", text="犯人は船長")
    PreparedCheck.objects.create(campaign=session.campaign, label="崖を登る", difficulty=3)
    desk, phone = (who.client.get(table.get_absolute_url()).content.decode() for who in (gm, ayumi))
    assert "犯人は船長" in desk
    assert "崖を登る" in desk
    assert "犯人は船長" not in phone
    assert "崖を登る" not in phone


def test_the_scenes_title_is_on_all_screens(
    session: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    answer = gm.client.post(f"/s/{session.pk}/scene/", {"scene": "霧の港", "table": table.pk})
    assert answer.url == table.get_absolute_url()
    for html in (ayumi.client.get(table.get_absolute_url()), ayumi.client.get(f"/face/{session.face_key}/")):
        assert "霧の港" in html.content.decode()
    gm.client.post(f"/s/{session.pk}/scene/", {"scene": ""})
    assert "霧の港" not in ayumi.client.get(table.get_absolute_url()).content.decode()


# --- written at the table ----------------------------------------------------------------------------------


def write(who: Somebody, session: Session, kind: str = "handouts", **data: object) -> Any:
    return who.client.post(f"/s/{session.pk}/write/{kind}/", data)


def test_a_handout_is_written_and_handed_over_in_one_go(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    answer = write(
        gm, session, text=f"{OPEN}。灯台の鍵を持っている", secret=SECRET, to=[seats[0].pk], now="on"
    )
    assert (answer.status_code, seats[0].name in answer.json()["said"]) == (200, True)
    assert Handout.objects.get().title == OPEN, "the first sentence of the open part"
    assert SECRET in page(ayumi, session)
    assert SECRET not in page(bo, session)
    assert "data-notice" in page(bo, session), "every phone shows a letter"


def test_a_handout_written_for_later_is_hidden_from_its_player(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    before = without_own_name(page(ayumi, session))
    write(gm, session, secret=SECRET, to=[seats[0].pk])
    assert HandoutCopy.objects.get().notice is None
    assert without_own_name(page(ayumi, session)) == before
    assert SECRET[:5] not in Handout.objects.get().title


def test_a_gm_writes_notes_and_checks_on_the_table_page(session: Session, table: Table, gm: Somebody) -> None:
    write(gm, session, "notes", text="犯人は船長\n灯台にいる")
    write(gm, session, "checks", label="崖を登る", difficulty="3")
    assert SceneNote.objects.get().title == "犯人は船長"
    desk = gm.client.get(table.get_absolute_url()).content.decode()
    assert "灯台にいる" in desk
    assert '"label": "\\u5D16' in desk or "崖を登る" in desk


@pytest.mark.parametrize(
    ("kind", "data", "wrong"),
    [
        ("handouts", {"text": "x", "now": "on"}, "to"),
        ("handouts", {"text": "x", "now": "on", "to": "999999"}, "to"),
        ("handouts", {"text": "x", "now": "on", "to": "²"}, "to"),
        ("handouts", {"text": " ", "secret": ""}, "__all__"),
        ("handouts", {"title": "x" * 61, "text": "x"}, "title"),
        ("notes", {"text": "a\x00b"}, "text"),
        ("notes", {}, "__all__"),
        ("checks", {"label": "x", "difficulty": "6"}, "difficulty"),
        ("checks", {"difficulty": "2"}, "label"),
    ],
)
def test_an_invalid_entry_on_the_table_page_is_refused_with_its_field(
    session: Session, seats: list[Seat], gm: Somebody, kind: str, data: dict[str, str], wrong: str
) -> None:
    answer = write(gm, session, kind, **data)
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [wrong]
    assert not any(model.objects.exists() for model in (Handout, SceneNote, PreparedCheck))
    assert not session.notices.exists()


def test_a_player_cannot_write_handouts_notes_or_checks_at_the_table(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody
) -> None:
    for kind in ("handouts", "notes", "checks"):
        assert write(bo, session, kind, text="x", label="x", difficulty="1").status_code == 404
    assert write(gm, session, "secrets", text="x").status_code == 404
    assert not any(model.objects.exists() for model in (Handout, SceneNote, PreparedCheck))
