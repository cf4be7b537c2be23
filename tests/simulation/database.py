"""The database of an evening: real SQLite, one connection a thread, and one who may write at a time.

A thread gives way before its statements, and waits for its turn to write, as SQLite's lock lets it. It may be
told that the database is away, or lose it just before or just after a commit.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tests.simulation.threads import Hop

#: Seconds that a thread waits for its turn to write, as the settings have it.
PATIENCE = 10.0
READS = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA")


class Database:
    """One file, and who writes to it."""

    present: Database | None = None

    def __init__(self, template: Path, file: Path, committed: Callable[[], None]) -> None:
        shutil.copyfile(template, file)
        self.file, self._committed = file, committed
        self._writer: BaseDatabaseWrapper | None = None
        self._waiting: list[Hop] = []
        self._open: list[BaseDatabaseWrapper] = []
        connections.settings["default"]["NAME"] = str(file)
        Database.present = self
        #: The connection of those who look at the evening from outside.
        self.own = connections.create_connection("default")
        self._open.append(self.own)
        connections["default"] = self.own

    def connect(self) -> Any:
        connection = connections.create_connection("default")
        connection.execute_wrappers.append(self._execute)
        self._open.append(connection)
        return connection

    def drop(self, connection: BaseDatabaseWrapper) -> None:
        """Break off a connection with all that it has not committed."""
        if connection.connection is not None:
            connection.connection.close()
        self._open.remove(connection)
        self.free(connection)

    def close(self) -> None:
        for connection in list(self._open):
            self.drop(connection)
        for file in self.file.parent.glob(self.file.name + "*"):
            file.unlink()

    def free(self, connection: BaseDatabaseWrapper) -> None:
        """Let the next one write."""
        if self._writer is connection:
            self._writer = None
            for hop in self._waiting:
                hop.process.scheduler.later(0, hop.go_on)
            self._waiting.clear()

    def _execute(self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        connection, hop = context["connection"], Hop.current
        if hop is None:
            return execute(sql, params, many, context)
        outside = not connection.in_atomic_block
        hop.process.before_statement(hop, sql, outside=outside)
        writes = outside and not sql.lstrip().startswith(READS)
        if writes:
            self._wait_to_write(hop)
        if sql.startswith("BEGIN"):
            self._writer = connection
        answer = execute(sql, params, many, context)
        if writes and self._writer is None:
            self._committed()
        return answer

    def _wait_to_write(self, hop: Hop) -> None:
        end = hop.process.scheduler.now + PATIENCE
        while self._writer is not None:
            if hop.process.scheduler.now >= end:
                raise OperationalError("database is locked")
            self._waiting.append(hop)
            hop.wait()

    def commit(self, connection: BaseDatabaseWrapper, commit: Callable[[], None]) -> None:
        hop = Hop.current
        fault = hop.process.commit_fault if hop else ""
        if hop:
            hop.process.before_commit(hop)
            hop.process.commit_fault = ""
        if fault == "before":
            raise OperationalError("the database broke off before the commit")
        commit()
        self._committed()
        self.free(connection)
        if fault == "after":
            raise OperationalError("the database broke off after the commit")


def install() -> None:
    """Let every commit and rollback pass here."""
    commit, rollback = BaseDatabaseWrapper._commit, BaseDatabaseWrapper._rollback
    hooks = BaseDatabaseWrapper.run_and_clear_commit_hooks

    def committing(self: BaseDatabaseWrapper) -> None:
        if Database.present is None:
            commit(self)
        else:
            Database.present.commit(self, lambda: commit(self))

    def rolling_back(self: BaseDatabaseWrapper) -> None:
        with suppress(Exception):
            rollback(self)
        if Database.present:
            Database.present.free(self)

    def running_hooks(self: BaseDatabaseWrapper) -> None:
        if Hop.current and self.run_on_commit:
            Hop.current.process.after_commit(Hop.current)
        hooks(self)

    BaseDatabaseWrapper._commit = committing
    BaseDatabaseWrapper._rollback = rolling_back
    BaseDatabaseWrapper.run_and_clear_commit_hooks = running_hooks
