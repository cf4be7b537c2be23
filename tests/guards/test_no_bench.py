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
def test_a_server_for_guests_has_no_bench_pages() -> None:
    for address in ADDRESSES:
        with pytest.raises(NoReverseMatch):
            reverse(f"{NAMESPACE}:{address.name}")
        asked = f"/bench/{address.pattern}"
        assert {Client().get(asked).status_code, Client().post(asked).status_code} == {404}, asked


@pytest.mark.django_db
def test_no_site_may_frame_the_pages_of_a_server() -> None:
    answer = Client().get("/")
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert not any("bench" in name for name in [*settings.INSTALLED_APPS, *settings.MIDDLEWARE])


def test_the_play_command_takes_no_chosen_secret() -> None:
    with pytest.raises(CommandError, match="--game"):
        call_command("play", secret="abc")
