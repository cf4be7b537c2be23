"""A person's own games and wins in a board game. Only they see them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.models import Person
from sessions.engine.shelf import registry
from sessions.models import Table, TableSeat

#: The number of games that count, the newest ones. Each one's end state is read, so there is a limit.
COUNTED = 50


@dataclass(frozen=True)
class Record:
    """The number of finished games, the wins among them, and whether this table was a win."""

    played: int
    won: int
    won_this: bool


def record(person: Person, table: Table) -> Record | None:
    """Return a person's record in the game of a finished table; None if the table does not count.

    Tables that were stopped, that a bot finished for the person, or of trial sessions do not count.
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
    module = registry()[sits.table.module]
    outcome = module.outcome(module.load(bytes(sits.table.snapshot)))
    return sits.key in outcome.winners if outcome else None
