"""Access to a sheet besides its owner's, the link that opens it, and copies."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from characters import access
from characters.models import Character
from characters.services import drafts, exchange, sheets
from sessions.evening import nights, stand_ins
from sessions.models import Campaign, Role
from tests.evening import sit

pytestmark = pytest.mark.django_db


def post(somebody, name, character, **data):
    return somebody.client.post(reverse(f"characters:{name}", args=[character.pk]), data)


def show(sheet, visibility):
    access.set_visibility(character=sheet, visibility=visibility)


def status(client, sheet):
    return client.get(sheet.get_absolute_url()).status_code


@pytest.fixture
def brought(sheet, session, ayumi):
    """Ayumi's character at the table of tonight."""
    nights.bring_character(seat=sit(session, ayumi.person), character=sheet)
    return sheet


def test_a_new_character_is_private(sheet, kei):
    assert sheet.visibility == "private"
    assert sheet.share_key == ""
    assert status(kei.client, sheet) == 404


def test_the_owner_chooses_the_visibility_of_a_sheet(sheet, ayumi):
    for visibility, words in {
        "campaign": "席のある人",
        "public": "どこにも一覧されません",
        "private": "持ち込んだセッションのGM",
    }.items():
        page = ayumi.client.post(
            reverse("characters:show-to", args=[sheet.pk]), {"visibility": visibility}, follow=True
        )
        assert words in page.content.decode()
        assert Character.objects.get().visibility == visibility


@pytest.mark.parametrize("wish", ["", "friends", "x" * 10_000, "nul\x00"])
def test_an_unknown_visibility_of_a_sheet_is_refused(sheet, ayumi, wish):
    answer = ayumi.client.post(
        reverse("characters:show-to", args=[sheet.pk]), {"visibility": wish}, headers={"HX-Request": "true"}
    )
    assert 'role="alert"' in answer.content.decode()
    assert Character.objects.get().visibility == "private"


def test_all_people_read_a_public_sheet(sheet, kei):
    show(sheet, "public")
    for client in (kei.client, Client()):
        assert "朔" in client.get(sheet.get_absolute_url()).content.decode()


def test_the_gm_reads_a_private_sheet_brought_to_the_session(brought, gm, kei):
    assert status(gm.client, brought) == 200
    assert status(kei.client, brought) == 404


def test_the_gm_cannot_read_a_sheet_once_its_seat_is_removed(brought, session, ayumi, gm):
    nights.remove_seat(seat=session.seats.get(person=ayumi.person))
    assert status(gm.client, brought) == 404


def test_a_sub_gm_reads_brought_sheets_while_standing_in_for_the_gm(brought, session, bo):
    deputy, gm_seat = sit(session, bo.person), session.seats.get(role=Role.GM)
    stand_ins.set_deputy(seat=deputy, deputy=True)
    assert status(bo.client, brought) == 404
    deputy.refresh_from_db()
    stand_ins.let_stand_in(seat=gm_seat, stand_in=deputy)
    assert status(bo.client, brought) == 200
    stand_ins.end_stand_in(seat=gm_seat)
    assert status(bo.client, brought) == 404


def test_the_gm_of_another_campaign_cannot_read_a_sheet(brought, kei):
    other = Campaign.objects.create(gm=kei.person, name="別の卓")
    nights.open_session(campaign=other, title="別の夜")
    for visibility in ("private", "campaign"):
        show(brought, visibility)
        assert status(kei.client, brought) == 404


def test_people_of_the_campaign_read_a_sheet_shown_to_campaigns(brought, session, bo, kei):
    sit(session, bo.person, Role.SPECTATOR)
    assert status(bo.client, brought) == 404, "private"
    show(brought, "campaign")
    assert status(bo.client, brought) == 200
    assert status(kei.client, brought) == 404, "does not sit there"


def test_people_of_a_later_session_of_the_campaign_read_a_sheet(brought, session, bo):
    show(brought, "campaign")
    later = nights.open_session(campaign=session.campaign, title="第二夜")
    sit(later, bo.person)
    assert status(bo.client, brought) == 200


