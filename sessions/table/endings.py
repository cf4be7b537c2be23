"""The endings of tables, calculated once and stored in a row each, so that many can be counted at a time."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator

import msgspec

from companion.pacing.heavy import go_on
from sessions.engine.shelf import registry
from sessions.engine.step import encode
from sessions.game import GameFailed, Mark
from sessions.models import Ending, Table
from sessions.table.log import public_events

#: Tables that are read at a time to calculate their endings.
CHUNK = 32

_MARKS = msgspec.json.Decoder(tuple[Mark, ...])
logger = logging.getLogger(__name__)


def endings(tables: Collection[Table]) -> dict[int, Ending]:
    """Return the endings of ended tables by table, without those whose game fails.

    Missing endings are calculated and stored. After an end that was taken back, the next one counts.
    """
    versions = {table.pk: table.version for table in tables}
    kept = Ending.objects.filter(table__in=versions)
    known = {ending.table_id: ending for ending in kept if ending.version == versions[ending.table_id]}
    found = list(_calculate_endings(sorted(versions.keys() - known.keys())))
    _keep(found)
    return known | {ending.table_id: ending for ending in found}


def marks_of(ending: Ending) -> tuple[Mark, ...]:
    """Return the stored marks: what the module found worth remembering of a game."""
    return _MARKS.decode(bytes(ending.marks))


def keep(table: Table) -> None:
    """Store the ending of an ended table before its log is deleted, unless it is stored already."""
    if table.ended_at:
        endings([table])


def _calculate_endings(pks: list[int]) -> Iterator[Ending]:
    for first in range(0, len(pks), CHUNK):
        for table in Table.objects.filter(pk__in=pks[first : first + CHUNK]).order_by("pk"):
            go_on()
            try:
                yield _ending(table)
            except GameFailed as failure:
                logger.exception("table %s is in no book: %s", table.pk, failure)


def _ending(table: Table) -> Ending:
    module = registry()[table.module]
    state = module.load(bytes(table.snapshot))
    outcome = module.outcome(state)
    marks: tuple[Mark, ...] = ()
    if outcome and module.telling.marks:
        events = [] if table.is_thinned else public_events(table)
        marks = tuple(module.telling.marks(module.view(state, None), events))
    winners = list(outcome.winners) if outcome else None
    return Ending(table=table, version=table.version, winners=winners, marks=encode(marks))


def _keep(found: list[Ending]) -> None:
    Ending.objects.bulk_create(
        found,
        batch_size=100,
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=["version", "winners", "marks"],
    )
