"""One request of one role that leaves no trace, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from sessions.live import screen_view
from sessions.table import commit, table_cache
from tests.evening import clear_caches

WRITE = re.compile(r'\s*(INSERT|UPDATE|DELETE)(?: OR \w+)?(?: INTO| FROM)? "(\w+)"')
#: Rows of the library's own: who is signed in. They are not what a page is about.
BOOKKEEPING = {"django_session", "django_admin_log"}


@contextmanager
def noting_writes() -> Iterator[set[str]]:
    """Note the database tables in which a row was written that no savepoint took back."""
    written: set[str] = set()
    before: dict[str, set[str]] = {}

    def note(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        result = execute(sql, params, many, context)
        words = sql.split()
        if words[0] == "SAVEPOINT":
            before[words[1]] = set(written)
        elif words[0] == "ROLLBACK":
            written.intersection_update(before[words[-1]])
        found = WRITE.match(sql)
        # SQLite does not count inserted rows before they are fetched; an update may match none.
        if found and found[2] not in BOOKKEEPING and (found[1] != "UPDATE" or context["cursor"].rowcount):
            written.add(found[2])
        return result

    straight = commit._execute

    def noted(statement: str, values: list[Any]) -> int:
        # A move's statements go to the driver, past Django's wrappers.
        count = straight(statement, values)
        if (found := WRITE.match(statement)) and count:
            written.add(found[2])
        return count

    commit._execute = noted
    try:
        with connection.execute_wrapper(note):
            yield written
    finally:
        commit._execute = straight


def ask(client: Client, method: str, path: str, **more: Any) -> tuple[HttpResponse, set[str]]:
    """Send a request whose changes are rolled back; return the answer and the tables that were written."""
    cookies = client.cookies.copy()
    with transaction.atomic(), noting_writes() as written:
        answer: Any = client.generic(method, path, **more)
        if written:
            connection.check_constraints()  # As a commit does, which never comes.
        transaction.set_rollback(True)
    client.cookies = cookies
    clear_caches()
    if written:
        table_cache.invalidate_table()
        screen_view.clear_rendered_tables()
    return answer, written


def said(answer: HttpResponse) -> str:
    """Return all that an answer tells: its text and its headers."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return body.decode("utf-8", "replace") + "\n".join(f"{name}: {value}" for name, value in answer.items())
