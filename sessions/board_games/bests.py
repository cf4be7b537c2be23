"""One's own best scores in a game that has a game of the day: today's, and of all times. For nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec
from django.utils import timezone

from companion.models import Person
from sessions.engine.shelf import shelf
from sessions.game import AnyModule
from sessions.models import Table
from sessions.table import daily

#: The number of best scores that are listed.
LISTED = 5


@dataclass(frozen=True)
class Score:
    """The result of one table, the day it ended, and whether it was the game of a day."""

    table: int
    points: int
    day: date
    daily: bool


@dataclass(frozen=True)
class Bests:
    """The number of today's games that came to their end, the best score of these, and the best ever."""

    tries: int
    today: int | None
    ever: list[Score]


def bests(person: Person, module_key: str) -> Bests:
    """Return the scores of a person without a bot and by the game's own options; of equals the first."""
    module = shelf()[module_key]
    own = Table.objects.filter(module=module_key, table_seats__seat__person=person, table_seats__bot="")
    own = own.filter(session__trial="")
    ended = own.exclude(ended_at=None).exclude(moves__bot__gt="").order_by("ended_at", "pk").distinct()
    plain = [table for table in ended if msgspec.convert(table.options, module.options) == module.options()]
    points = {table.pk: outcome.score for table in plain if (outcome := _outcome(module, table))}
    # A player who went back to before the first move was dealt other cards than everybody else.
    otherwise = set(ended.filter(moves__restores=0).values_list("pk", flat=True))
    of_today = {table.pk for table in plain if table.daily == daily.today()} - otherwise
    today = [points[pk] for pk in of_today & points.keys()]
    scores = [
        Score(table.pk, scored, timezone.localdate(table.ended_at), daily=table.daily is not None)
        for table in plain
        if (scored := points.get(table.pk)) is not None
    ]
    best = max((scored for scored in today if scored is not None), default=None)
    return Bests(len(today), best, sorted(scores, key=lambda one: -one.points)[:LISTED])


def _outcome(module: AnyModule, table: Table) -> Any:
    """Return a table's outcome; None if it was stopped."""
    return module.outcome(module.load(bytes(table.snapshot)))
