"""The text to share about a game of the day: its signs reveal no card to people who still want to play."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.models import Person
from sessions.board_games.bests import TableScore, bests
from sessions.engine.shelf import registry
from sessions.models import Table
from sessions.table.log import public_events
from sessions.table.titles import title_of

#: The seat of the only player of a game of the day.
ONES_OWN = "p1"


def day_name(day: date) -> str:
    """Return the name of a game of the day: 今日の一局 11/25."""
    return _("Game of the day %(day)s") % {"day": f"{day.month}/{day.day}"}


def signs_of(table: Table) -> str:
    """Return the course of a table in its game's signs; "" if the game has none, or the moves are gone."""
    signs = registry()[table.module].tables.signs
    if signs is None or table.is_thinned:
        return ""
    return signs(public_events(table), ONES_OWN)


def points_in_words(points: int | None) -> str:
    """Return a score in words, a dash for a game that was lost without one."""
    return "–" if points is None else ngettext("%(n)s point", "%(n)s points", points) % {"n": points}


def day_line(score: TableScore, url: str) -> str:
    """Return the text to share about a person's first game of a day: day, game, signs, score and URL."""
    table = Table.objects.get(pk=score.table)
    head = f"{day_name(score.day)} {title_of(table)}"
    return "\n".join((head, f"{signs_of(table)} {points_in_words(score.points)}".strip(), url))


def own_days(person: Person, module_key: str, day: date, url: str) -> dict[str, Any]:
    """Return a person's scores in a game, and the text to share for this day, "" if they have not played."""
    own = bests(person, module_key)
    first = own.days.get(day)
    return {"bests": own, "line": day_line(first, url) if first else ""}
