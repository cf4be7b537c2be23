"""A guest goes to another device with everything: once, for ten minutes, and with a yes of the old one."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from companion.identity import person_links, personal_data
from companion.models import Person, PersonLink, User
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Seat, SeatNote, Session, Table
from tests.conftest import Somebody
from tests.evening import cards_in, hand, owner_of, person_on, sit

pytestmark = pytest.mark.django_db


def key_on(answer: Any) -> str:
    found = re.search(r'class="key-spoken"><strong>([^<]+)<', answer.content.decode())
    assert found
    return person_links.normalize_key(found[1])


def shown_key(who: Somebody) -> str:
    return key_on(who.client.post("/device/"))


def went_away(who: Somebody) -> None:
    cache.delete(person_links._key(who.person.pk))


def number_on(client: Client, address: str) -> str:
    found = re.search(r'class="code">(\d\d)<', client.get(address).content.decode())
    assert found
    return found[1]


@pytest.fixture
def sheet(bo: Somebody) -> Any:
    return create_character(bo.person, SAMPLES[1])


def test_a_guest_is_transferred_to_another_device_with_all_belongings(
    session: Session, seats: list[Seat], table: Table, bo: Somebody, sheet: Any
) -> None:
    nights.bring_character(seat=seats[1], character=sheet)
    cards = set(hand(table, "p2"))
    new, address = Client(), f"/device/{shown_key(bo)}/"
    assert new.get(address).status_code == 200
    assert not PersonLink.objects.get().asked_by_id, "looking uses nothing up"
    assert new.post(address).url == address
    assert new.get(f"{address}state/").status_code == 204
    assert bo.client.get("/device/state/").status_code == 200
    assert number_on(new, address) == number_on(bo.client, "/device/")
    assert bo.client.post("/device/answer/", {"allow": "1"}).status_code == 302
    assert new.get(f"{address}state/").status_code == 200

    assert cards_in(new.get(table.get_absolute_url()).content.decode()) >= cards
    assert new.get(f"/characters/{sheet.pk}/edit/").status_code == 200
    assert sheet.name in new.get("/characters/").content.decode()
    assert person_on(new).name == "ボー"
    assert SeatNote.objects.filter(kind=SeatNote.SeatNoteKind.MOVED, name="ボー", session=session).exists()
    for page in (table.get_absolute_url(), f"/characters/{sheet.pk}/", session.get_absolute_url()):
        left = bo.client.get(page)
        assert left.status_code == 404
        assert not cards_in(left.content.decode())
    assert Person.objects.get(pk=bo.person.pk).name == ""


def test_the_key_alone_transfers_a_guest_whose_old_device_is_away(bo: Somebody, sheet: Any) -> None:
    new, address = Client(), f"/device/{shown_key(bo)}/"
    went_away(bo)
    new.post(address)
    assert owner_of(sheet) == person_on(new)


def test_a_transfer_waits_no_longer_for_an_old_device_that_goes_away(bo: Somebody, sheet: Any) -> None:
    new, address = Client(), f"/device/{shown_key(bo)}/"
    new.post(address)
    went_away(bo)
    assert new.get(f"{address}state/").status_code == 200
    assert "この端末に引き継ぐ" in new.get(address).content.decode()
    new.post(address)
    assert owner_of(sheet) == person_on(new)


def test_a_guest_is_transferred_only_if_the_old_device_allows(bo: Somebody, sheet: Any) -> None:
    new, address = Client(), f"/device/{shown_key(bo)}/"
    for _ in range(2):
        new.post(address)
    assert owner_of(sheet) == bo.person
    bo.client.post("/device/answer/", {"allow": "0"})
    assert new.get(address).status_code == new.post(address).status_code == 410
    assert owner_of(sheet) == bo.person


def test_a_transfer_key_works_once_for_the_first_device_that_asks(
    bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    first, address = Client(), f"/device/{shown_key(bo)}/"
    first.post(address)
    assert kei.client.get(address).status_code == kei.client.post(address).status_code == 410
    bo.client.post("/device/answer/", {"allow": "1"})
    went_away(bo)
    for client in (kei.client, Client()):
        assert client.post(address).status_code == 410
    assert first.post(address).status_code == 410, "nor does it open a second time for its own device"
    assert owner_of(sheet) == person_on(first)


def test_a_transfer_key_is_valid_for_ten_minutes_or_until_the_next(bo: Somebody) -> None:
    old, new = shown_key(bo), shown_key(bo)
    assert Client().post(f"/device/{old}/").status_code == 410
    PersonLink.objects.update(made_at=timezone.now() - timedelta(minutes=10, seconds=1))
    client = Client()
    assert client.get(f"/device/{new}/").status_code == client.post(f"/device/{new}/").status_code == 410
    went_away(bo)
    assert bo.client.post("/device/answer/", {"allow": "1"}).status_code == 410


def test_a_transfer_key_does_not_work_on_the_device_that_shows_it(bo: Somebody) -> None:
    address = f"/device/{shown_key(bo)}/"
    assert bo.client.get(address).status_code == bo.client.post(address).status_code == 410


def test_accounts_cannot_use_transfer_keys(bo: Somebody, ayumi: Somebody, sheet: Any) -> None:
    assert ayumi.client.get("/device/").status_code == ayumi.client.post("/device/").status_code == 404
    assert Client().post("/device/").status_code == 404
    address = f"/device/{shown_key(bo)}/"
    went_away(bo)
    assert ayumi.client.post(address).status_code == 409
    assert owner_of(sheet) == bo.person


def test_a_transfer_key_ends_when_the_guest_makes_an_account(bo: Somebody) -> None:
    address = f"/device/{shown_key(bo)}/"
    went_away(bo)
    Person.objects.filter(pk=bo.person.pk).update(user=User.objects.create_user("bo"))
    assert Client().post(address).status_code == 410


def test_only_a_hash_of_the_transfer_key_is_stored(bo: Somebody) -> None:
    key = shown_key(bo)
    link = PersonLink.objects.get()
    assert len(set(key) - set(person_links.SIGNS)) == 0
    assert len(key) == person_links.LENGTH
    assert key not in repr(vars(link))


def test_a_transfer_key_may_be_typed_with_spaces_dashes_and_capitals(bo: Somebody) -> None:
    key = shown_key(bo)
    spoken = f" {key[:4].upper()}-{key[4:8]} {key[8:]}"
    assert Client().get("/device/code/", {"key": spoken}).url == f"/device/{key}/"
    assert Client().get("/device/code/", {"key": "0oil"}).status_code == 422


def test_a_device_that_receives_a_guest_gives_up_its_empty_seat(
    session: Session, seats: list[Seat], bo: Somebody, kei: Somebody
) -> None:
    empty = sit(session, kei.person)
    address = f"/device/{shown_key(bo)}/"
    went_away(bo)
    assert kei.client.post(address).status_code == 302
    assert not Seat.objects.filter(pk=empty.pk).exists()
    assert session.seats.get(person=kei.person) == seats[1]


def test_a_device_whose_seat_has_a_character_receives_no_guest(
    session: Session, seats: list[Seat], bo: Somebody, kei: Somebody, sheet: Any
) -> None:
    own = sit(session, kei.person)
    nights.bring_character(seat=own, character=create_character(kei.person, SAMPLES[0]))
    address = f"/device/{shown_key(bo)}/"
    went_away(bo)
    assert kei.client.post(address).status_code == 410
    assert owner_of(sheet) == bo.person
    assert session.seats.get(person=bo.person) == seats[1]


def test_a_kicked_guest_stays_out_on_another_device(
    session: Session, seats: list[Seat], bo: Somebody
) -> None:
    nights.remove_seat(seat=seats[1])
    new, address = Client(), f"/device/{shown_key(bo)}/"
    went_away(bo)
    new.post(address)
    assert new.get(session.get_absolute_url()).status_code == 403


def test_erasing_a_guest_deletes_the_transfer_key(bo: Somebody) -> None:
    address = f"/device/{shown_key(bo)}/"
    personal_data.erase(bo.person, {})
    assert not PersonLink.objects.exists()
    assert Client().post(address).status_code == 410
