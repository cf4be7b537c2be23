"""Several guests hand one device to each other: the curtain, and what lies behind it."""

from __future__ import annotations

import re

import pytest
from django.core import signing
from django.test import Client

from companion.identity import people, person_links, shared_device
from companion.models import Person
from companion.pages.home_screen import mark
from sessions.evening import free_sessions
from sessions.models import Session
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import cards_in, hand, sit

pytestmark = pytest.mark.django_db

CURTAIN = "/device/curtain/"
PAGE = {"Accept": "text/html"}


@pytest.fixture
def haru(session: Session, bo: Somebody) -> Somebody:
    """A guest with a seat, at whose device another one sits down."""
    sit(session, bo.person)
    return bo


def sit_down(haru: Somebody, session: Session, name: str = "アキ") -> Person:
    answer = haru.client.post(f"/s/{session.pk}/beside/", {"name": name, "role": "player"})
    assert answer.headers.get("Location") == CURTAIN
    return session.seats.get(name=name).person


def look(client: Client, person: Person) -> str:
    """Press the curtain's button for a person, and return where it leads."""
    return str(client.post(CURTAIN, {"to": mark(person), "open": ""}).headers["Location"])


def here(client: Client) -> Person | None:
    """Return whose pages a device gets."""
    found: Person | None = client.get("/kept/").wsgi_request.person  # type: ignore[attr-defined]
    return found


def test_a_second_guest_of_a_device_gets_a_seat_and_opens_the_curtain(
    haru: Somebody, session: Session
) -> None:
    asked = haru.client.get(f"/s/{session.pk}/beside/").content.decode()
    assert "ボーさんの手札は" in asked
    aki = sit_down(haru, session)
    assert aki != haru.person
    assert here(haru.client) is None
    assert "アキさんに渡してください" in haru.client.get(CURTAIN).content.decode()
    assert look(haru.client, aki) == f"/s/{session.pk}/"
    assert here(haru.client) == aki


def test_every_page_redirects_to_the_curtain_while_it_is_closed(haru: Somebody, session: Session) -> None:
    table = opening.open_table(session=session, module_key="uroboros", players=list(session.seats.all()[1:]))
    sit_down(haru, session)
    for path in ["/", f"/s/{session.pk}/", table.get_absolute_url(), "/characters/", f"/j/{session.code}/"]:
        assert haru.client.get(path, headers=PAGE).headers["Location"] == CURTAIN, path
        assert haru.client.post(path).headers["Location"] == CURTAIN, path
    shown = haru.client.get(CURTAIN)
    assert "no-store" in shown["Cache-Control"]
    assert shown["Kept-Of"] == "", "what the device kept of somebody is dropped"
    assert cards_in(shown.content.decode()) == set()


def test_people_of_a_shared_device_see_only_their_own_hands(haru: Somebody, session: Session) -> None:
    aki = sit_down(haru, session)
    seats = [session.seats.get(person=haru.person), session.seats.get(person=aki)]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    address = table.get_absolute_url()
    hands = {haru.person: set(hand(table, "p1")), aki: set(hand(table, "p2"))}
    for person, other in ((aki, haru.person), (haru.person, aki)):
        haru.client.post(CURTAIN, {"to": mark(person), "back": address})
        assert look(haru.client, person) == address
        page = haru.client.get(address, headers=PAGE).content.decode()
        assert hands[person] <= cards_in(page)
        assert not hands[other] & cards_in(page)
        assert page.count("data-beside") == 1, "the other one can be called to the table"


def test_only_the_called_person_can_open_the_curtain(haru: Somebody, session: Session, kei: Somebody) -> None:
    aki = sit_down(haru, session)
    assert look(haru.client, haru.person) == CURTAIN
    assert look(haru.client, kei.person) == CURTAIN
    assert here(haru.client) is None
    haru.client.post(CURTAIN, {"to": mark(kei.person)})
    assert "アキさんに" in haru.client.get(CURTAIN).content.decode()
    haru.client.post(CURTAIN, {"to": mark(haru.person)})
    assert look(haru.client, aki) == CURTAIN, "somebody else is called now"
    look(haru.client, haru.person)
    assert here(haru.client) == haru.person


def test_the_curtain_does_not_redirect_to_other_sites(haru: Somebody, session: Session) -> None:
    aki = sit_down(haru, session)
    for back in ["https://example.org/", "//example.org/", "javascript:alert(1)"]:
        haru.client.post(CURTAIN, {"to": mark(aki), "back": back})
        assert look(haru.client, aki) == "/"


def test_the_curtain_returns_the_current_person_to_the_session(haru: Somebody, session: Session) -> None:
    look(haru.client, sit_down(haru, session))
    assert haru.client.get(CURTAIN).headers["Location"] == f"/s/{session.pk}/"


def test_at_most_four_people_share_a_device(haru: Somebody, session: Session) -> None:
    for name in ["アキ", "ナツ", "フユ"]:
        look(haru.client, sit_down(haru, session, name))
    answer = haru.client.post(f"/s/{session.pk}/beside/", {"name": "五人目", "role": "player"})
    assert "もう4人が座っています" in answer.content.decode()
    assert session.seats.filter(name="五人目").count() == 0


