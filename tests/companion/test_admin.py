"""The admin: a host edits the reference tables and closes accounts there, and nothing else."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.core.exceptions import SuspiciousOperation
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from characters.models import ExperienceLine, ItemPower, NpcRank
from companion.models import User
from tests.conftest import Somebody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_rows")]

SHOWN = [User, ItemPower, NpcRank, ExperienceLine]
each_model = pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)


def address(page: str, model: type[Model], *arguments: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def pages(model: type[Model]) -> list[str]:
    """Return the address of every page that the admin has for a model and its rows."""
    found = [address("changelist", model), address("changelist", model) + "?q=a", address("add", model)]
    for row in itertools.islice(model._default_manager.all(), 20):
        found += [address(page, model, row.pk) for page in ("change", "history", "delete")]
    return found


def test_the_admin_has_the_reference_tables_and_the_accounts() -> None:
    assert set(admin.site._registry) == set(SHOWN)


@each_model
def test_every_admin_page_loads_for_the_host(gm: Somebody, model: type[Model]) -> None:
    answers = {path: gm.client.get(path).status_code for path in pages(model)}
    refused = {path for path in answers if model is User and path.endswith(("/add/", "/delete/"))}
    assert answers == {path: 403 if path in refused else 200 for path in answers}
    assert gm.client.get("/admin/").status_code == 200


@each_model
def test_players_and_strangers_see_no_admin_page(
    gm: Somebody, ayumi: Somebody, bo: Somebody, model: type[Model]
) -> None:
    for client in (ayumi.client, bo.client, Client()):
        for path in pages(model)[:6]:
            answer = client.get(path)
            assert answer.status_code == 302
            assert answer.url.startswith("/admin/login/")


def test_an_odd_query_string_does_not_break_an_admin_form(gm: Somebody) -> None:
    page = address("add", ItemPower) + "?texts=x&value=x&table=%E7%A5%86"
    assert gm.client.get(page).status_code == 200


def test_an_unknown_row_number_leads_to_the_front_page_of_the_admin(gm: Somebody) -> None:
    assert gm.client.get(address("change", User, 10**30)).url == "/admin/"


@each_model
def test_every_filter_of_an_admin_list_works(gm: Somebody, model: type[Model]) -> None:
    page = gm.client.get(address("changelist", model))
    for query in map(html.unescape, set(re.findall(r'href="\?([^"]+)"', page.content.decode()))):
        answer = gm.client.get(f"{address('changelist', model)}?{query}")
        assert (answer.status_code, answer.request["QUERY_STRING"]) == (200, query)


def lookups() -> Iterator[str]:
    """Yield what an address may ask of every field of an account, and of what it leads to."""
    for field in User._meta.get_fields():
        yield from (f"{field.name}__{how}" for how in ("regex", "gt"))
        if field.is_relation and field.related_model:
            yield from (f"{field.name}__{other.name}__regex" for other in field.related_model._meta.fields)


def test_the_account_list_refuses_lookups_that_are_not_its_filters(gm: Somebody) -> None:
    page = address("changelist", User)
    assert gm.client.get(page, {"password__regex": "^a"}).status_code == 400
    for lookup in lookups():
        request = RequestFactory().get(page, {lookup: "^a"})
        request.user = gm.person.user
        with pytest.raises(SuspiciousOperation):
            admin.site.get_model_admin(User).get_changelist_instance(request)


def test_the_host_closes_and_opens_an_account_and_changes_nothing_else(gm: Somebody, ayumi: Somebody) -> None:
    user = ayumi.person.user
    assert user
    before = User.objects.values().get(pk=user.pk)
    page = address("change", User, user.pk)
    assert ayumi.client.get(reverse("companion:account")).status_code == 200
    forged = {"username": "x", "email": "gm@example.org", "password": "x", "is_superuser": "on"}
    gm.client.post(page, forged)
    assert User.objects.values().get(pk=user.pk) == before | {"is_active": False}
    assert ayumi.client.get(reverse("companion:account")).status_code == 302, "signed out at once"
    gm.client.post(page, forged | {"is_active": "on"})
    assert User.objects.values().get(pk=user.pk) == before


def test_the_admin_is_entered_by_the_throttled_sign_in_page(
    client: Client, gm: Somebody, ayumi: Somebody
) -> None:
    guess = {"username": "gm", "login": "gm", "password": "wrong"}
    answers = [client.post("/admin/login/", guess, follow=True).status_code for _ in range(3)]
    assert set(answers) == {200}, "the sign-in page of everybody, and nothing is tried"
    way_in = client.get("/admin/login/?next=/admin/").url
    assert way_in.startswith(reverse("account_login"))
    assert [client.post(way_in, guess).status_code for _ in range(12)][-1] == 429
    assert gm.client.get("/admin/login/").status_code == 302
    assert ayumi.client.get("/admin/login/").status_code == 403
