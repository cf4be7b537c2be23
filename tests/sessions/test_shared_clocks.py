"""Shared clocks: the GM lays them open and moves them, everybody sees them."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from sessions.evening import nights, shared_clocks
from sessions.models import Seat, Session, SharedClock, Table
from tests.conftest import Somebody
from tests.sessions.test_races import at_once

pytestmark = pytest.mark.django_db


def lay_open(who: Somebody, session: Session, name: str, count: object, kind: str) -> tuple[int, Any]:
    answer = who.client.post(f"/s/{session.pk}/clocks/", {"name": name, "count": count, "kind": kind})
    return answer.status_code, answer.json() if answer.status_code in (200, 422) else None


def move(who: Somebody, clock: SharedClock, how: str) -> int:
    status: int = who.client.post(f"/s/{clock.session_id}/clocks/{clock.pk}/", {"move": how}).status_code
    return status


def face(session: Session, who: Somebody) -> str:
    return who.client.get(f"/face/{session.face_key}/").content.decode()


def test_a_clock_of_segments_fills_and_empties_within_its_limits(
    session: Session, gm: Somebody, kei: Somebody, table: Table
) -> None:
    assert lay_open(gm, session, " 警備が気づくまで ", 3, "segments")[0] == 200
    clock = SharedClock.objects.get()
    assert (clock.name, clock.segments, clock.filled) == ("警備が気づくまで", 3, 0)
    for expected in (1, 2, 3, 3):
        assert move(gm, clock, "more") == 302
        clock.refresh_from_db()
        assert clock.filled == expected
    assert "3/3" in face(session, kei)
    for expected in (2, 1, 0, 0):
        move(gm, clock, "less")
        clock.refresh_from_db()
        assert clock.filled == expected
    move(gm, clock, "away")
    assert "警備が気づくまで" not in face(session, kei)


def read_by_two(clock: SharedClock) -> tuple[SharedClock, SharedClock]:
    """A clock as two devices of the GM hold it, before either of them taps."""
    return SharedClock.objects.get(pk=clock.pk), SharedClock.objects.get(pk=clock.pk)


def test_taps_on_a_clock_on_two_devices_count_as_two(session: Session) -> None:
    clock = SharedClock.objects.create(session=session, name="警備が気づくまで", segments=8)
    for device in read_by_two(clock):
        shared_clocks.fill_segments(clock=device, by=1)
    clock.refresh_from_db()
    assert clock.filled == 2
    for device in read_by_two(clock):
        shared_clocks.fill_segments(clock=device, by=-1)
    clock.refresh_from_db()
    assert clock.filled == 0


def test_a_device_can_pause_a_clock_that_another_device_started(session: Session) -> None:
    rest = timedelta(minutes=5)
    clock = SharedClock.objects.create(session=session, name="夜明けまで", left=rest)
    one, other = read_by_two(clock)
    shared_clocks.start_clock(clock=one)
    shared_clocks.pause_clock(clock=other)
    clock.refresh_from_db()
    assert (clock.ends_at, clock.left > timedelta()) == (None, True)
    one, other = read_by_two(clock)
    shared_clocks.start_clock(clock=one)
    clock.refresh_from_db()
    ends = clock.ends_at
    shared_clocks.start_clock(clock=other)
    clock.refresh_from_db()
    assert (clock.ends_at, clock.left) == (ends, timedelta())


@pytest.mark.django_db(transaction=True)
def test_taps_on_a_clock_at_the_same_moment_are_all_counted(session: Session) -> None:
    clock = SharedClock.objects.create(session=session, name="警備が気づくまで", segments=40)

    def tap(device: SharedClock) -> None:
        for _ in range(10):
            shared_clocks.fill_segments(clock=device, by=1)

    assert not at_once(*[partial(tap, SharedClock.objects.get(pk=clock.pk)) for _ in range(4)])
    clock.refresh_from_db()
    assert clock.filled == 40


def test_a_paused_countdown_keeps_its_remaining_time(session: Session, gm: Somebody) -> None:
    assert lay_open(gm, session, "夜明けまで", 5, "minutes")[0] == 200
    clock = SharedClock.objects.get()
    assert (clock.left, clock.ends_at) == (timedelta(minutes=5), None)
    move(gm, clock, "run")
    clock.refresh_from_db()
    assert clock.ends_at
    assert timedelta(minutes=4) < clock.ends_at - timezone.now() <= timedelta(minutes=5)
    ends = clock.ends_at
    move(gm, clock, "run")
    clock.refresh_from_db()
    assert clock.ends_at == ends, "a second tap adds nothing"
    move(gm, clock, "pause")
    clock.refresh_from_db()
    assert clock.ends_at is None
    assert timedelta(minutes=4) < clock.left <= timedelta(minutes=5)


def test_a_countdown_that_ran_out_cannot_be_paused_or_started(session: Session) -> None:
    past = timezone.now() - timedelta(seconds=1)
    clock = SharedClock.objects.create(session=session, name="夜明けまで", ends_at=past)
    shared_clocks.pause_clock(clock=clock)
    shared_clocks.start_clock(clock=clock)
    clock.refresh_from_db()
    assert (clock.left, clock.ends_at) == (timedelta(), None)


@pytest.mark.parametrize(
    ("name", "count", "kind", "field"),
    [
        ("", 6, "segments", "name"),
        ("\u202e", 6, "segments", "name"),
        ("長" * 41, 6, "segments", "name"),
        ("警備", 1, "segments", "count"),
        ("警備", 13, "segments", "count"),
        ("警備", 0, "minutes", "count"),
        ("警備", 181, "minutes", "count"),
        ("警備", "six", "segments", "count"),
        ("警備", 6, "hours", "kind"),
    ],
)
def test_an_invalid_clock_is_refused_with_an_error_at_its_field(
    session: Session, gm: Somebody, name: str, count: object, kind: str, field: str
) -> None:
    status, told = lay_open(gm, session, name, count, kind)
    assert status == 422
    assert list(told["errors"]) == [field]
    assert not SharedClock.objects.exists()


def test_a_session_has_at_most_six_clocks(session: Session, gm: Somebody) -> None:
    for number in range(shared_clocks.AT_MOST):
        assert lay_open(gm, session, f"{number}", 4, "segments")[0] == 200
    status, told = lay_open(gm, session, "七つめ", 4, "segments")
    assert status == 422
    assert "6" in told["reason"]
    assert SharedClock.objects.count() == shared_clocks.AT_MOST


def test_only_the_gm_or_a_sub_gm_in_charge_moves_clocks(
    session: Session, gm: Somebody, ayumi: Somebody, seats: list[Seat]
) -> None:
    clock = SharedClock.objects.create(session=session, name="警備", segments=4)
    assert lay_open(ayumi, session, "私の", 4, "segments")[0] == 404
    assert move(ayumi, clock, "more") == 404
    assert move(gm, clock, "double") == 400
    clock.refresh_from_db()
    assert (clock.filled, SharedClock.objects.count()) == (0, 1)
    gm_seat = session.seats.get(role="gm")
    Seat.objects.filter(pk=seats[0].pk).update(deputy=True)
    Seat.objects.filter(pk=gm_seat.pk).update(stand_in=seats[0])
    assert move(ayumi, clock, "more") == 302
    clock.refresh_from_db()
    assert clock.filled == 1


def test_only_the_gms_page_has_buttons_for_clocks(
    session: Session, gm: Somebody, ayumi: Somebody, kei: Somebody, table: Table
) -> None:
    clock = SharedClock.objects.create(session=session, name="警備", segments=4)
    address = f"/s/{session.pk}/clocks/{clock.pk}/"
    pages = [who.client.get(table.get_absolute_url()).content.decode() for who in (gm, ayumi)]
    assert [address in page for page in (*pages, face(session, kei))] == [True, False, False]
    assert all("警備" in page for page in (*pages, face(session, kei)))


def test_clocks_are_deleted_when_the_session_ends(session: Session, gm: Somebody, table: Table) -> None:
    SharedClock.objects.create(session=session, name="警備", segments=4)
    nights.close_session(session=session)
    assert not SharedClock.objects.exists()
    assert lay_open(gm, session, "まだ", 4, "segments")[0] == 422
    assert not SharedClock.objects.exists()