def test_a_second_guest_of_a_device_cannot_use_a_taken_name(haru: Somebody, session: Session) -> None:
    before = Person.objects.count()
    answer = haru.client.post(f"/s/{session.pk}/beside/", {"name": "ボー", "role": "player"})
    assert answer.status_code == 422
    assert Person.objects.count() == before
    assert here(haru.client) == haru.person


def test_the_device_of_an_account_cannot_be_shared(session: Session, ayumi: Somebody) -> None:
    sit(session, ayumi.person)
    answer = ayumi.client.post(f"/s/{session.pk}/beside/", {"name": "アキ", "role": "player"})
    assert "サインインしていない人だけ" in answer.content.decode()
    assert session.seats.filter(name="アキ").count() == 0


def test_a_second_guest_of_a_device_cannot_join_while_joining_is_closed(
    haru: Somebody, session: Session
) -> None:
    Session.objects.filter(pk=session.pk).update(joining_open=False)
    haru.client.post(f"/s/{session.pk}/beside/", {"name": "アキ", "role": "player"})
    assert session.seats.filter(name="アキ").count() == 0


def test_a_guest_needs_a_recovery_code_to_leave_a_shared_device(haru: Somebody, session: Session) -> None:
    aki = sit_down(haru, session)
    look(haru.client, aki)
    haru.client.post("/device/stand/")
    assert here(haru.client) == aki, "without a code nobody gets up"
    code = haru.client.post("/device/recovery/").content.decode()
    assert re.search(r"([2-9a-z]{4} ){2}[2-9a-z]{4}", code)
    assert "/device/stand/" in code
    assert haru.client.post("/device/stand/").headers["Location"] == CURTAIN
    assert look(haru.client, aki) == CURTAIN
    look(haru.client, haru.person)
    assert here(haru.client) == haru.person
    assert haru.client.get(CURTAIN).status_code == 404, "a device of one guest is as it was"
    assert session.seats.get(person=aki).removed_at is None


def test_a_guest_who_signs_up_leaves_the_shared_device(haru: Somebody, session: Session) -> None:
    aki = sit_down(haru, session)
    look(haru.client, aki)
    made = {"username": "aki", "password1": "gBzt9!kkw", "password2": "gBzt9!kkw"}
    haru.client.post("/account/sign-up/", made)
    aki.refresh_from_db()
    assert aki.user, "an account was made"
    assert haru.client.get(CURTAIN).status_code == 404
    haru.client.post("/account/sign-out/")
    assert "ボーさんに渡してください" in haru.client.get(CURTAIN).content.decode()


def test_a_guest_who_moves_to_another_device_leaves_the_shared_one(
    haru: Somebody, session: Session, kei: Somebody
) -> None:
    aki = sit_down(haru, session)
    look(haru.client, aki)
    person_links.vouch(aki, kei.person, by="GM")
    assert "ボーさんに渡す" in haru.client.get("/").content.decode(), "the way back to the others"
    haru.client.post(CURTAIN, {"to": mark(haru.person), "back": "/"})
    assert mark(aki) not in haru.client.get(CURTAIN).content.decode()
    look(haru.client, haru.person)
    assert here(haru.client) == haru.person


def test_the_curtain_calls_a_host_without_a_name_by_the_seats_name(kei: Somebody) -> None:
    Person.objects.filter(pk=kei.person.pk).update(name="")
    kei.person.refresh_from_db()
    seat = free_sessions.open_with_friends(kei.person, "")
    kei.person.refresh_from_db()
    assert kei.person.name == ""
    sit_down(kei, seat.session)
    kei.client.post(CURTAIN, {"to": mark(kei.person)})
    assert f"{seat.name}さんに渡してください" in kei.client.get(CURTAIN).content.decode()


@pytest.mark.parametrize("kind", ["forged", "foreign", "of people who are nobody"])
def test_an_invalid_shared_device_cookie_is_ignored(haru: Somebody, kei: Somebody, kind: str) -> None:
    keys = {"people": [kei.person.key.hex], "called": kei.person.key.hex, "back": "/"}
    value = {
        "forged": signing.dumps(keys, key="another server", salt=shared_device.SALT),
        "foreign": signing.dumps(keys, salt="another purpose"),
        "of people who are nobody": signing.dumps(keys | {"people": ["0" * 32]}, salt=shared_device.SALT),
    }[kind]
    for client in (Client(), haru.client):
        client.cookies[shared_device.COOKIE] = value
        assert client.get(CURTAIN).status_code == 404
        assert client.post(CURTAIN, {"to": mark(kei.person), "open": ""}).status_code == 404
        assert here(client) != kei.person


def test_a_shared_device_cookie_of_other_people_is_ignored(haru: Somebody, kei: Somebody) -> None:
    keys = {"people": [kei.person.key.hex], "called": "", "back": "/"}
    haru.client.cookies[shared_device.COOKIE] = signing.dumps(keys, salt=shared_device.SALT)
    assert haru.client.get(CURTAIN).status_code == 404
    assert people.COOKIE in haru.client.cookies
