"""Thin old sessions: delete their moves and messages, and keep the report and everything else.

A game with best scores keeps its moves: they decide which scores count.
"""

from __future__ import annotations

from datetime import timedelta

import msgspec
from django.db import transaction
from django.utils import timezone

from sessions.board_games.bests import scored_tables_query
from sessions.engine.shelf import registry
from sessions.evening.announcing import broadcast
from sessions.models import Message, Session
from sessions.report.night import digest_of
from sessions.table import endings


def thin_sessions(days: int) -> int:
    """Thin the sessions that ended at least ``days`` days ago, and return their number."""
    until = timezone.now() - timedelta(days=days)
    old = Session.objects.filter(ended_at__lte=until, thinned_at=None)
    pks = list(old.values_list("pk", flat=True))
    for pk in pks:
        _thin_session(pk)
    return len(pks)


@transaction.atomic
def _thin_session(session_pk: int) -> None:
    session = Session.objects.select_for_update().get(pk=session_pk)
    plain = session.tables.filter(module__in=registry(), told__isnull=True)
    for table in plain.exclude(scored_tables_query(registry())):
        endings.keep(table)
        # Stored as bytes: a JSON column of PostgreSQL would not keep the order of keys.
        table.told = msgspec.json.encode(digest_of(table))
        table.before = b""
        table.save(update_fields=["told", "before"])
        table.moves.all().delete()
        table.milestones.all().delete()
    Message.objects.filter(session=session).delete()
    session.thinned_at = timezone.now()
    session.save(update_fields=["thinned_at"])
    broadcast(session.pk)
