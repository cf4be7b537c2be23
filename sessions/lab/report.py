"""The parts of a lab's page: its runs, and sections with a table and a plot, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.template import TemplateDoesNotExist
from django.utils.translation import pgettext

from companion import rendering
from sessions.engine import bots
from sessions.game import AnyModule
from sessions.lab import plots
from sessions.lab.plots import PlotLine
from sessions.lab.statistics import Difference, Games, difference

#: The names of two runs that are compared.
RUNS = ("A", "B")
MOST_LINES = 24  # of a plot; the table has all of them


@dataclass(frozen=True)
class ReportSection:
    """One question: a sentence about the meaning of the numbers, a table of them, and a plot."""

    title: str
    meaning: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    plot: str = ""
    found: str = ""  # a sentence about the main result


@dataclass(frozen=True)
class Runs:
    """One run of a game, or two runs to compare."""

    module: AnyModule
    games: Sequence[Games]
    language: str

    @property
    def names(self) -> Sequence[str]:
        return RUNS[: len(self.games)] if len(self.games) > 1 else ("",)

    def head(self, *words: str) -> list[str]:
        """Return the words once for each run, with the run's name if there are two."""
        return [f"{word} {name}".strip() for name in self.names for word in words]


def share_section(
    runs: Runs, title: str, meaning: str, first: str, lines: Sequence[PlotLine], expected: float | None = None
) -> ReportSection:
    """Return a table and a plot of shares, with the differences if there are two runs."""
    two = len(runs.games) > 1
    head = [
        first,
        *runs.head(pgettext("lab", "share"), pgettext("lab", "surely between"), pgettext("lab", "of")),
        *([pgettext("lab", "B − A")] if two else []),
    ]
    rows = []
    for line in lines:
        row = [line.label]
        for share in line.shares:
            low, high = share.bounds
            row += [percent(share.value), f"{percent(low)} – {percent(high)}", str(share.of)]
        rows.append([*row, *([points(difference(line.shares[1], line.shares[0]))] if two else [])])
    return ReportSection(title, meaning, head, rows, plots.shares(lines[:MOST_LINES], runs.names, expected))


def add_averages(runs: Runs, section: ReportSection, averages: Sequence[Sequence[float]]) -> ReportSection:
    head = [*section.head, *runs.head(pgettext("lab", "in a game"))]
    rows = [
        [*row, *(f"{one:.2f}" for one in cells)] for row, cells in zip(section.rows, averages, strict=True)
    ]
    return replace(section, head=head, rows=rows)


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def points(change: Difference) -> str:
    """Return a difference of shares with its interval, in points, and a star if it is clear."""
    value, low, high = (f"{100 * one:+.1f}" for one in (change.value, change.low, change.high))
    return f"{value} ({low} – {high}){' *' * change.is_clear}"


def bot_name(kind: str) -> str:
    """Return the name of a kind of bot; in English it is the word that the command takes."""
    names = {
        bots.STRONG: pgettext("lab bot", "strong"),
        bots.STEADY: pgettext("lab bot", "plain"),
        bots.RANDOM: pgettext("lab bot", "random"),
    }
    return names[kind]


def trait_words(runs: Runs, kind: str, value: Any = None) -> str:
    """Return a game's words for a kind of trait, or for a value of it; the bare name if it has none."""
    template = f"tables/{runs.module.key}/_study.jinja"
    try:
        said: str = rendering.render_first((template,), {"kind": kind, "value": value})
    except TemplateDoesNotExist:
        said = ""
    return str(said or value or kind)
