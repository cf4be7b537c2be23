"""A guest's phone dies: a recovery code or the GM's word brings them to a new one. It can be taken back."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from companion.identity import person_links, personal_data
from companion.models import Person, PersonLink, User
from companion.requests.throttle import cache
from sessions.evening import devices, nights, presence
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Role, Seat, SeatNote, Session, Table
from tests.conftest import Somebody
from tests.evening import cards_in, hand, owner_of, person_on, sit

pytestmark = pytest.mark.django_db


def recovery_code(who: Somebody) -> str:
    page = who.client.post("/device/recovery/").content.decode()
    found = re.search(r'class="key-spoken"><strong>([^<]+)<', page)
    assert found
    return person_links.normalize_key(found[1])


def is_open(seat: Seat) -> None:
    presence.note_signs([presence.Sign(seat.pk, "page")])


def waited(minutes: int) -> None:
    PersonLink.objects.update(asked_at=timezone.now() - timedelta(minutes=minutes))


def whose(session: Session, seat: Seat) -> str:
    return f"/s/{session.pk}/seats/{seat.pk}/whose/"


def kinds(session: Session) -> list[str]:
    return list(session.seat_notes.order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def sheet(bo: Somebody) -> Any:
    return create_character(bo.person, SAMPLES[1])


@pytest.fixture
def next_night(session: Session, seats: list[Seat], sheet: Any) -> Session:
    """The evening after one to which bo brought a character."""
    nights.bring_character(seat=seats[1], character=sheet)
    nights.close_session(session=session)
    return nights.open_session(campaign=session.own_campaign, title="二晩目")


@pytest.fixture
def new(next_night: Session) -> Client:
    """Bo's new phone, which took a seat by the code."""
    client = Client()
    client.post(f"/j/{next_night.code}/", {"name": "ボー", "role": "player"})
    return client


# --- two evenings ----------------------------------------------------------------------------------------


def test_the_gm_gives_a_guests_character_to_the_guests_new_phone(
    next_night: Session, new: Client, gm: Somebody, sheet: Any
) -> None:
    seat = next_night.seats.get(name="ボー")
    lobby = next_night.get_absolute_url()
    assert sheet.name not in new.get(lobby).content.decode()
    page = gm.client.get(whose(next_night, seat)).content.decode()
    assert sheet.name in page
    assert gm.client.post(whose(next_night, seat), {"who": sheet.owner_id}).url == lobby

    assert sheet.name in new.get("/characters/").content.decode()
    assert sheet.name in new.get(lobby).content.decode(), "and it can be brought tonight"
    assert new.get(f"/characters/{sheet.pk}/edit/").status_code == 200
    assert kinds(next_night) == [SeatNote.SeatNoteKind.DEVICE_NEW]
    nights.close_session(session=next_night)
    assert "新しい端末" in gm.client.get(f"/s/{next_night.pk}/log/").content.decode()


def test_a_recovery_code_brings_character_and_past_sessions_to_a_new_phone(
    session: Session, seats: list[Seat], bo: Somebody, sheet: Any
) -> None:
    nights.bring_character(seat=seats[1], character=sheet)
    code = recovery_code(bo)
    nights.close_session(session=session)
    new = Client()
    assert new.get("/device/code/", {"key": code.upper()}).url == f"/device/{code}/"
    new.post(f"/device/{code}/")
    assert sheet.name in new.get("/characters/").content.decode()
    assert new.get(session.get_absolute_url()).status_code == 200
    assert person_on(new).name == "ボー"
    assert Client().post(f"/device/{code}/").status_code == 410, "once"


def test_a_recovery_code_does_not_expire_and_only_its_hash_is_stored(bo: Somebody, sheet: Any) -> None:
    code = recovery_code(bo)
    PersonLink.objects.update(made_at=timezone.now() - timedelta(days=400))
    bo.client.post("/device/")  # a key beside it
    assert code not in repr([vars(link) for link in PersonLink.objects.all()])
    assert Client().get(f"/device/{code}/").status_code == 200
    newer = recovery_code(bo)
    assert Client().get(f"/device/{code}/").status_code == 410
    assert Client().get(f"/device/{newer}/").status_code == 200


