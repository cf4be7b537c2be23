"""Keys, recovery codes and one-time links: a right one opens, also after others' failures there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from companion.identity import gm_link, person_links
from companion.models import Person
from sessions.evening import devices
from sessions.models import Session
from tests.evening import sit

pytestmark = pytest.mark.django_db


def a_recovery_code(session: Session) -> str:
    return f"/device/{person_links.issue_code(Person.objects.create())}/"


def a_seats_link(session: Session) -> str:
    seat = sit(session, Person.objects.create(name="ナオ"))
    return f"/seat/{devices.issue(seat=seat)}/"


def a_gms_link(session: Session) -> str:
    return f"/gm/enter/{gm_link.issue()}/"


@pytest.mark.parametrize("way", [a_recovery_code, a_seats_link, a_gms_link])
def test_wrong_keys_do_not_lock_out_a_device_with_the_right_key(
    session: Session, way: Callable[[Session], str]
) -> None:
    right = way(session)
    wrong = right.rsplit("/", 2)[0] + "/222222222222/"
    # As pictures in the page of any other site.
    assert {Client().get(wrong).status_code for _ in range(65)} <= {404, 410}
    assert Client().post(wrong).status_code in (404, 410), "looking has counted nothing"
    before = Person.objects.count()
    assert [Client().post(wrong).status_code for _ in range(25)][-1] == 429
    assert Person.objects.count() == before
    phone = Client()
    assert phone.get(right).status_code == 200
    assert phone.post(right).status_code == 302


def test_a_post_from_another_site_does_not_count_as_a_wrong_key(session: Session) -> None:
    wrong = "/device/222222222222/"
    checked = Client(enforce_csrf_checks=True)
    assert {checked.post(wrong).status_code for _ in range(30)} == {403}
    assert Client().post(wrong).status_code == 410
