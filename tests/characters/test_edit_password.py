"""The password with which a sheet is rewritten from any device, without an account."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters import access
from characters.models import Character
from characters.services import exchange
from companion.requests.throttle import cache

pytestmark = pytest.mark.django_db

PASSWORD = "ほたるいか🦑"


@pytest.fixture
def locked(sheet):
    access.set_password(character=sheet, password=PASSWORD)
    sheet.refresh_from_db()
    return sheet


def give(client, sheet, password):
    return client.post(reverse("characters:unlock", args=[sheet.share_key]), {"password": password})


def edit(client, sheet):
    return client.get(reverse("characters:edit", args=[sheet.pk]))


def test_a_device_with_the_password_edits_the_sheet_and_nothing_else(locked, ayumi):
    phone = Client()
    link = reverse("characters:shared", args=[locked.share_key])
    assert reverse("characters:unlock", args=[locked.share_key]) in phone.get(link).content.decode()
    assert edit(phone, locked).status_code == 404
    assert give(phone, locked, PASSWORD).url == reverse("characters:edit", args=[locked.pk])
    form = edit(phone, locked).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    answer = phone.post(reverse("characters:edit", args=[locked.pk]), sent | {"name": "新しい名"})
    assert answer.url == locked.get_absolute_url()
    locked.refresh_from_db()
    assert locked.name == "新しい名"
    assert phone.get(locked.get_absolute_url()).status_code == 200
    assert phone.post(reverse("characters:set-hp", args=[locked.pk]), {"hp": 0}).status_code == 302
    for name in ("delete", "show-to", "end-link", "set-password", "end-password", "history", "face", "buy"):
        answer = phone.post(reverse(f"characters:{name}", args=[locked.pk]), {"password": "abcdef"})
        assert answer.status_code in (404, 405), name
        assert phone.get(reverse(f"characters:{name}", args=[locked.pk])).status_code in (404, 405), name
    assert Character.objects.get().owner == ayumi.person


def test_a_new_password_or_the_end_of_the_link_shuts_devices_out(locked):
    phone = Client()
    give(phone, locked, PASSWORD)
    access.set_password(character=locked, password="another one")
    assert edit(phone, locked).status_code == 404
    give(phone, locked, "another one")
    assert edit(phone, locked).status_code == 200
    access.end_link(character=locked)
    assert edit(phone, locked).status_code == 404
    assert Character.objects.get().edit_password == ""


@pytest.mark.parametrize("password", ["", "x", "nul\x00", PASSWORD + "x", "x" * 10_000])
def test_a_wrong_edit_password_is_refused(locked, password):
    phone = Client()
    answer = give(phone, locked, password)
    assert answer.status_code == 422
    assert "パスワードと違います" in answer.content.decode()
    assert edit(phone, locked).status_code == 404


def test_a_sheet_without_a_password_has_no_password_page(sheet):
    access.make_link(character=sheet)
    sheet.refresh_from_db()
    assert give(Client(), sheet, "").status_code == 404


@pytest.mark.parametrize("password", ["", "12345", "x" * 129])
def test_an_edit_password_that_is_too_short_or_long_is_refused(sheet, ayumi, password):
    ayumi.client.post(reverse("characters:set-password", args=[sheet.pk]), {"password": password})
    assert Character.objects.get().edit_password == ""


def test_after_five_wrong_edit_passwords_a_right_one_is_refused(locked):
    phone = Client()
    for guess in range(5):
        assert give(phone, locked, f"guess {guess}").status_code == 422
    refused = give(phone, locked, PASSWORD)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 300
    assert "また試せます" in refused.content.decode()
    cache.clear()
    assert give(phone, locked, PASSWORD).status_code == 302


def test_guesses_from_many_addresses_do_not_lock_others_out_of_a_sheet(locked):
    for number in range(35):
        give(Client(REMOTE_ADDR=f"10.1.0.{number}"), locked, "guess")
        give(Client(REMOTE_ADDR=f"10.1.0.{number}"), locked, "guess")
    friend = Client(REMOTE_ADDR="10.0.0.1")
    assert give(friend, locked, PASSWORD).status_code == 302


def test_wrong_passwords_for_one_sheet_do_not_lock_another(locked):
    other = exchange.copy_character(character=locked, name="ふたり目")
    access.set_password(character=other, password=PASSWORD)
    other.refresh_from_db()
    for number in range(5):
        give(Client(), locked, f"guess {number}")
    assert give(Client(), other, PASSWORD).status_code == 302


def test_a_device_with_access_is_not_locked_out_by_guesses_of_others(locked):
    phone = Client()
    give(phone, locked, PASSWORD)
    for number in range(5):
        give(Client(), locked, f"guess {number}")
    assert give(phone, locked, "").url == reverse("characters:edit", args=[locked.pk])


def test_the_edit_password_is_stored_as_a_hash(locked, ayumi):
    assert PASSWORD not in Character.objects.get().edit_password
    assert locked.edit_password not in ayumi.client.get(locked.get_absolute_url()).content.decode()
