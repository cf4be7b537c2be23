"""Past sessions are thinned: the rows that stay, the rows that go, and the pages afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from sessions.archive.erasure import thin_sessions
from sessions.evening import nights
from sessions.models import Message, Move, Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.nights import ended

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_rows")]


def long_ago(session: Session, days: int) -> None:
    Session.objects.filter(pk=session.pk).update(ended_at=timezone.now() - timedelta(days=days))


@pytest.fixture
def table(session: Session, ayumi: Somebody, bo: Somebody) -> Table:
    return ended(session, ayumi.person, bo.person)


def report(who: Somebody, session: Session) -> str:
    """Return the report without what is pressed."""
    page = who.client.get(f"/s/{session.pk}/report/").content.decode()
    return page[page.index('class="report-table"') : page.index("</table>")]


def test_sessions_are_not_thinned_without_the_setting_for_it(
    session: Session, table: Table, settings
) -> None:
    long_ago(session, 9_999)
    settings.KEEP_NIGHTS_DAYS = 0
    call_command("thin_nights", verbosity=0)
    assert table.moves.exists()
    assert session.messages.exists()


def test_a_thinned_session_keeps_its_report_and_loses_its_moves(
    session: Session, table: Table, bo: Somebody
) -> None:
    long_ago(session, 31)
    before = report(bo, session)
    thin_sessions(30)
    assert not Move.objects.exists()
    assert not Message.objects.exists()
    assert report(bo, session) == before
    page = bo.client.get(f"/s/{session.pk}/report/").content.decode()
    assert "残していません" in page
    assert f"/t/{table.pk}/replay/" not in page
    table.refresh_from_db()
    first, _ = bytes(table.told or b""), thin_sessions(30)
    table.refresh_from_db()
    assert bytes(table.told or b"") == first != b"", "a second time changes nothing"


def test_pages_of_a_thinned_session_say_so_instead_of_failing(
    session: Session, table: Table, bo: Somebody, gm: Somebody
) -> None:
    long_ago(session, 31)
    gm.client.post(f"/s/{session.pk}/report/secrets/", {"open": "1"})
    thin_sessions(30)
    for path in ("log/", "replay/", "verify/", "verify/facts/", "playthrough/"):
        answer = bo.client.get(f"/t/{table.pk}/{path}")
        assert answer.status_code == 410, path
        assert "もう残していません" in answer.content.decode(), path
    assert "残していません" in bo.client.get(f"/s/{session.pk}/log/").content.decode()
    for path in (
        f"/s/{session.pk}/",
        f"/s/{session.pk}/verify/",
        f"/t/{table.pk}/",
        f"/s/{session.pk}/chat/",
    ):
        assert bo.client.get(path).status_code == 200, path
    assert gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").status_code == 200


def test_recent_and_running_sessions_are_not_thinned(session: Session, table: Table, ayumi: Somebody) -> None:
    long_ago(session, 29)
    running = nights.open_session(campaign=session.campaign, title="今夜")
    seat = sit(running, ayumi.person)
    opening.open_table(session=running, module_key="uroboros", players=[seat])
    thin_sessions(30)
    assert table.moves.exists()
    assert Session.objects.filter(thinned_at=None).count() == 2


def test_best_scores_of_a_thinned_session_stay(session: Session, ayumi: Somebody) -> None:
    from sessions.board_games.own_games import bests

    seat = sit(session, ayumi.person)
    table = opening.open_table(session=session, module_key="journey", players=[seat])
    play(table, "p1", b'{"type":"concede"}')
    nights.close_session(session=session)
    long_ago(session, 31)
    before = bests(ayumi.person, "journey")
    thin_sessions(30)
    assert bests(ayumi.person, "journey") == before


def test_a_person_is_erased_from_a_thinned_session_too(
    session: Session, table: Table, bo: Somebody, gm: Somebody
) -> None:
    hero = Seat.objects.get(session=session, person=bo.person).character
    assert hero
    assert hero.name in bytes(table.snapshot).decode()
    long_ago(session, 31)
    thin_sessions(30)
    assert bo.client.post("/account/delete/").url == "/"
    table.refresh_from_db()
    assert hero.name not in bytes(table.snapshot).decode()
    assert hero.name not in str(table.options)
    told = report(gm, session)
    assert "退出したプレイヤー" in told
    assert hero.name not in told
