"""Between the lobby and the tables: the way back, watching, and the end of a night."""

from __future__ import annotations

import pytest
from django.test import Client

from sessions.evening import announcements, nights
from sessions.live.pages import FacePage
from sessions.models import Role, Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import call, play, sit

pytestmark = pytest.mark.django_db


def test_a_spectator_can_become_a_player(session: Session, kei: Somebody) -> None:
    seat = sit(session, kei.person, Role.SPECTATOR)
    verb = f"/s/{session.pk}/play/"
    assert verb in kei.client.get(session.get_absolute_url()).content.decode()
    assert kei.client.post(verb).url == session.get_absolute_url()
    seat.refresh_from_db()
    assert seat.role == Role.PLAYER


def test_a_spectator_cannot_become_a_player_when_joining_is_closed(session: Session, kei: Somebody) -> None:
    seat = sit(session, kei.person, Role.SPECTATOR)
    nights.set_joining(session=session, is_open=False)
    answer = kei.client.post(f"/s/{session.pk}/play/", follow=True)
    assert [str(message) for message in answer.context["messages"]]
    seat.refresh_from_db()
    assert seat.role == Role.SPECTATOR


def test_a_removed_spectator_cannot_become_a_player(session: Session, kei: Somebody) -> None:
    seat = sit(session, kei.person, Role.SPECTATOR)
    nights.remove_seat(seat=seat)
    kei.client.post(f"/s/{session.pk}/play/")
    seat.refresh_from_db()
    assert (seat.role, seat.removed_at is None) == (Role.SPECTATOR, False)


def test_the_gm_cannot_become_a_player(session: Session, gm: Somebody) -> None:
    gm.client.post(f"/s/{session.pk}/play/")
    assert session.seats.get().role == Role.GM


def test_a_person_without_a_seat_cannot_become_a_player(session: Session, kei: Somebody) -> None:
    assert kei.client.post(f"/s/{session.pk}/play/").status_code == 404


def test_the_page_of_a_running_table_links_to_its_session(
    table: Table, gm: Somebody, ayumi: Somebody, session: Session
) -> None:
    for who in (gm, ayumi):
        page = who.client.get(table.get_absolute_url()).content.decode()
        assert f'href="{session.get_absolute_url()}"' in page
        assert '<section class="over"' not in page


def test_the_gms_session_page_lists_a_running_table_before_the_seats(
    table: Table, gm: Somebody, session: Session
) -> None:
    page = gm.client.get(session.get_absolute_url()).content.decode()
    assert page.index(f'id="table-{table.pk}"') < page.index('class="seat-row"')


def test_the_session_page_links_players_and_latecomers_to_a_running_table(
    table: Table, ayumi: Somebody, kei: Somebody, session: Session
) -> None:
    sit(session, kei.person)
    for who, seated in ((ayumi, True), (kei, False)):
        answer = who.client.get(session.get_absolute_url())
        assert (table.pk in answer.context["mine"]) is seated
        assert table.get_absolute_url() in answer.content.decode()


@pytest.mark.parametrize("ended", ["session", "table"])
def test_an_ended_table_or_session_says_so_and_links_to_its_log(
    table: Table, gm: Somebody, ayumi: Somebody, session: Session, ended: str
) -> None:
    if ended == "session":
        gm.client.post(f"/s/{session.pk}/end/")
    else:
        play(table, "gm", b'{"type": "end"}')
    for who in (gm, ayumi):
        page = who.client.get(table.get_absolute_url()).content.decode()
        assert '<section class="over"' in page
        for path in (f"/t/{table.pk}/log/", session.get_absolute_url()):
            assert f'href="{path}"' in page
            assert who.client.get(path).status_code == 200
    assert f"/t/{table.pk}/log/" in gm.client.get(session.get_absolute_url()).content.decode()


def test_the_table_face_shows_an_ended_table_until_the_next_opens(
    table: Table, seats: list[Seat], session: Session, client: Client
) -> None:
    play(table, "gm", b'{"type": "end"}')
    path = f"/face/{session.face_key}/"
    assert f'data-table="{table.pk}"' in client.get(path).content.decode()
    following = opening.open_table(session=session, module_key="uroboros", players=seats)
    assert f'data-table="{following.pk}"' in client.get(path).content.decode()


def test_the_table_face_shows_an_ended_table_until_a_move_at_another(
    table: Table, seats: list[Seat], session: Session
) -> None:
    """In both orders of opening, and although the other one still runs."""

    def shown() -> int:
        return FacePage(str(session.face_key), "http://takujo.test").place().number

    second = opening.open_table(session=session, module_key="uroboros", players=seats)
    assert shown() == second.pk
    play(second, "gm", b'{"type": "end"}')
    assert shown() == second.pk, "the end is there to be looked at"
    play(table, "gm", call("p1"))
    assert shown() == table.pk, "play goes on"
    play(table, "gm", b'{"type": "end"}')
    assert shown() == table.pk, "the table that ended last, not the one that was opened last"


def test_the_join_card_links_back_to_the_session_for_the_gm_only(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    path = f"/face/{session.face_key}/join/"
    for who, leads in ((gm, True), (ayumi, False)):
        page = who.client.get(path).content.decode()
        assert (f'href="{session.get_absolute_url()}"' in page) is leads


def test_the_join_page_in_the_line_app_offers_an_external_browser(session: Session, client: Client) -> None:
    line = {"User-Agent": "Mozilla/5.0 (iPhone) Safari Line/14.1.0"}
    assert "openExternalBrowser=1" in client.get(f"/j/{session.code}/", headers=line).content.decode()
    assert "openExternalBrowser=1" not in client.get(f"/j/{session.code}/").content.decode()


def test_the_join_page_proposes_the_name_used_last(session: Session, bo: Somebody) -> None:
    assert 'value="ボー"' in bo.client.get(f"/j/{session.code}/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_change_of_a_session_is_kept_without_a_channel_layer(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        """A channel layer that is gone."""

        async def group_send(self, group: str, message: object) -> None:
            raise ConnectionError

    monkeypatch.setattr(announcements, "get_channel_layer", Away)
    nights.set_joining(session=session, is_open=False)
    session.refresh_from_db()
    assert not session.joining_open
