"""The undo window after a move: drawn cards stay masked for a few seconds, so that it can be taken back.

The move is committed at once, with its refill. Only its display is delayed: until ``Table.veiled_until``
every screen, page and log shows the state that the module's ``veil`` masks, and no private line of the move.
The end of the window is written in the same row with the move, so that all processes unmask at the same time,
also after a restart. Every later change of the table ends the window.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings

from companion import shared_time
from sessions.engine import undo
from sessions.engine.registry import registry
from sessions.game import AnyModule
from sessions.models import Session, Table

#: The state stays masked this much longer than an undo is accepted: clocks differ, and commits take time.
MARGIN = timedelta(seconds=0.5)
#: The end of the mask over a move that was taken back in its undo window.
FOREVER = datetime.max.replace(tzinfo=UTC)


def mask_new_state(module: AnyModule, before: Any, after: Any, session: Session) -> Any | None:
    """Return the masked state after a move; None if it drew nothing, or may have no undo window."""
    has_grace = settings.GRACE_SECONDS > 0 and (session.campaign is None or session.campaign.grace)
    return undo.masked_state(module, before, after) if has_grace else None


def unmask_time(played_at: datetime) -> datetime:
    """Return when the state after a move is unmasked."""
    return played_at + timedelta(seconds=settings.GRACE_SECONDS) + MARGIN


def is_masked(table: Table) -> bool:
    """True while the cards that the newest move drew are masked on all screens."""
    until = table.veiled_until
    return until is not None and table.ended_at is None and shared_time.now() < until


def can_take_back(table: Table) -> bool:
    """True while the newest move may be taken back as if it had drawn nothing."""
    return is_masked(table) and seconds_to_take_back(table) > 0


def seconds_left(table: Table) -> float:
    """Return the seconds until the state is unmasked."""
    return (table.veiled_until - shared_time.now()).total_seconds() if table.veiled_until else 0


def seconds_to_take_back(table: Table) -> float:
    """Return the seconds in which the newest move may still be taken back."""
    return max(0.0, seconds_left(table) - MARGIN.total_seconds())


def visible_state(table: Table) -> Any:
    """Return the decoded state of a table that may be shown now, masked if necessary."""
    state = registry()[table.module].load(bytes(table.snapshot))
    masked = masked_state(table, state)
    return state if masked is None else masked


def masked_state(table: Table, state: Any) -> Any | None:
    """Return the masked form of ``state``, the table's present one; None if it need not be masked."""
    if not is_masked(table) and not _was_taken_back(table):
        return None
    module = registry()[table.module]
    return undo.masked_state(module, module.load(bytes(table.before)), state)


def _was_taken_back(table: Table) -> bool:
    """True if the newest move was taken back in its undo window since the table was read."""
    if table.veiled_until is None or table.ended_at is not None:
        return False
    return table.moves.filter(number=table.version + 1, unseen=True).exists()
