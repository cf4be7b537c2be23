"""What a scenario warns of stands where the evening agrees on lines and veils, for everybody."""

from __future__ import annotations

import pytest

from sessions.models import Scenario, Seat, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioScene
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(gm: Somebody) -> Scenario:
    document = Document(title="港", warns="溺れる\n\n“暗闇”", scenes=[ScenarioScene(id="pier", title="桟橋")])
    return editing.create_scenario(gm.person, document)


def limits(who: Somebody, session: Session) -> str:
    return who.client.get(f"/s/{session.pk}/limits/").content.decode()


def test_every_seat_reads_the_warnings_of_the_chosen_scenario(
    session: Session, table: Table, gm: Somebody, ayumi: Somebody, harbour: Scenario
) -> None:
    assert "溺れる" not in limits(ayumi, session)
    staging.choose_scenario(session=session, scenario=harbour)
    assert staging.content_warnings(session) == ["溺れる", "“暗闇”"]
    for who in (gm, ayumi):
        for told in (limits(who, session), who.client.get(table.get_absolute_url()).content.decode()):
            assert "溺れる" in told
            assert "桟橋" not in told or who is gm
    staging.choose_scenario(session=session, scenario=None)
    assert "溺れる" not in limits(ayumi, session)


def test_a_deleted_scenario_shows_no_warnings(session: Session, seats: list[Seat], harbour: Scenario) -> None:
    staging.choose_scenario(session=session, scenario=harbour)
    harbour.delete()
    assert staging.content_warnings(session) == []