def test_pages_offer_a_recovery_code_until_the_guest_has_one(
    seats: list[Seat], bo: Somebody, sheet: Any
) -> None:
    pages = ["/characters/", seats[1].session.get_absolute_url()]
    assert all("/device/recovery/" in bo.client.get(page).content.decode() for page in pages)
    recovery_code(bo)
    assert not any("/device/recovery/" in bo.client.get(page).content.decode() for page in pages)


def test_a_recovery_code_can_be_shared_mailed_copied_and_printed(bo: Somebody) -> None:
    page = bo.client.post("/device/recovery/").content.decode()
    for way in ("data-share", "mailto:?subject=", "data-copy", "data-print", "<svg"):
        assert way in page


def test_wrong_recovery_codes_are_rate_limited_and_a_right_one_still_opens(bo: Somebody) -> None:
    right = recovery_code(bo)
    wrong = f"/device/{'2' * 12}/"
    assert {Client().get(wrong).status_code for _ in range(30)} == {410}, "a page asked for is no try"
    tried = [Client().post(wrong).status_code for _ in range(25)]
    assert (tried[0], tried[-1]) == (410, 429)
    assert Client().get(f"/device/{right}/").status_code == 200


# --- the old device is asked -----------------------------------------------------------------------------


def test_an_old_device_with_an_open_page_can_refuse_a_recovery_code(
    session: Session, seats: list[Seat], table: Table, bo: Somebody, sheet: Any
) -> None:
    code, cards = recovery_code(bo), set(hand(table, "p2"))
    is_open(seats[1])
    thief = Client()
    thief.post(f"/device/{code}/")
    assert thief.get(f"/device/{code}/state/").status_code == 204
    assert thief.get(table.get_absolute_url()).status_code == 404
    asked = bo.client.get(table.get_absolute_url()).content.decode()
    assert f"/s/{session.pk}/device/" in asked
    bo.client.post(f"/s/{session.pk}/device/", {"allow": "0"})
    assert thief.post(f"/device/{code}/").status_code == 410
    assert cards_in(bo.client.get(table.get_absolute_url()).content.decode()) >= cards
    assert not person_links.code_of(bo.person), "a code that somebody else knows is good for nothing"


def test_an_unanswered_recovery_code_opens_after_two_and_before_ten_minutes(
    seats: list[Seat], bo: Somebody, sheet: Any
) -> None:
    code, new = recovery_code(bo), Client()
    is_open(seats[1])
    for minutes in (1, 11):
        new.post(f"/device/{code}/")
        waited(minutes)
        new.post(f"/device/{code}/")
        assert owner_of(sheet) == bo.person
    waited(3)
    assert new.get(f"/device/{code}/state/").status_code == 200
    new.post(f"/device/{code}/")
    assert owner_of(sheet) == person_on(new)