def test_a_player_whose_seat_was_removed_cannot_read_a_sheet(brought, session, bo):
    show(brought, "campaign")
    seat = sit(session, bo.person)
    nights.remove_seat(seat=seat)
    assert status(bo.client, brought) == 404


def test_a_sheet_that_is_not_brought_is_not_shown_to_the_campaign(sheet, session, ayumi, bo):
    sit(session, ayumi.person)
    sit(session, bo.person)
    show(sheet, "campaign")
    assert status(bo.client, sheet) == 404


def test_a_sheet_opens_although_several_seats_may_read_it(brought, session, bo, ayumi, gm):
    show(brought, "campaign")
    for night in ("第二夜", "第三夜"):
        later = nights.open_session(campaign=session.campaign, title=night)
        nights.bring_character(seat=sit(later, ayumi.person), character=brought)
        sit(later, bo.person)
    assert [status(who.client, brought) for who in (ayumi, bo, gm)] == [200, 200, 200]


def private_words(sheet):
    """The words that belong on the owner's page alone."""
    parts = ("edit", "hp", "delete", "link", "experience", "copy", "visibility")
    return [sheet.creation.secret, sheet.owner.name, *(f"/characters/{sheet.pk}/{part}" for part in parts)]


def test_readers_of_a_sheet_see_no_buttons_and_nothing_private(brought, gm, ayumi):
    access.make_link(character=brought)
    brought.refresh_from_db()
    show(brought, "public")
    own = ayumi.client.get(brought.get_absolute_url()).content.decode()
    assert brought.creation.secret in own
    main = {
        who: client.get(where).content.decode().partition("<main")[2]
        for who, client, where in (
            ("gm", gm.client, brought.get_absolute_url()),
            ("stranger", Client(), brought.get_absolute_url()),
            ("link", Client(), reverse("characters:shared", args=[brought.share_key])),
        )
    }
    for who, page in main.items():
        assert "海の町の生まれ" in page, who
        assert [words for words in private_words(brought) if words in page] == [], who
        assert "<form" not in page, who
        assert brought.share_key not in page, who


@pytest.mark.parametrize("name", ["edit", "delete", "set-hp", "show-to", "make-link", "end-link", "copy"])
def test_readers_of_a_public_sheet_cannot_change_it(brought, gm, name):
    show(brought, "public")
    assert post(gm, name, brought, visibility="private", hp=1).status_code == 404
    assert gm.client.get(reverse(f"characters:{name}", args=[brought.pk])).status_code in (404, 405)
    assert (Character.objects.get().visibility, Character.objects.count()) == ("public", 1)


def test_a_draft_cannot_be_shown_to_others(ayumi, session, gm, kei):
    draft = drafts.start_draft(owner=ayumi.person, method="standard", name="まだ")
    for name in ("show-to", "make-link", "copy"):
        post(ayumi, name, draft, visibility="public")
    draft.refresh_from_db()
    assert (draft.visibility, draft.share_key, Character.objects.count()) == ("private", "", 1)
    nights.bring_character(seat=sit(session, ayumi.person), character=draft)
    assert status(gm.client, draft) == 404
    with pytest.raises(IntegrityError), transaction.atomic():
        Character.objects.update(visibility="public")
    with pytest.raises(IntegrityError), transaction.atomic():
        Character.objects.update(share_key="abc")


# The link


def test_a_share_link_works_until_it_ends_and_the_next_one_differs(sheet, ayumi):
    post(ayumi, "make-link", sheet)
    sheet.refresh_from_db()
    first = sheet.share_key
    page = Client().get(f"/characters/shared/{first}/")
    assert "朔" in page.content.decode()
    assert (page["Cache-Control"], page["X-Robots-Tag"]) == ("no-store", "noindex")
    assert (
        f"http://testserver/characters/shared/{first}/"
        in ayumi.client.get(sheet.get_absolute_url()).content.decode()
    )
    post(ayumi, "make-link", sheet)
    assert Character.objects.get().share_key == first, "made twice by a double tap, it is one link"
    post(ayumi, "end-link", sheet)
    assert Client().get(f"/characters/shared/{first}/").status_code == 404
    post(ayumi, "make-link", sheet)
    assert Character.objects.get().share_key not in ("", first)


