"""Presence, by the signs of life of a seat's pages."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.core.cache import cache

from characters.models import Character
from characters.services import drafts
from companion import shared_time
from sessions.evening import nights, presence
from sessions.evening.presence import AWAY_AFTER, GONE_AFTER, LEFT_AFTER, Sign
from sessions.models import Seat, Session
from tests.conftest import Somebody

SEAT, OTHER = 7, 8


def seen(ago: float, *, page: str = "page", is_open: bool = True) -> None:
    """Note a heartbeat of this number of seconds ago."""
    cache.set(presence._key(SEAT), (page, time.time() - ago, is_open))


def arrived(page: str) -> bool:
    """Note a sign of life; True if the seat's display changes by it."""
    return bool(presence.note_signs([Sign(SEAT, page)]))


def left(page: str) -> bool:
    """Note the end of a page; True if the seat's display changes by it."""
    return bool(presence.note_signs([Sign(SEAT, page, is_open=False)]))


def state(seat: int = SEAT) -> str:
    return presence.page_states([seat])[seat]


@pytest.mark.parametrize(
    ("ago", "is_open", "expected"),
    [
        (0, True, "here"),
        (AWAY_AFTER - 5, True, "here"),
        (AWAY_AFTER, True, "away"),
        (GONE_AFTER - 5, True, "away"),
        (GONE_AFTER, True, "gone"),
        (0, False, "away"),
        (GONE_AFTER - 5, False, "away"),
        (GONE_AFTER, False, "gone"),
    ],
)
def test_silence_makes_a_page_away_and_then_gone(ago: float, is_open: bool, expected: str) -> None:
    seen(ago, is_open=is_open)
    assert state() == expected
    assert state(OTHER) == "absent"


def test_a_page_is_gone_after_three_minutes_of_silence() -> None:
    assert GONE_AFTER == 3 * 60


def test_a_heartbeat_is_reported_only_if_it_changes_the_presence() -> None:
    assert arrived("page")
    assert not arrived("page")
    assert not arrived("another page")
    for silence in (AWAY_AFTER, GONE_AFTER):
        seen(silence)
        assert arrived("page")
        assert state() == "here"


def test_a_seat_is_away_when_its_page_closes_and_here_when_one_opens() -> None:
    arrived("page")
    assert left("page")
    assert state() == "away"
    assert arrived("page")
    assert state() == "here"


def test_closing_an_older_page_does_not_mark_the_seat_away() -> None:
    arrived("stale")
    arrived("newer")
    assert not left("stale")
    assert state() == "here"
    assert left("newer")
    assert state() == "away"


def test_closing_an_unknown_page_does_not_change_the_presence() -> None:
    assert not left("page")
    assert state() == "absent"


@pytest.mark.parametrize(
    ("ago", "is_open", "expected"),
    [
        (LEFT_AFTER - 5, False, False),
        (LEFT_AFTER, False, True),
        (LEFT_AFTER, True, False),
        (AWAY_AFTER, True, True),
    ],
)
def test_a_seat_has_left_when_its_page_is_closed_longer_than_a_reload(
    ago: float, is_open: bool, expected: bool
) -> None:
    seen(ago, is_open=is_open)
    looks = presence.seat_presences([SEAT, OTHER])
    assert looks[SEAT].left is expected
    assert not looks[OTHER].left


def test_people_of_a_shared_device_are_here_while_a_page_of_it_is_open() -> None:
    beside = Sign(OTHER, "page", is_beside=True)
    seen(AWAY_AFTER)
    assert presence.note_signs([beside]) == {OTHER}
    assert presence.seat_presences([SEAT, OTHER])[OTHER] == ("here", "", False)
    assert state(OTHER) == "absent", "nothing is asked of a page that they do not have"
    presence.note_signs([Sign(OTHER, "their own"), Sign(OTHER, "their own", is_open=False), beside])
    assert presence.seat_presences([OTHER])[OTHER].state == "here"
    presence.note_signs([beside._replace(is_open=False)])
    assert presence.seat_presences([OTHER])[OTHER].state == "away"


@pytest.mark.django_db
@pytest.mark.parametrize(("ago", "expected"), [(0, "here"), (AWAY_AFTER, "away"), (GONE_AFTER, "gone")])
def test_the_gm_and_the_players_see_the_presence_of_a_seat(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, ago: float, expected: str
) -> None:
    cache.set(presence._key(seats[1].pk), ("page", time.time() - ago, True))
    for who in (gm, ayumi):
        page = who.client.get(session.get_absolute_url()).content.decode()
        assert page.count(f'data-state="{expected}"') == 1


@pytest.mark.django_db
def test_a_player_who_draws_a_character_for_the_session_is_shown_at_it(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    def shown() -> str:
        page = gm.client.get(session.get_absolute_url()).content.decode()
        return page.partition(f'id="seat-{seats[0].pk}"')[2].partition("</li>")[0]

    presence.note_signs([Sign(seats[0].pk, "lobby")])
    presence.note_signs([Sign(seats[0].pk, "lobby", is_open=False)])
    assert "離席" in shown()
    draft = drafts.start_draft(owner=ayumi.person, method="standard", return_to=session.get_absolute_url())
    assert "作成中" in shown()
    assert "離席" not in shown()
    long_ago = shared_time.now() - nights.CREATING_FOR - timedelta(seconds=1)
    Character.objects.filter(pk=draft.pk).update(changed_at=long_ago)
    assert "離席" in shown()
    Character.objects.filter(pk=draft.pk).update(changed_at=shared_time.now())
    presence.note_signs([Sign(seats[0].pk, "lobby again")])
    assert "作成中" not in shown()


@pytest.mark.django_db
def test_a_draft_for_another_session_does_not_make_a_player_busy(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    drafts.start_draft(owner=ayumi.person, method="standard", return_to="/s/999/")
    assert "作成中" not in gm.client.get(session.get_absolute_url()).content.decode()
