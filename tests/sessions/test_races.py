"""Two phones at the same moment, on real connections."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import close_old_connections, connection

from sessions.chat import messages
from sessions.models import Message, Session, Table
from sessions.table import moves, seat_view, table_cache
from tests.conftest import Somebody
from tests.evening import sit
from tests.servers import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12


def at_once(*jobs: Callable[[], object]) -> list[Exception]:
    """Run jobs at the same moment, and return their errors."""
    barrier, problems = threading.Barrier(len(jobs)), []

    def run(job: Callable[[], object]) -> None:
        try:
            barrier.wait(PATIENCE)
            job()
        except Exception as problem:  # noqa: BLE001 (whatever it is, the test wants to know)
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    close_old_connections()
    return problems


def declare(table: Table, seat: str, number: int) -> None:
    moves.submit(
        table.pk,
        moves.MoveRequest(
            seat=seat,
            client_id=uuid.uuid4(),
            raw=json.dumps({"type": "declare", "text": f"{seat} {number}"}).encode(),
            version=0,
            asked=seat_view.seat_view(table, seat).asked,
        ),
    )


def talk(table: Table, seat: str) -> Callable[[], None]:
    return lambda: [declare(table, seat, number) for number in range(ROUNDS)] and None


def test_two_phones_at_once_lose_no_move(table: Table) -> None:
    assert at_once(talk(table, "p1"), talk(table, "p2")) == []
    table.refresh_from_db()
    assert table.version == 2 * ROUNDS
    assert list(table.moves.values_list("number", flat=True)) == list(range(1, 2 * ROUNDS + 1))


def test_the_same_move_sent_twice_at_once_is_applied_once(table: Table) -> None:
    client_id, asked = uuid.uuid4(), seat_view.seat_view(table, "p1").asked

    def send() -> None:
        moves.submit(
            table.pk,
            moves.MoveRequest(
                seat="p1",
                client_id=client_id,
                raw=b'{"type": "declare", "text": "once"}',
                version=0,
                asked=asked,
            ),
        )

    assert at_once(send, send, send) == []
    table.refresh_from_db()
    assert (table.version, table.moves.count()) == (1, 1)


def test_a_message_sent_twice_at_once_is_stored_once_and_costs_hp_once(table: Table) -> None:
    seat = table.table_seats.get(key="p1").seat
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab="main", text=":HP-1")

    def send() -> None:
        messages.send(seat=seat, draft=draft)

    assert at_once(send, send, send) == []
    table.refresh_from_db()
    assert (Message.objects.count(), table.version) == (1, 1)


def test_repeated_taps_on_joining_a_session_take_one_seat(session: Session, kei: Somebody) -> None:
    taps = [lambda: sit(session, kei.person)] * 3
    assert at_once(*taps) == [], "nobody is told that somebody else has their name"
    assert session.seats.filter(person=kei.person).count() == 1


def test_a_move_that_is_always_overtaken_is_committed_at_last(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow process must not lose every race: after some it waits for the row."""
    old = table_cache.read_table(table.pk)
    declare(table, "p2", 1)
    monkeypatch.setattr(table_cache, "get_table", lambda _pk: old)
    declare(table, "p1", 2)
    assert list(table.moves.values_list("number", "seat")) == [(1, "p2"), (2, "p1")]
