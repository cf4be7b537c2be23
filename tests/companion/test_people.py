"""The person of a device: the signed cookie, and the account over it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client, override_settings

from companion.identity import people
from companion.models import Person
from sessions.models import Session
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db

PAGES = ["/", "/j/", "/characters/", "/account/sign-in/"]


def bad_cookies(person: Person) -> dict[str, str]:
    """Return what a device may carry that is not ours to believe."""
    good, key = people.token(person), person.key.hex
    return {
        "empty": "",
        "unsigned": key,
        "unsigned with its separator": f"{key}:",
        "separator": ":",
        "forged": f"{key}:{'A' * 43}",
        "truncated": good[:-1],
        "lengthened": good + "A",
        "cut in the middle": good[: len(good) // 2],
        "another's key": good.replace(key, uuid4().hex),
        "signed with a foreign key": signing.Signer(key="another server", salt="companion.person").sign(key),
        "signed for something else": signing.Signer(salt="another purpose").sign(key),
        "signed, but nobody": people._signer.sign(uuid4().hex),
        "signed, but no key": people._signer.sign("nobody"),
        "signed nothing": people._signer.sign(""),
        "not ASCII": "卓上:コンパニオン".encode().decode("latin-1"),
        "control characters": "\x00\r\n",
        "megabytes": "A" * 1_000_000,
    }


@pytest.mark.parametrize("kind", bad_cookies(Person()))
def test_an_invalid_person_cookie_identifies_no_person(bo: Somebody, kind: str) -> None:
    value = bad_cookies(bo.person)[kind]
    assert people.person_by_token(value) is None
    for page in PAGES:
        answer = Client().get(page, headers={"Cookie": f"{people.COOKIE}={value}"})
        assert answer.status_code == 200
        assert answer.wsgi_request.person is None


def test_a_device_without_a_cookie_has_no_person() -> None:
    assert people.person_by_token(None) is None


def test_an_invalid_person_cookie_is_replaced_on_joining(session: Session) -> None:
    client = Client()
    client.cookies[people.COOKIE] = "forged"
    client.post(f"/j/{session.code}/", {"name": "はる", "role": "player"})
    seated = people.person_by_token(client.cookies[people.COOKIE].value)
    assert seated
    assert seated.name == "はる"


@pytest.mark.parametrize("https", [False, True])
def test_the_person_cookie_is_httponly_and_secure_under_https(session: Session, https: bool) -> None:
    with override_settings(HTTPS=https):
        client = Client()
        client.post(f"/j/{session.code}/", {"name": "はる", "role": "player"})
    cookie = client.cookies[people.COOKIE]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert bool(cookie["secure"]) is https
    assert cookie["max-age"] >= 60 * 60 * 24 * 30
    assert cookie["path"] == "/"


def test_viewing_pages_makes_no_person(client: Client) -> None:
    for page in PAGES:
        assert people.COOKIE not in client.get(page).cookies
    assert not Person.objects.exists()


def test_an_account_takes_precedence_over_the_devices_guest(bo: Somebody, ayumi: Somebody) -> None:
    assert bo.client.get("/").wsgi_request.person == bo.person
    bo.client.post("/account/sign-in/", {"login": "ayumi", "password": "ayumi"})
    assert bo.client.get("/").wsgi_request.person == ayumi.person
    bo.client.post("/account/sign-out/")
    assert bo.client.get("/").wsgi_request.person == bo.person


def test_the_person_cookie_holds_a_random_key_and_no_row_id(bo: Somebody) -> None:
    """A device's cookie holds a random key, not a number that can be counted through."""
    value, _, _ = people.token(bo.person).partition(":")
    assert value == bo.person.key.hex
    assert bo.person.key.version == 4
