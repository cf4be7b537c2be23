"""A person's own history with a game. For nobody else."""

from __future__ import annotations

from dataclasses import dataclass

from companion.models import Person
from sessions.engine.shelf import shelf
from sessions.models import Table, TableSeat

#: Older games than these are not counted: each one's end is read.
COUNTED = 50


@dataclass(frozen=True)
class Record:
    """The number of games that came to their end, of wins among them, and whether this table was one."""

    played: int
    won: int
    won_this: bool


def record(person: Person, table: Table) -> Record | None:
    """Return a person's record in the game of a table that came to its end; None if it was stopped.

    Games that a bot finished for the person do not count, and first games do not either.
    """
    own = TableSeat.objects.filter(seat__person=person, bot="", table__module=table.module)
    own = own.filter(table__session__trial="")
    ended = own.exclude(table__ended_at=None).select_related("table").order_by("-table__ended_at", "-pk")
    wins = {sits.table_id: won for sits in ended[:COUNTED] if (won := _won(sits)) is not None}
    if table.pk not in wins:
        return None
    return Record(len(wins), sum(wins.values()), wins[table.pk])


def _won(sits: TableSeat) -> bool | None:
    """True if this seat won its table, None if the table was stopped."""
    module = shelf()[sits.table.module]
    outcome = module.outcome(module.load(bytes(sits.table.snapshot)))
    return sits.key in outcome.winners if outcome else None