def test_a_share_link_made_on_localhost_uses_the_public_url(sheet, ayumi, settings):
    settings.PUBLIC_URL = "http://192.168.1.5:8000"
    post(ayumi, "make-link", sheet)
    page = ayumi.client.get(sheet.get_absolute_url(), HTTP_HOST="localhost:8000").content.decode()
    assert "http://192.168.1.5:8000/characters/shared/" in page


@pytest.mark.parametrize("key", ["None", "a", "x" * 5_000, "%00", "..", "null"])
def test_an_unknown_share_key_is_not_found(sheet, key):
    assert Client().get(f"/characters/shared/{key}/").status_code == 404


def test_share_keys_are_long_and_unique(ayumi):
    keys = set()
    for _ in range(20):
        made = Character.objects.create(owner=ayumi.person, name="x", status="done")
        access.make_link(character=made)
        made.refresh_from_db()
        keys.add(made.share_key)
    assert len(keys) == 20
    assert min(map(len, keys)) >= 20


# Copies and the shelf


def test_a_copied_character_is_independent_and_private(sheet, ayumi):
    show(sheet, "public")
    access.make_link(character=sheet)
    sheets.set_hp(character=sheet, hp=1)
    answer = post(ayumi, "copy", sheet)
    made = Character.objects.exclude(pk=sheet.pk).get()
    assert answer.url == made.get_absolute_url()
    assert (made.name, made.visibility, made.share_key, made.hp) == (
        "朔（写し）",
        "private",
        "",
        made.hp_max,
    )
    assert [s.name for s in made.skills.all()] == ["剣術", "料理"]
    assert [(i.name, i.value, i.special) for i in made.items.all()] == [("脇差", 3, True)]
    made.items.all().delete()
    assert sheet.items.count() == 1
    assert ayumi.client.get(made.get_absolute_url()).status_code == 200


def test_a_character_with_the_longest_name_can_be_copied(sheet, ayumi):
    Character.objects.update(name="朔" * 40)
    post(ayumi, "copy", sheet)
    assert Character.objects.filter(name="朔" * 36 + "（写し）").exists()


def test_the_character_list_names_campaigns_of_brought_characters(brought, ayumi):
    assert "無限の蛇" in ayumi.client.get(reverse("characters:shelf")).content.decode()


def test_a_long_character_list_can_be_searched(sheet, ayumi, brought):
    shelf = reverse("characters:shelf")
    assert 'type="search"' not in ayumi.client.get(shelf).content.decode()
    for number in range(9):
        Character.objects.create(owner=ayumi.person, name=f"人{number}", status="done")
    assert 'type="search"' in ayumi.client.get(shelf).content.decode()
    for wanted in ("朔", "料理", "脇差", "無限", "流れの"):
        found = ayumi.client.get(shelf, {"q": wanted}).content.decode()
        assert sheet.get_absolute_url() in found, wanted
        assert "人1" not in found, wanted
    nothing = ayumi.client.get(shelf, {"q": "いない\x00人"}).content.decode()
    assert "見つかりません" in nothing
    assert ayumi.client.get(shelf, {"q": "%" * 10_000}).status_code == 200


def test_the_character_list_needs_a_constant_number_of_queries(sheet, ayumi, django_assert_max_num_queries):
    for _ in range(12):
        exchange.copy_character(character=sheet, name="写し")
    with django_assert_max_num_queries(14):
        ayumi.client.get(reverse("characters:shelf"))


def test_only_a_guest_reads_that_the_device_is_the_only_key(sheet, ayumi, bo):
    shelf = reverse("characters:shelf")
    Character.objects.create(owner=bo.person, name="ロク", status="done")
    assert "この端末だけが鍵" in bo.client.get(shelf).content.decode()
    assert "この端末だけが鍵" not in ayumi.client.get(shelf).content.decode()
    assert "この端末だけが鍵" not in Client().get(shelf).content.decode(), "nothing to lose yet"
