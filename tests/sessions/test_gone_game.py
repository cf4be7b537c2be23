"""A table whose game is gone: taken out by the host, or broken by its newest version."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sessions.engine.registry import registry
from sessions.evening import nights
from sessions.game import AnyModule
from sessions.models import Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db

#: The page loads anew then, and is told there why.
GONE = 4404
SAID = "このゲームは、いまここにありません"


@pytest.fixture
def gone(tally: AnyModule, session: Session, seats: list[Seat]) -> Iterator[Table]:
    """A table that was opened while its game was there."""
    table = opening.open_table(session=session, module_key="tally", players=seats, opened_by=seats[0])
    del registry()["tally"]
    yield table
    registry()["tally"] = tally


def test_table_pages_of_a_removed_game_say_that_the_game_is_away(
    gone: Table, ayumi: Somebody, gm: Somebody
) -> None:
    for who in (ayumi, gm):
        for path in ("", "log/"):
            answer = who.client.get(f"{gone.get_absolute_url()}{path}")
            assert answer.status_code == 503
            assert SAID in answer.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_the_websocket_of_a_removed_game_is_closed_for_good(
    server: ThreadServer, gone: Table, ayumi: Somebody
) -> None:
    async with phone(server, ayumi, f"/ws/tables/{gone.pk}/") as device:
        assert await device.closing_code() == GONE


@pytest.mark.parametrize("page", ["", "log/", "report/"])
@pytest.mark.parametrize("ended", [False, True])
def test_session_pages_open_although_the_game_of_a_table_was_removed(
    gone: Table, ayumi: Somebody, gm: Somebody, page: str, ended: bool
) -> None:
    if ended:
        nights.close_session(session=gone.session)
    for who in (ayumi, gm):
        assert who.client.get(f"/s/{gone.session_id}/{page}").status_code == 200


def test_the_table_face_opens_although_the_game_of_a_table_was_removed(gone: Table, ayumi: Somebody) -> None:
    for chosen in ("", f"?table={gone.pk}"):
        assert ayumi.client.get(f"/face/{gone.session.face_key}/{chosen}").status_code == 200


def test_the_verify_page_opens_although_the_game_of_a_table_was_removed(gone: Table, ayumi: Somebody) -> None:
    nights.close_session(session=gone.session)
    assert ayumi.client.get(f"/s/{gone.session_id}/verify/").status_code == 200


def test_a_session_with_a_removed_game_is_listed_exported_and_ended(gone: Table, gm: Somebody) -> None:
    campaign = f"/gm/campaigns/{gone.session.campaign_id}/"
    for page in ("/gm/", campaign, f"{campaign}file/"):
        assert gm.client.get(page).status_code == 200
    nights.close_session(session=gone.session)
    gone.refresh_from_db()
    assert gone.ended_at is not None


def test_a_table_goes_on_when_its_game_is_back(gone: Table, tally: AnyModule, ayumi: Somebody) -> None:
    registry()["tally"] = tally
    assert ayumi.client.get(gone.get_absolute_url()).status_code == 200


def test_only_the_opener_of_a_table_and_the_gm_stop_a_removed_game(
    gone: Table, ayumi: Somebody, bo: Somebody, gm: Somebody
) -> None:
    address = f"/t/{gone.pk}/stop/"
    for who, may in ((bo, False), (ayumi, True), (gm, True)):
        page = who.client.get(gone.get_absolute_url()).content.decode()
        assert (address in page) is may
    assert bo.client.post(address, {"to_evening": "1"}).status_code == 404
    assert ayumi.client.post(address, {"to_evening": "1"})["Location"] == gone.session.get_absolute_url()
    gone.refresh_from_db()
    assert gone.ended_at
    assert address not in gm.client.get(gone.get_absolute_url()).content.decode()


def test_the_report_says_that_it_leaves_a_removed_game_out(gone: Table, ayumi: Somebody) -> None:
    nights.close_session(session=gone.session)
    told = ayumi.client.get(f"/s/{gone.session_id}/report/").content.decode()
    assert "tally" in told
    assert "ゲームがなくなったか" in told