def test_an_old_device_with_an_open_page_is_asked_when_the_gm_vouches(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    seat = sit(session, kei.person)
    is_open(seats[1])
    gm.client.post(whose(session, seat), {"who": bo.person.pk})
    assert owner_of(sheet) == bo.person
    assert kinds(session) == [SeatNote.SeatNoteKind.DEVICE_ASKED]
    assert cards_in(kei.client.get(table.get_absolute_url()).content.decode()).isdisjoint(hand(table, "p2"))
    bo.client.post(f"/s/{session.pk}/device/", {"allow": "0"})
    assert kinds(session)[-1] == SeatNote.SeatNoteKind.DEVICE_NO
    gm.client.post(whose(session, seat), {"who": bo.person.pk})
    assert bo.client.post(f"/s/{session.pk}/device/", {"allow": "1"}).url == "/device/"
    assert owner_of(sheet) == kei.person
    assert session.seats.get(person=kei.person) == seats[1]
    assert SeatNote.SeatNoteKind.MOVED in kinds(session)


def test_the_gm_confirms_a_new_device_after_two_minutes_without_an_answer(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    seat = sit(session, kei.person)
    is_open(seats[1])
    gm.client.post(whose(session, seat), {"who": bo.person.pk})
    word = f"/s/{session.pk}/words/{PersonLink.objects.get().pk}/"
    gm.client.post(word, {"back": "0"})
    assert owner_of(sheet) == bo.person, "it has two minutes"
    waited(3)
    assert word in gm.client.get(session.get_absolute_url()).content.decode()
    gm.client.post(word, {"back": "0"})
    assert owner_of(sheet) == kei.person


# --- taken back ------------------------------------------------------------------------------------------


def test_the_gm_or_the_old_device_takes_back_a_device_change_within_a_day(
    next_night: Session, new: Client, gm: Somebody, bo: Somebody, sheet: Any
) -> None:
    seat, own = next_night.seats.get(name="ボー"), create_character(person_on(new), SAMPLES[0])
    for by_gm in (True, False):
        gm.client.post(whose(next_night, seat), {"who": bo.person.pk})
        link = PersonLink.objects.get()
        since = create_character(person_on(new), SAMPLES[2])
        nights.bring_character(seat=seat, character=sheet)
        if by_gm:
            gm.client.post(f"/s/{next_night.pk}/words/{link.pk}/", {"back": "1"})
        else:
            assert "/device/back/" in bo.client.get("/device/").content.decode()
            bo.client.post("/device/back/")
        for mine, owner in ((sheet, bo.person), (own, person_on(new)), (since, person_on(new))):
            mine.refresh_from_db()
            assert mine.owner == owner
        assert Seat.objects.get(character=sheet).person == bo.person, "and nobody else brings it"
        assert Person.objects.get(pk=bo.person.pk).name == "ボー"
        assert kinds(next_night)[-1] == SeatNote.SeatNoteKind.DEVICE_BACK


def test_the_old_device_takes_back_a_character_from_a_third_device(
    seats: list[Seat], bo: Somebody, sheet: Any
) -> None:
    thief, fence = Client(), Client()
    thief.post(f"/device/{recovery_code(bo)}/")
    fence.post(f"/device/{person_links.issue_code(person_on(thief))}/")
    bo.client.post("/device/back/")
    assert owner_of(sheet) == bo.person
    assert Seat.objects.get(pk=seats[1].pk).person == bo.person


def test_a_device_change_cannot_be_taken_back_after_a_day(bo: Somebody, sheet: Any) -> None:
    new = Client()
    new.post(f"/device/{recovery_code(bo)}/")
    PersonLink.objects.update(taken_at=timezone.now() - timedelta(hours=25))
    bo.client.post("/device/back/")
    assert owner_of(sheet) == person_on(new)


# --- who may ---------------------------------------------------------------------------------------------


def test_only_the_gm_vouches_and_only_for_guests_of_the_campaign(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody, kei: Somebody, ayumi: Somebody
) -> None:
    seat = sit(session, kei.person)
    stranger = Person.objects.create(name="通りすがり")
    create_character(stranger, SAMPLES[0])
    assert ayumi.client.get(whose(session, seat)).status_code == 404
    assert ayumi.client.post(whose(session, seat), {"who": bo.person.pk}).status_code == 404
    assert bo.client.post(whose(session, seats[1]), {"who": bo.person.pk}).status_code == 404
    Seat.objects.filter(pk=seats[0].pk).update(deputy=True)
    session.seats.filter(role=Role.GM).update(stand_in=seats[0])
    assert ayumi.client.post(whose(session, seat), {"who": bo.person.pk}).status_code == 404
    for who in (stranger, gm.person, ayumi.person, kei.person):
        gm.client.post(whose(session, seat), {"who": who.pk})
    assert not PersonLink.objects.exists()


def test_accounts_are_never_merged(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    seat = sit(session, kei.person)
    assert bo.person in [one.person for one in devices.guest_seats(seat)]
    for who in (kei.person, bo.person):
        who.user = User.objects.create_user(who.name)
        who.save()
        gm.client.post(whose(session, seat), {"who": bo.person.pk})
        with pytest.raises(person_links.LinkRefused, match="closed"):
            person_links.vouch(bo.person, kei.person, "GM")
    assert bo.person not in [one.person for one in devices.guest_seats(seat)]
    assert owner_of(sheet) == bo.person
    assert not PersonLink.objects.exists()


def test_a_seat_claim_that_the_gm_allows_moves_all_of_a_guests_belongings(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    kei.client.post(f"/j/{session.code}/mine/", {"seat": seats[1].pk})
    gm.client.post(f"/s/{session.pk}/claims/{seats[1].claims.get().pk}/", {"allow": "1"})
    assert owner_of(sheet) == kei.person
    assert not seats[1].claims.exists()
    assert personal_data.list_belongings(bo.person) == []
    cache.clear()
