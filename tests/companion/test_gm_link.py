"""Becoming the GM by the link in the terminal."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from companion.identity import gm_link
from companion.models import GmLink, Person, User
from tests.sessions.test_races import at_once


def address(token: str) -> str:
    return reverse("companion:gm-enter", args=[token])


def test_the_gm_link_signs_a_browser_in_as_the_gm_with_one_tap(client: Client, db: None) -> None:
    page = client.get(address(gm_link.issue()))
    assert page.status_code == 200
    form = page.content.decode().partition('<form method="post">')[2].partition("</form>")[0]
    assert "この卓のGMになる" in form
    assert form.count("<input") == form.count('type="hidden"'), "nothing to fill in"

    answer = client.post(page.request["PATH_INFO"])

    assert answer.status_code == 302
    user = client.get("/").wsgi_request.user
    assert (user.username, user.is_superuser, user.is_staff) == ("gm", True, True)
    assert not user.has_usable_password()
    assert user.person.name == "GM"
    assert client.get("/admin/").status_code == 200


def test_opening_the_gm_link_does_not_use_it_up(client: Client, db: None) -> None:
    token = gm_link.issue()
    for _ in range(3):
        assert client.head(address(token)).status_code == 200
        assert client.get(address(token)).status_code == 200
    assert gm_link.redeem(token)


def test_a_used_gm_link_is_gone_for_others_and_leads_the_gm_on(client: Client, db: None) -> None:
    token = gm_link.issue()
    client.post(address(token))

    for answer in (Client().get(address(token)), Client().post(address(token))):
        assert answer.status_code == 410
        assert "_auth_user_id" not in answer.wsgi_request.session
        assert "ターミナル" in answer.content.decode()
    for answer in (client.get(address(token)), client.post(address(token))):
        assert answer.status_code == 302


def test_a_player_who_opens_a_used_gm_link_stays_a_player(ayumi) -> None:
    token = gm_link.issue()
    gm_link.redeem(token)
    assert ayumi.client.post(address(token)).status_code == 410
    assert ayumi.client.get("/").wsgi_request.user.username == "ayumi"


@pytest.mark.parametrize("token", ["x", "…", "a" * 5000, "%00", "'--"])
def test_an_unknown_gm_link_is_not_found(client: Client, db: None, token: str) -> None:
    assert client.get(address(token)).status_code == 404
    assert client.post(address(token)).status_code == 404


def test_a_gm_link_is_valid_for_a_day(client: Client, db: None) -> None:
    token = gm_link.issue()
    GmLink.objects.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert client.get(address(token)).status_code == 200
    GmLink.objects.update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    assert client.post(address(token)).status_code == 404
    assert not User.objects.exists()


def test_a_new_gm_link_ends_earlier_links(db: None) -> None:
    old, new = gm_link.issue(), gm_link.issue()
    assert gm_link.redeem(old) is None
    assert gm_link.redeem(new) is not None


def test_the_database_does_not_store_the_token_of_a_gm_link(db: None) -> None:
    token = gm_link.issue()
    assert token not in str(GmLink.objects.values_list())


def test_two_gm_links_sign_in_to_one_account(db: None) -> None:
    assert gm_link.redeem(gm_link.issue()) == gm_link.redeem(gm_link.issue())
    assert (User.objects.count(), Person.objects.count()) == (1, 1)


def test_a_gm_who_changed_their_name_keeps_the_new_one(db: None) -> None:
    user = gm_link.ensure_home_gm()
    Person.objects.filter(user=user).update(name="よしの")
    assert gm_link.ensure_home_gm().person.name == "よしの"


@pytest.mark.django_db(transaction=True)
def test_a_gm_link_opened_by_browsers_at_once_signs_one_in() -> None:
    token, let_in = gm_link.issue(), []
    assert at_once(*[lambda: let_in.append(gm_link.redeem(token))] * 4) == []
    assert sorted(user is not None for user in let_in) == [False, False, False, True]


def test_a_post_to_a_gm_link_from_another_site_is_refused(db: None) -> None:
    token = gm_link.issue()
    assert Client(enforce_csrf_checks=True).post(address(token)).status_code == 403
    assert gm_link.is_valid(token)
