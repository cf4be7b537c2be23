"""What a page asks the database for: nothing twice, and nothing a seat or character more."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions.models import Session
from tests.conftest import Somebody
from tests.nights import played

pytestmark = pytest.mark.django_db


def test_a_gms_pages_stay_below_their_number_of_queries(
    session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    table = played(session, ayumi.person, bo.person)
    for page, most in ((table, 39), (session, 34)):
        with CaptureQueriesContext(connection) as asked:
            assert gm.client.get(page.get_absolute_url()).status_code == 200
        sql = [query["sql"] for query in asked.captured_queries]
        assert len(sql) <= most, "\n".join(sql)


def test_a_lobby_needs_as_many_queries_for_many_characters_as_for_few(
    session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    counts: list[int] = []
    played(session, ayumi.person, bo.person)
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            gm.client.get(session.get_absolute_url())
        counts.append(len(asked))
        seats: Any = session.seats.exclude(character=None)
        seats.filter(pk=seats.last().pk).update(character=None)
    assert counts[0] == counts[1]
