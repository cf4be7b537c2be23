"""A letter and a night that opened reach phones in pockets, and say what everybody may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import transaction

from companion.push import notifications
from sessions.evening import handouts, nights, presence
from sessions.evening.presence import Sign
from sessions.models import Handout, Role, Seat, Session
from tests.conftest import Somebody
from tests.evening import sit
from tests.push_service import PushService, push_service

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def service(settings: Any, gm: Somebody, ayumi: Somebody, bo: Somebody) -> Iterator[PushService]:
    """The push service of phones of the GM and of two players."""
    settings.PUSH_TO_TEST_SERVERS = True
    with push_service() as service:
        for who, name in ((gm, "gm"), (ayumi, "ayumi"), (bo, "bo")):
            assert who.client.post("/push/", service.device(name)).status_code == 204
        yield service


#: Whose phones were told by an act, and what: title, words and address of each letter.
Heard = Callable[[Callable[[], Any]], list[tuple[str, str, str, str]]]


@pytest.fixture
def told_by(service: PushService, monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Do something, and return what it told once all of it has gone out."""

    def told_by(act: Callable[[], Any]) -> list[tuple[str, str, str, str]]:
        with ThreadPoolExecutor(2) as carriers:
            monkeypatch.setattr(notifications, "_executor", carriers)
            act()
        phones = [each.path.strip("/") for each in service.heard]
        letters = service.letters()
        return sorted(
            (phone, letter["title"], letter["body"], letter["url"])
            for phone, letter in zip(phones, letters, strict=True)
        )

    return told_by


def letter_to(session: Session, *, secret: str, seats: list[Seat]) -> Callable[[], None]:
    handout = Handout.objects.create(campaign=session.campaign, title="HO1", secret=secret)
    return lambda: handouts.give_handout(handout=handout, session=session, seats=seats)


def test_all_players_get_the_same_notification_of_a_handout(
    told_by: Heard, session: Session, seats: list[Seat]
) -> None:
    one, two = seats[:2]
    here = session.get_absolute_url()
    alike = [(phone, "第一夜", "手紙が届きました。", here) for phone in ("ayumi", "bo")]
    assert told_by(letter_to(session, secret="父の罪", seats=[one])) == alike
    assert told_by(letter_to(session, secret="蛇の一族", seats=[two])) == alike
    assert told_by(lambda: handouts.hand_over_copies(session=session)) == alike, "an empty one, too"


def test_a_player_with_an_open_page_gets_no_notification_of_a_handout(
    told_by: Heard, session: Session, seats: list[Seat]
) -> None:
    presence.note_signs([Sign(seats[0].pk, "a page")])
    assert [phone for phone, *_ in told_by(lambda: handouts.hand_over_copies(session=session))] == ["bo"]


def test_a_new_session_notifies_earlier_players_who_were_not_removed(
    told_by: Heard, session: Session, seats: list[Seat], kei: Somebody
) -> None:
    assert session.campaign
    nights.remove_seat(seat=seats[1])
    sit(session, kei.person, Role.SPECTATOR)
    opened = told_by(lambda: nights.open_session(campaign=session.campaign, title="第二夜"))
    second = session.campaign.sessions.get(title="第二夜")
    assert opened == [
        ("ayumi", session.campaign.name, "第二夜が開きました。席が待っています。", f"/j/{second.code}/")
    ]


def test_a_handout_that_is_rolled_back_sends_no_notification(
    told_by: Heard, session: Session, seats: list[Seat]
) -> None:
    def fails() -> None:
        with transaction.atomic():
            handouts.hand_over_copies(session=session)
            transaction.set_rollback(True)

    assert told_by(fails) == []
