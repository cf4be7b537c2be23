"""A server that guests reach has no bench."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import NoReverseMatch, reverse

from sessions.bench import urls

ADDRESSES, NAMESPACE = urls.bench


@pytest.mark.django_db
def test_no_address_of_a_bench_is_there() -> None:
    for address in ADDRESSES:
        with pytest.raises(NoReverseMatch):
            reverse(f"{NAMESPACE}:{address.name}")
        asked = f"/bench/{address.pattern}"
        assert {Client().get(asked).status_code, Client().post(asked).status_code} == {404}, asked


@pytest.mark.django_db
def test_nobody_may_put_its_pages_in_a_frame() -> None:
    answer = Client().get("/")
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert not any("bench" in name for name in [*settings.INSTALLED_APPS, *settings.MIDDLEWARE])


def test_an_evening_has_no_secret_that_somebody_chose() -> None:
    with pytest.raises(CommandError, match="--game"):
        call_command("play", secret="abc")
