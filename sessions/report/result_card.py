"""The result card of a game, to share with others: the public part of its end, with names or without."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from companion.figures import figure
from sessions.board_games.bests import points_of
from sessions.engine.shelf import registry
from sessions.models import Table
from sessions.report.day_line import ONES_OWN, day_name, points_in_words, signs_of
from sessions.report.night import digest_of, render_highlight
from sessions.screen.regions import names_of, plain_values, render_region
from sessions.table import daily


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
    """A card in both versions: with the names of people, and without."""

    named: RenderedCard
    nameless: RenderedCard
    #: The name of the game of the day, "" for other tables.
    of_the_day: str
    #: Signs and points that replace the cards while others may still play the same deal; "" for none.
    signs: str
    points: str


def result_card(table: Table) -> ResultCard | None:
    """Return the result card of a finished table; None if it has no outcome, as it was stopped."""
    module = registry()[table.module]
    state, kept = module.load(bytes(table.snapshot)), daily.keeps_secret(table)
    outcome = module.outcome(state)
    if outcome is None:
        return None
    points = points_of(module, state, ONES_OWN) if kept else None
    own = {"outcome": outcome, "highlights": digest_of(table).highlights}
    named, nameless = _render_card(table, names_of(table), own), _render_card(table, _nameless(table), own)
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


def _nameless(table: Table) -> dict[str, str]:
    """Return the names at a table with people numbered in their order. Bots keep their names."""
    people = [sits.key for sits in table.sitters if sits.seat]
    numbers = {key: _("Player %(number)s") % {"number": number} for number, key in enumerate(people, 1)}
    return names_of(table) | numbers
