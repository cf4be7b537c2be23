"""A session ends while a player takes a move back, on a database that locks rows. Django is set up."""

from __future__ import annotations

import uuid
from threading import Thread

from django.db import connection, transaction

from companion.models import Person
from sessions.evening import nights
from sessions.models import Campaign, Session, Table
from sessions.table import moves
from sessions.table.opening import open_table
from tests.evening import play, sit
from tests.servers import PATIENCE, wait_until


def end_while_somebody_takes_back() -> None:
    """Print the results of both, each begun while another connection locks the table's row."""
    gm = Person.objects.create(name="GM")
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="x"), title="x")
    players = [sit(session, Person.objects.create(name=name)) for name in ("a", "b")]
    table = open_table(session=session, module_key="uroboros", players=players)
    play(table, "p1", b'{"type": "declare", "text": "x"}')

    def take_back() -> None:
        moves.submit(
            table.pk,
            moves.MoveRequest(
                seat="p1", client_id=uuid.uuid4(), raw=b'{"type": "undo"}', version=1, asked=""
            ),
        )

    def end() -> None:
        nights.close_session(session=Session.objects.get(pk=session.pk))

    waiting: list[Thread] = []
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table.pk)
        for job in (take_back, end):
            waiting.append(Thread(target=_told, args=[job.__name__, job]))
            waiting[-1].start()
            wait_until(lambda: _queue() >= len(waiting), what=job.__name__)
    for thread in waiting:
        thread.join(PATIENCE)


def _told(name: str, job: object) -> None:
    # Each line in one piece: two threads print.
    try:
        job()  # type: ignore[operator]
        print(f"{name} done\n", end="")
    except Exception as problem:  # noqa: BLE001 (whatever it is, the test wants to know)
        print(f"{name} {type(problem).__name__} {problem}\n", end="")
    finally:
        connection.close()


def _queue() -> int:
    """Return how many connections wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
        count: int = cursor.fetchone()[0]
    return count
