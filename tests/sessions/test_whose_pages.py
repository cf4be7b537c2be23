"""The person of a device changes while its pages are open: none of them acts for the one before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session as WebSession
from django.test import Client

from companion.models import Person, User
from sessions.evening import devices
from sessions.live import consumer_base
from sessions.models import Seat, Table
from tests.conftest import Somebody
from tests.evening import ws_path
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "sumire-no-hana"


@pytest.fixture
def mio(db: None) -> Person:
    """Has an account, and no seat here."""
    return Person.objects.create(user=User.objects.create_user("mio", password="mio"), name="ミオ")


def signed_in(who: str) -> Somebody:
    """Return another device of an account."""
    person, client = Person.objects.get(user__username=who), Client()
    client.force_login(person.user)
    return Somebody(person, client)


def signs_in(device: Somebody, table: Table) -> None:
    device.client.post("/account/sign-in/", {"login": "mio", "password": "mio"})


def signs_up(device: Somebody, table: Table) -> None:
    fields = {"username": "haru", "password1": PASSWORD, "password2": PASSWORD}
    assert device.client.post("/account/sign-up/", fields).status_code == 302


def is_erased(device: Somebody, table: Table) -> None:
    assert device.client.post("/account/delete/").status_code == 302


def gives_its_seat_away(device: Somebody, table: Table) -> None:
    seat = Seat.objects.get(person=device.person, session=table.session_id)
    assert Client().post(f"/seat/{devices.issue(seat=seat)}/").status_code == 302


@pytest.mark.parametrize("does", [signs_in, signs_up, is_erased, gives_its_seat_away])
async def test_a_guests_open_table_page_closes_when_the_device_changes_person(
    server: ThreadServer, table: Table, bo: Somebody, mio: Person, does: Callable[[Somebody, Table], None]
) -> None:
    async with phone(server, bo, ws_path(table)) as open_page:
        await open_page.until_version(0)
        await database_sync_to_async(does)(bo, table)
        assert await open_page.closing_code() == consumer_base.GONE


def signs_out(device: Somebody) -> None:
    device.client.post("/account/sign-out/")


def changes_the_password_elsewhere(device: Somebody) -> None:
    fields = {"oldpassword": "ayumi", "password1": PASSWORD, "password2": PASSWORD}
    assert signed_in("ayumi").client.post("/account/password/", fields).status_code == 302


def is_signed_out_by_time(device: Somebody) -> None:
    WebSession.objects.filter(session_key=device.cookies["sessionid"]).delete()


@pytest.mark.parametrize("does", [signs_out, changes_the_password_elsewhere, is_signed_out_by_time])
async def test_an_accounts_open_table_page_closes_on_a_signed_out_device(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    does: Callable[[Somebody], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumer_base, "CHECK_PERSON_EVERY", 0 if does is is_signed_out_by_time else 3_600)
    other = await database_sync_to_async(signed_in)("ayumi")
    async with (
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, other, ws_path(table)) as two,
    ):
        await one.until_version(0)
        await two.until_version(0)
        await database_sync_to_async(does)(ayumi)
        if does is is_signed_out_by_time:
            await one.socket.send('{"ping": 1}')
        assert await one.closing_code() == consumer_base.GONE
        if does is not changes_the_password_elsewhere:
            await two.pong()


def test_a_guest_who_signed_in_can_move_the_seat_to_the_account(
    table: Table, bo: Somebody, mio: Person
) -> None:
    signs_in(bo, table)
    for page in (table.get_absolute_url(), table.session.get_absolute_url()):
        answer = bo.client.get(page)
        assert answer.status_code == 409
        assert "ボーの席をアカウントに移しますか" in answer.content.decode()
    answer = bo.client.post("/account/device/", {"next": page})
    assert answer.url == page
    assert bo.client.get(page).status_code == 200
    assert bo.client.get(table.get_absolute_url()).status_code == 200
    assert Seat.objects.get(name="ボー").person == mio


def test_a_guest_who_signed_in_gets_the_seat_back_by_signing_out(
    table: Table, bo: Somebody, mio: Person
) -> None:
    signs_in(bo, table)
    page = table.get_absolute_url()
    assert bo.client.post("/account/sign-out/", {"next": page}).url == page
    assert bo.client.get(page).status_code == 200


def test_moving_a_seat_to_an_account_does_not_redirect_to_other_sites(
    bo: Somebody, table: Table, mio: Person
) -> None:
    signs_in(bo, table)
    assert bo.client.post("/account/device/", {"next": "//evil.example/"}).url == "/account/"


def test_a_device_is_told_that_its_seat_moved_to_another_device(table: Table, bo: Somebody) -> None:
    gives_its_seat_away(bo, table)
    answer = bo.client.get(table.get_absolute_url())
    assert answer.status_code == 410
    assert "別の端末" in answer.content.decode()


@pytest.mark.parametrize("known", [True, False])
def test_a_visitor_is_told_to_sign_in_and_nothing_of_the_session(table: Table, known: bool) -> None:
    pk = table.pk if known else 987_654
    answer = Client().get(f"/t/{pk}/")
    assert answer.status_code == 404
    page = answer.content.decode()
    assert f"/account/sign-in/?next=/t/{pk}/" in page
    assert table.session.title not in page


@pytest.mark.parametrize("too", [True, False])
def test_erasing_an_account_asks_about_the_guest_of_the_device(
    table: Table, bo: Somebody, mio: Person, too: bool
) -> None:
    signs_in(bo, table)
    bo.client.post("/account/confirm/", {"password": "mio"})
    page = bo.client.get("/account/delete/").content.decode()
    assert 'name="device"' in page
    assert table.session.title in page
    said = bo.client.post("/account/delete/", {"device": "1"} if too else {}, follow=True).content.decode()
    assert not User.objects.filter(username="mio").exists()
    assert ("まだ残っています" in said) is not too
    assert Seat.objects.filter(person=bo.person, removed_at=None).exists() is not too
    assert bool(bo.client.get("/").wsgi_request.person) is not too
    assert (bo.client.get(table.get_absolute_url()).status_code == 200) is not too
