"""A seat that is open on two screens: its own pages say so, and only they."""

from __future__ import annotations

import time

import pytest
from django.core.cache import cache

from sessions.evening import presence
from sessions.evening.presence import SILENT_AFTER, TOGETHER_FOR, Sign
from sessions.live import heartbeats
from sessions.models import Table
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import ThreadServer

SEAT, OTHER = 7, 8
LONG = 60


def lived(**pages: tuple[float, float]) -> None:
    """Remember pages of the seat, by the seconds since their first and since their last sign of life."""
    now = time.time()
    signs = {page: (now - first, now - last) for page, (first, last) in pages.items()}
    cache.set(presence._pages_key(SEAT), signs)


def sign(page: str, *, is_open: bool = True) -> None:
    presence.note_open_pages([Sign(SEAT, page, is_open)])


def is_open_twice() -> bool:
    return presence.seats_open_twice([SEAT, OTHER]) == {SEAT}


def test_a_seat_with_two_pages_for_some_seconds_counts_as_open_twice() -> None:
    lived(laptop=(LONG, 2), phone=(TOGETHER_FOR + 1, 0))
    assert not is_open_twice(), "the laptop has been seen for too short a time beside the phone"
    sign("laptop")
    assert is_open_twice()
    sign("phone", is_open=False)
    assert not is_open_twice()


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "unheard"])
def test_a_reloaded_page_does_not_count_as_a_second_page(closed: bool) -> None:
    lived(before=(LONG, TOGETHER_FOR + 2), after=(TOGETHER_FOR + 1, 1))
    if closed:
        sign("before", is_open=False)
    sign("after")
    assert not is_open_twice()


def test_a_silent_page_counts_as_closed() -> None:
    lived(laptop=(LONG, SILENT_AFTER), phone=(LONG, 0))
    assert not is_open_twice()
    sign("phone")
    assert cache.get(presence._pages_key(SEAT)).keys() == {"phone"}, "and is forgotten"


@pytest.mark.django_db(transaction=True)
async def test_only_the_pages_of_a_seat_that_is_open_twice_are_told(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.05)
    monkeypatch.setattr(presence, "TOGETHER_FOR", 0)
    at = f"/ws/tables/{table.pk}/"
    async with phone(server, bo, at) as other, phone(server, ayumi, at) as one:
        async with phone(server, ayumi, at) as two:
            for page in (one, two):
                await page.socket.send('{"ping": 1}')
                assert await page.answer("twice") == {"twice": 1}
        assert await one.answer("twice") == {"twice": 0}
        await other.pong()
        assert "twice" not in other.bytes
