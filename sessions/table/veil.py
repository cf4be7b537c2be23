"""The grace after a move: what it drew lies face down for a few seconds, so that it can be taken back.

The move stands and is committed at once, with its refill. What waits is what people see: until
``Table.veiled_until`` every screen, page and log shows the table as ``veil`` of its module leaves it, and no
private line of the move. That moment is written with the move and in the same row, so that all processes lift
the veil alike, also after a restart; every later change of the table takes it away.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from sessions.engine import undo
from sessions.engine.shelf import shelf
from sessions.game import AnyModule
from sessions.models import Session, Table

#: The veil lies so much longer than an undo is taken: clocks differ, and a commit takes its time.
MARGIN = timedelta(seconds=0.5)
#: Until then lies a veil from under which a move was taken back.
FOREVER = datetime.max.replace(tzinfo=UTC)


def lay(module: AnyModule, before: Any, after: Any, session: Session) -> Any | None:
    """Return the state after a move with what it drew face down; None if nothing waits there.

    That is so where the move drew nothing, and where the game or the GM gives no grace.
    """
    has_grace = settings.GRACE_SECONDS > 0 and (session.campaign is None or session.campaign.grace)
    return undo.veil(module, before, after) if has_grace else None


def end(played_at: datetime) -> datetime:
    """Return until when the veil lies over a move."""
    return played_at + timedelta(seconds=settings.GRACE_SECONDS) + MARGIN


def lies(table: Table) -> bool:
    """True while what the newest move drew is shown to nobody."""
    return table.veiled_until is not None and table.ended_at is None and timezone.now() < table.veiled_until


def takes_back(table: Table) -> bool:
    """True while the newest move may be taken back as if it had drawn nothing."""
    return lies(table) and table.veiled_until is not None and timezone.now() < table.veiled_until - MARGIN


def seconds_left(table: Table) -> float:
    """Return how long the veil still lies."""
    return (table.veiled_until - timezone.now()).total_seconds() if table.veiled_until else 0


def seconds_to_take_back(table: Table) -> float:
    """Return how long the newest move may still be taken back."""
    return max(0.0, seconds_left(table) - MARGIN.total_seconds())


def seen(table: Table) -> Any:
    """Return the state of a table, decoded as it may be shown now."""
    state = shelf()[table.module].load(bytes(table.snapshot))
    veiled = veiled_now(table, state)
    return state if veiled is None else veiled


def _was_taken_back(table: Table) -> bool:
    """True if the newest move was taken back from under its veil since the table was read."""
    if table.veiled_until is None or table.ended_at is not None:
        return False
    return table.moves.filter(number=table.version + 1, unseen=True).exists()


def veiled_now(table: Table, state: Any) -> Any | None:
    """Return ``state``, a table's own, with what the newest move drew face down; None if no veil lies."""
    if not lies(table) and not _was_taken_back(table):
        return None
    module = shelf()[table.module]
    return undo.veil(module, module.load(bytes(table.before)), state)
