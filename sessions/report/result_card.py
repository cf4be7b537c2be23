"""The results of a game that people share with others: its result card, and the text of a game of the day.

A card has the public part of the game's end, with names or without. The signs of a game of the day reveal
no card to people who still want to play it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.figures import figure
from companion.models import Person
from sessions.board_games.own_games import TableScore, bests, points_of
from sessions.engine.registry import registry
from sessions.live.regions import plain_values, render_region, seat_names
from sessions.models import Table
from sessions.report.session_report import digest_of, render_highlight
from sessions.table import replay
from sessions.table.log import public_events
from sessions.table.slow_tables import table_title

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
    head = f"{day_name(score.day)} {table_title(table)}"
    return "\n".join((head, f"{signs_of(table)} {points_in_words(score.points)}".strip(), url))


def days_context(person: Person, module_key: str, day: date, url: str) -> dict[str, Any]:
    """Return a person's scores in a game, and the text to share for this day, "" if they have not played."""
    own = bests(person, module_key)
    first = own.days.get(day)
    return {"bests": own, "line": day_line(first, url) if first else ""}


@dataclass(frozen=True)
class RenderedCard:
    """The rendered parts of a card, either with names or without.

    ``said`` is the decisive moment, "" if the game has none. ``sent`` has the game's cards and rows; a game
    without them shows the score rows of ``prompt``.
    """

    result: SafeString
    said: SafeString
    sent: SafeString
    prompt: SafeString


@dataclass(frozen=True)
class ResultCard:
    """A card in both versions: with the names of people, and with numbers for them; bots keep their names."""

    named: RenderedCard
    nameless: RenderedCard
    of_the_day: str  #: The name of the game of the day, "" for other tables.
    #: Signs and points that replace the cards while others may still play the same deal; "" for none.
    signs: str
    points: str


def result_card(table: Table) -> ResultCard | None:
    """Return the result card of a finished table; None if it has no outcome, as it was stopped."""
    module = registry()[table.module]
    state, kept = module.load(bytes(table.snapshot)), replay.is_deal_open(table)
    outcome = module.outcome(state)
    if outcome is None:
        return None
    points = points_of(module, state, ONES_OWN) if kept else None
    own = {"outcome": outcome, "highlights": digest_of(table).highlights}
    names, people = seat_names(table), [sits.key for sits in table.sitters if sits.seat]
    numbers = {key: _("Player %(number)s") % {"number": number} for number, key in enumerate(people, 1)}
    named, nameless = _render_card(table, names, own), _render_card(table, names | numbers, own)
    if kept:
        nothing = {"said": SafeString(), "sent": SafeString(), "prompt": SafeString()}
        named, nameless = replace(named, **nothing), replace(nameless, **nothing)
    return ResultCard(
        named=named,
        nameless=nameless,
        of_the_day=day_name(table.daily) if table.daily else "",
        signs=signs_of(table) if kept else "",
        points=points_in_words(points) if points is not None else "",
    )


def _render_card(table: Table, names: dict[str, str], own: dict[str, Any]) -> RenderedCard:
    values = plain_values(table, None, names) | own
    winners = [figure(values["figures"], names, seat) for seat in own["outcome"].winners]
    return RenderedCard(
        result=render_region(table.module, "outcome", values | {"winners": winners}),
        said=render_highlight(table, own["highlights"][0], values) if own["highlights"] else SafeString(),
        sent=render_region(table.module, "sent", values),
        prompt=render_region(table.module, "prompt", values),
    )
