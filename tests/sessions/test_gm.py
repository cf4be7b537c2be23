"""The GM's own work before and beside the tables."""

from __future__ import annotations

import pytest
from django.test import Client

from sessions.models import Campaign, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db


def test_a_new_campaign_opens_its_first_session_at_once(gm: Somebody) -> None:
    assert gm.client.get("/gm/").status_code == 200
    answer = gm.client.post("/gm/campaigns/", {"name": "蛇の夜", "jokers": "2"})
    session = Session.objects.get()
    assert answer.url == session.get_absolute_url()
    assert session.seats.get().is_gm
    page = gm.client.get(answer.url).content.decode()
    assert session.spoken_code in page
    assert "<svg" in page


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"name": "", "jokers": "2"},
        {"name": "\u200b", "jokers": "2"},
        {"name": "x", "jokers": "3"},
        {"name": "x" * 61, "jokers": "1"},
    ],
)
def test_a_campaign_with_invalid_fields_is_refused_with_a_reason(gm: Somebody, data: dict[str, str]) -> None:
    answer = gm.client.post("/gm/campaigns/", data)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not Campaign.objects.exists()


def test_the_gm_page_sends_a_visitor_to_sign_in(client: Client) -> None:
    assert client.get("/gm/").url.startswith("/account/sign-in/")


VERBS = ["code/", "door/", "end/", "tables/"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_player_cannot_use_the_gms_controls_of_a_session(
    session: Session, ayumi: Somebody, verb: str
) -> None:
    sit(session, ayumi.person)
    before = Session.objects.values().get()
    assert ayumi.client.post(f"/s/{session.pk}/{verb}").status_code == 404
    assert Session.objects.values().get() == before
    assert not Table.objects.exists()


@pytest.mark.parametrize("verb", ["approve", "remove", "restore"])
def test_a_player_cannot_change_another_players_seat(
    session: Session, seats: list[Seat], ayumi: Somebody, verb: str
) -> None:
    other = seats[1]
    assert (
        ayumi.client.post(f"/s/{session.pk}/seats/{other.pk}/{verb}/", {"approved": "1"}).status_code == 404
    )
    other.refresh_from_db()
    assert (other.approved, other.removed_at) == (False, None)


def test_the_gm_opens_the_table_for_the_chosen_players(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    answer = gm.client.post(f"/s/{session.pk}/tables/", {"module": "uroboros", "seat": [seats[1].pk]})
    table = Table.objects.get()
    assert answer.url == table.get_absolute_url()
    assert {s.key: s.seat.name for s in table.table_seats.all()} == {"gm": "GM", "p1": "ボー"}


@pytest.mark.parametrize(
    "data", [{}, {"module": "poker"}, {"module": "uroboros"}, {"module": "uroboros", "seat": ["x", "999"]}]
)
def test_a_gm_is_told_why_a_table_cannot_be_opened(
    session: Session, seats: list[Seat], gm: Somebody, data: dict[str, object]
) -> None:
    answer = gm.client.post(f"/s/{session.pk}/tables/", data, follow=True)
    assert answer.status_code == 200
    assert list(answer.context["messages"])
    assert not Table.objects.exists()


def test_a_gm_closes_and_reopens_joining(session: Session, gm: Somebody) -> None:
    gm.client.post(f"/s/{session.pk}/door/", {"open": "0"})
    assert Client().get(f"/j/{session.code}/").status_code == 404
    gm.client.post(f"/s/{session.pk}/door/", {"open": "1"})
    assert Client().get(f"/j/{session.code}/").status_code == 200


def test_the_table_face_names_regular_players_who_have_not_joined(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    gm.client.post(f"/gm/campaigns/{session.campaign_id}/open/", {"title": "第二夜"})
    tonight = Session.objects.get(title="第二夜")
    sit(tonight, seats[0].person)
    page = gm.client.get(f"/face/{tonight.face_key}/join/").content.decode()
    assert "ボー" in page


def test_a_removed_player_cannot_read_any_page_of_the_session(
    table: Table, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    pages = [table.session.get_absolute_url(), table.get_absolute_url(), f"{table.get_absolute_url()}log/"]
    assert [bo.client.get(page).status_code for page in pages] == [200, 200, 200]
    gm.client.post(f"/s/{table.session_id}/seats/{seats[1].pk}/remove/")
    assert [bo.client.get(page).status_code for page in pages] == [403, 403, 403]
