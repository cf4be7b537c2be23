"""Access to one's own characters only."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.models import Character
from characters.urls import pages
from tests.evening import clear_caches

pytestmark = pytest.mark.django_db
ADDRESSES = [pattern.name for pattern in pages if "pk" in str(pattern.pattern)]


def ask(client, name, pk):
    one = ["remove-item", "confirm-experience", "take-back", "revision", "restore"]
    one += ["relabel-face", "move-face", "remove-face"]
    more = [1] if name in one else [1, "led"] if "tick-" in name else []
    address = reverse(f"characters:{name}", args=[pk, *more])
    return client.get(address), client.post(address)


def test_other_people_cannot_tell_whether_a_sheet_exists(kei, gm, sheet):
    for name in ADDRESSES:
        clear_caches()  # no limit of requests answers in place of the page
        for client in (kei.client, gm.client, Client()):
            for there, nowhere in zip(ask(client, name, sheet.pk), ask(client, name, 999_999), strict=True):
                assert there.status_code == nowhere.status_code, name
                assert there.status_code in (404, 405), name
        assert Character.objects.get(pk=sheet.pk).name == "朔", name


def test_a_sheet_number_out_of_range_is_not_found(ayumi):
    for name in ADDRESSES:
        clear_caches()
        assert {answer.status_code for answer in ask(ayumi.client, name, 10**30)} <= {404, 405}, name


def test_the_character_list_shows_only_the_readers_characters(ayumi, kei, sheet):
    shelf = reverse("characters:shelf")
    assert "朔" in ayumi.client.get(shelf).content.decode()
    assert "朔" not in kei.client.get(shelf).content.decode()
    assert "まだだれもいません" in Client().get(shelf).content.decode()


def test_viewing_the_character_list_makes_no_person(client, django_assert_num_queries):
    client.get(reverse("characters:shelf"))
    assert "takujo" not in client.cookies


def test_a_form_without_csrf_token_makes_no_character():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(reverse("characters:start"), {"method": "standard"}).status_code == 403
    assert not Character.objects.exists()
