"""The line of signs about a game of the day, for people who have not played it: no card is told."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sessions.board_games.bests import Score
from sessions.engine.shelf import shelf
from sessions.models import Table
from sessions.table import log as tablelog
from sessions.table.titles import title_of

#: The seat of the one person who plays a game of the day.
ONES_OWN = "p1"


def day_name(day: date) -> str:
    """Return the name of a game of the day: 今日の一局 11/25."""
    return _("Game of the day %(day)s") % {"day": f"{day.month}/{day.day}"}


def signs_of(table: Table) -> str:
    """Return how a table went, in the signs of its game; "" where it has none, or its moves are gone."""
    signs = shelf()[table.module].tables.signs
    if signs is None or table.is_thinned:
        return ""
    log = [line for line, _place in tablelog.whole_log(table) if not line.taken_back]
    return signs([line.event for line in log if line.event.to is None], ONES_OWN)


def points_in_words(points: int | None) -> str:
    """Return a score in words, a dash for a game that was lost without one."""
    return "–" if points is None else ngettext("%(n)s point", "%(n)s points", points) % {"n": points}


def day_line(score: Score, url: str) -> str:
    """Return the line for the first game of a day: its name and day, the signs, the score, the address."""
    table = Table.objects.get(pk=score.table)
    head = f"{day_name(score.day)} {title_of(table)}"
    return "\n".join((head, f"{signs_of(table)} {points_in_words(score.points)}".strip(), url))
