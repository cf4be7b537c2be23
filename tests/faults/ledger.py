"""Every answer that a phone got, held against the log afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import connection

from companion.fate import Fate
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, start, step
from sessions.models import Table


@dataclass
class Ledger:
    """The moves of one table, by their ids, as the phones know of them."""

    sent: dict[str, str] = field(default_factory=dict)  #: the seat that sent it
    accepted: dict[str, int] = field(default_factory=dict)  #: the version it was accepted as
    refused: dict[str, str] = field(default_factory=dict)  #: the code it was refused with
    problems: list[str] = field(default_factory=list)

    def note(self, client_id: str, answer: dict[str, object]) -> None:
        """Note an answer; the same move may be answered again, and must be answered alike."""
        if "accepted" in answer:
            version = int(str(answer["accepted"]))
            if self.accepted.setdefault(client_id, version) != version:
                self.problems.append(f"{client_id} accepted as {self.accepted[client_id]} and as {version}")
        else:
            self.refused[client_id] = str(answer["refused"])
        if client_id in self.accepted and client_id in self.refused:
            self.problems.append(f"{client_id} accepted, and refused as {self.refused[client_id]}")

    def count_refused(self, code: str) -> int:
        return list(self.refused.values()).count(code)

    def check(self, table_pk: int) -> list[str]:
        """Return the errors of a table at which no phone plays now."""
        try:
            return self._check(table_pk)
        finally:
            connection.close()

    def _check(self, table_pk: int) -> list[str]:
        table = Table.objects.get(pk=table_pk)
        rows = list(table.moves.order_by("number"))
        numbers = {str(row.client_id): row.number for row in rows}
        problems = list(self.problems)
        if [row.number for row in rows] != list(range(1, table.version + 1)):
            problems.append(f"version {table.version} with {len(rows)} moves")
        if len(numbers) != len(rows):
            problems.append(f"{len(rows) - len(numbers)} moves doubled")
        for client_id, version in self.accepted.items():
            if numbers.get(client_id) != version:
                problems.append(f"{client_id} accepted as {version} and written as {numbers.get(client_id)}")
        for client_id in numbers.keys() - self.accepted.keys():
            problems.append(f"{client_id} written, and {self.refused.get(client_id, 'never answered')}")
        if _replayed(table) != bytes(table.snapshot):
            problems.append("the log does not replay to the snapshot")
        return problems


def version_of(table_pk: int) -> int:
    try:
        return Table.objects.values_list("version", flat=True).get(pk=table_pk)
    finally:
        connection.close()


def _replayed(table: Table) -> bytes:
    module = registry()[table.module]
    snapshot = start(module, table.opening_seats, table.options, Fate(table.secret, 0))
    for row in table.moves.order_by("number"):
        move = decode_move(module, bytes(row.move))
        snapshot, _ = step(module, snapshot, row.seat, move, Fate(table.secret, row.number))
    return snapshot
