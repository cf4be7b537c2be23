"""The page of a lab: one file that opens without a server and loads nothing from the network.

Each of its sections answers one question by statistics, as a table and as a plot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.text import Truncator
from django.utils.translation import pgettext

from companion import rendering
from companion.rendering.markup import plain
from sessions.engine import bots, rulebook
from sessions.engine.step import encode
from sessions.game import AnyModule, Event
from sessions.lab import plots, statistics
from sessions.lab.games import RunConfig
from sessions.lab.plots import PlotLine
from sessions.lab.statistics import Difference, Games, Proportion, Taken, difference

#: The names of two runs that are compared.
RUNS = ("A", "B")
STYLES = ("css/tokens.css", "css/lab.css")
WITH = ("✓", "–")  # seats that took an option, and those that could have
FEW = 30  # an option that was taken less often is not judged
MOST_LINES = 24  # of a plot; the table has all of them
LABEL = 20  # characters of an event's label in a plot


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


def page(module: AnyModule, settings: Sequence[RunConfig], games: Sequence[Games], language: str) -> str:
    """Return the page of a run, or of two runs to compare, in the active language.

    The same games give the same page, byte by byte.

    :raises OSError: a style sheet is missing.
    """
    runs = Runs(module, games, language)
    named = zip(RUNS, settings, strict=False) if len(settings) > 1 else [("", settings[0])]
    context = {
        "title": rendering.render_first((f"tables/{module.key}/_title.jinja",), {}),
        "setting": settings[0],
        "bots": list(map(_bot_name, settings[0].bots)),
        "runs": [(name, encode(setting.options).decode()) for name, setting in named],
        "by_chance": settings[0].openings and module.study.openings,
        "unfinished": sum(game.reason is None for one in games for game in one),
        "sections": _sections(runs),
        "styles": "".join(Path(str(finders.find(name))).read_text("utf-8") for name in STYLES),
        "language": language,
    }
    return render_to_string("lab/page.html", context)


def _sections(runs: Runs) -> list[ReportSection]:
    found = [_endings(runs)]
    if len(statistics.seats(runs.games[0])) > 1:
        found.append(_seats(runs))
    if len({kind for game in runs.games[0] for kind in game.bots.values()}) > 1:
        found.append(_bots(runs))
    found += [_trait(runs, kind) for kind in statistics.kinds(runs.games[0])]
    if any(statistics.scores(games).values for games in runs.games):
        found.append(_scores(runs))
    found += [_lengths(runs), *_options(runs), *_chapters(runs), *_rules(runs), _events(runs)]
    return found


def _endings(runs: Runs) -> ReportSection:
    names = sorted({reason for games in runs.games for reason in statistics.reasons(games)})
    nothing = Proportion(0, 0)
    lines = [
        PlotLine(
            pgettext("lab", "no end") if name == "-" else name,
            [statistics.reasons(games).get(name, nothing) for games in runs.games],
        )
        for name in names
    ]
    return _share_section(
        runs,
        pgettext("lab", "How games end"),
        pgettext(
            "lab",
            "How many games in a hundred end for each reason; the reasons have their names from the rules.",
        ),
        pgettext("lab", "reason"),
        lines,
    )


def _seats(runs: Runs) -> ReportSection:
    seats = statistics.seats(runs.games[0])
    lines = [PlotLine(seat, [statistics.seat(games, seat) for games in runs.games]) for seat in seats]
    return _share_section(
        runs,
        pgettext("lab", "Wins by seat"),
        pgettext(
            "lab",
            "How often each seat wins; the broken line is the average, which a fair seat’s bar touches.",
        ),
        pgettext("lab", "seat"),
        lines,
        _everybody(runs),
    )


def _everybody(runs: Runs) -> float:
    return statistics.wins(runs.games[0], lambda game, seat: True).value


def _bots(runs: Runs) -> ReportSection:
    kinds = sorted({kind for game in runs.games[0] for kind in game.bots.values()})
    lines = [
        PlotLine(_bot_name(kind), [statistics.bot(games, kind) for games in runs.games]) for kind in kinds
    ]
    return _share_section(
        runs,
        pgettext("lab", "Wins by bot"),
        pgettext(
            "lab", "How often a seat wins that is played by each kind of bot; the kinds go round the seats."
        ),
        pgettext("lab", "bot"),
        lines,
        _everybody(runs),
    )


def _trait(runs: Runs, kind: str) -> ReportSection:
    values = sorted({value for games in runs.games for value in statistics.values(games, kind)})
    lines = [
        PlotLine(
            _trait_words(runs, kind, value), [statistics.trait(games, kind, value)[0] for games in runs.games]
        )
        for value in values
    ]
    section = _share_section(
        runs,
        pgettext("lab", "Wins by %(kind)s") % {"kind": _trait_words(runs, kind)},
        pgettext(
            "lab", "How often a seat wins that ever had this in the game; the broken line is the average."
        ),
        _trait_words(runs, kind),
        lines,
        _everybody(runs),
    )
    compared = [_compare(*statistics.trait(runs.games[0], kind, value)) for value in values]
    rows = [[*row, cell] for row, cell in zip(section.rows, compared, strict=True)]
    head = [*section.head, pgettext("lab", "more than without it (points)")]
    return replace(section, head=head, rows=rows)


def _compare(having: Proportion, lacking: Proportion) -> str:
    return _points(difference(having, lacking)) if having.of and lacking.of else "–"


def _scores(runs: Runs) -> ReportSection:
    spreads = [statistics.scores(games) for games in runs.games]
    return ReportSection(
        pgettext("lab", "Scores"),
        pgettext(
            "lab",
            "What seats have at the end, where there is a score: the middle, the best and the worst tenth.",
        ),
        [
            pgettext("lab", "run"),
            pgettext("lab", "scores"),
            pgettext("lab", "average"),
            "10 %",
            "50 %",
            "90 %",
            pgettext("lab", "spread"),
        ],
        [
            [
                name or pgettext("lab", "all"),
                str(len(one.values)),
                f"{one.mean:.2f}",
                *(f"{one.at(part):g}" for part in (10, 50, 90)),
                f"{statistics.deviation(one):.2f}",
            ]
            for name, one in zip(runs.names, spreads, strict=True)
        ],
        plots.histogram(spreads, runs.names),
    )


def _lengths(runs: Runs) -> ReportSection:
    run, average = pgettext("lab", "run"), pgettext("lab", "average")
    longest, where = pgettext("lab", "longest"), pgettext("lab", "in game")
    spreads = [statistics.lengths(games) for games in runs.games]
    rows = [
        [
            name or pgettext("lab", "all"),
            f"{spread.mean:.1f}",
            *(f"{spread.at(part):g}" for part in (5, 50, 95, 99, 100)),
            str(statistics.longest(games)),
        ]
        for name, spread, games in zip(runs.names, spreads, runs.games, strict=True)
    ]
    return ReportSection(
        pgettext("lab", "Length"),
        pgettext(
            "lab",
            "How many moves a game takes: half of all end by 50 %, one in a hundred goes on after 99 %.",
        ),
        [run, average, "5 %", "50 %", "95 %", "99 %", longest, where],
        rows,
        plots.histogram(spreads, runs.names),
    )


def _options(runs: Runs) -> Iterator[ReportSection]:
    for name, games in zip(runs.names, runs.games, strict=True):
        options = statistics.options(games)
        lines = [
            PlotLine(one.option, [one.with_it, one.without])
            for one in sorted(options, key=lambda one: (one.difference.value, one.option))
            if one.with_it.of >= FEW and one.without.of >= FEW
        ]
        yield ReportSection(
            " ".join(filter(None, (pgettext("lab", "Options"), name))),
            pgettext(
                "lab",
                "How often bots take an option where they may, and how often a seat wins that ever took it,"
                " against one that could and never did. Who is losing may take it for that reason:"
                " a run with other bots tells more.",
            ),
            [
                pgettext("lab", "option"),
                pgettext("lab", "taken"),
                pgettext("lab", "of"),
                pgettext("lab", "wins with it"),
                pgettext("lab", "wins without"),
                pgettext("lab", "difference (points)"),
            ],
            [_option(one) for one in options],
            plots.shares(lines[:MOST_LINES], WITH, None) if lines else "",
            _unworthy(options),
        )


def _option(one: Taken) -> list[str]:
    return [
        one.option,
        _percent(one.chosen.value),
        str(one.chosen.of),
        f"{_percent(one.with_it.value)} / {one.with_it.of}",
        f"{_percent(one.without.value)} / {one.without.of}",
        _compare(one.with_it, one.without),
    ]


def _unworthy(options: Sequence[Taken]) -> str:
    never = [one.option for one in options if not one.chosen.hits]
    bad = [one.option for one in options if one.is_never_worth_it and one.with_it.of >= FEW]
    sentences = (
        (pgettext("lab", "Never taken: %(options)s."), never),
        (pgettext("lab", "Never worth taking in this run: %(options)s."), bad),
    )
    said = [sentence % {"options": ", ".join(found)} for sentence, found in sentences if found]
    return " ".join(said) or pgettext("lab", "No option lost clearly to doing without it.")


def _chapters(runs: Runs) -> Iterator[ReportSection]:
    counted = [statistics.chapters(games) for games in runs.games]
    numbers = sorted({chapter.number for one in counted for chapter in one})
    if not numbers:
        return
    rows = [
        [name or pgettext("lab", "all"), *_chapter(chapter)]
        for name, one in zip(runs.names, counted, strict=True)
        for chapter in one
    ]
    means = [[chapter.gained.mean for chapter in one] for one in counted]
    yield ReportSection(
        pgettext("lab", "Swing by season, day or turn"),
        pgettext(
            "lab",
            "What a seat gains in each, how much that differs between seats, how often another seat takes"
            " the lead, and how often the leader at its end wins the game.",
        ),
        [
            pgettext("lab", "run"),
            pgettext("lab", "number"),
            pgettext("lab", "games"),
            pgettext("lab", "gained"),
            pgettext("lab", "spread"),
            pgettext("lab", "lead changes"),
            pgettext("lab", "leader wins in the end"),
        ],
        rows,
        plots.lines(numbers, means, runs.names),
    )


def _chapter(chapter: statistics.ChapterStats) -> list[str]:
    return [
        str(chapter.number),
        str(chapter.games),
        f"{chapter.gained.mean:.2f}",
        f"{statistics.deviation(chapter.gained):.2f}",
        _percent(chapter.leads_change.value) if chapter.leads_change.of else "–",
        _percent(chapter.leader_wins.value) if chapter.leader_wins.of else "–",
    ]


def _rules(runs: Runs) -> Iterator[ReportSection]:
    names = list(runs.module.study.rules)
    if not names:
        return
    counted = [statistics.rules(games, names) for games in runs.games]
    lines = [PlotLine(_rule(runs, name), [one[name][0] for one in counted]) for name in names]
    section = _share_section(
        runs,
        pgettext("lab", "Rules that decide"),
        pgettext(
            "lab",
            "In how many games of a hundred a rule decides something at least once,"
            " and how often it does in a game.",
        ),
        pgettext("lab", "rule"),
        lines,
    )
    yield _add_averages(runs, section, [[one[name][1] for one in counted] for name in names])


def _rule(runs: Runs, rule: str) -> str:
    """Return the id of a rule, with its title if the game has a rule book."""
    if not rulebook.languages(runs.module.key):
        return rule
    chapters = rulebook.book(runs.module.key, runs.language).chapters
    titles = {clause.id: clause.title for chapter in chapters for clause in chapter.clauses}
    return f"{rule} {titles.get(rule, '')}".strip()


def _events(runs: Runs) -> ReportSection:
    counted = [statistics.events(games) for games in runs.games]
    names = sorted({name for one in counted for name in one})
    nothing = (Proportion(0, 0), 0.0)
    first: dict[str, Event] = {}
    for game in (game for games in runs.games for game in games):
        first = game.first | first
    said = [_event_text(runs.module.key, first[name]) for name in names]
    lines = [
        PlotLine(Truncator(words).chars(LABEL), [one.get(name, nothing)[0] for one in counted])
        for name, words in zip(names, said, strict=True)
    ]
    section = _share_section(
        runs,
        pgettext("lab", "What happens"),
        pgettext(
            "lab",
            "In how many games of a hundred an event happens at least once, and how often in a game."
            " Each is told as the log told it the first time.",
        ),
        pgettext("lab", "event"),
        lines,
    )
    whole = [[words, *row[1:]] for words, row in zip(said, section.rows, strict=True)]
    return _add_averages(
        runs, replace(section, rows=whole), [[one.get(name, nothing)[1] for one in counted] for name in names]
    )


def _event_text(key: str, event: Event) -> str:
    """Return the line of a game's log for an event, or the event's kind if the log has no line for it."""
    values = {"event": event, "names": {}, "figures": {}, "view": None, "seat": None, "table": {"pk": 0}}
    line = rendering.render_first((f"tables/{key}/_event.jinja",), values)
    return plain(str(line)).replace("\n", " ") or event.kind


def _share_section(
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
            row += [_percent(share.value), f"{_percent(low)} – {_percent(high)}", str(share.of)]
        rows.append([*row, *([_points(difference(line.shares[1], line.shares[0]))] if two else [])])
    return ReportSection(title, meaning, head, rows, plots.shares(lines[:MOST_LINES], runs.names, expected))


def _add_averages(runs: Runs, section: ReportSection, averages: Sequence[Sequence[float]]) -> ReportSection:
    head = [*section.head, *runs.head(pgettext("lab", "in a game"))]
    rows = [
        [*row, *(f"{one:.2f}" for one in cells)] for row, cells in zip(section.rows, averages, strict=True)
    ]
    return replace(section, head=head, rows=rows)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _points(change: Difference) -> str:
    """Return a difference of shares with its interval, in points, and a star if it is clear."""
    value, low, high = (f"{100 * one:+.1f}" for one in (change.value, change.low, change.high))
    return f"{value} ({low} – {high}){' *' * change.is_clear}"


def _bot_name(kind: str) -> str:
    """Return the name of a kind of bot; in English it is the word that the command takes."""
    return {
        bots.STRONG: pgettext("lab bot", "strong"),
        bots.STEADY: pgettext("lab bot", "plain"),
        bots.RANDOM: pgettext("lab bot", "random"),
    }[kind]


def _trait_words(runs: Runs, kind: str, value: Any = None) -> str:
    """Return a game's words for a kind of trait, or for a value of it; the bare name if it has none."""
    template = f"tables/{runs.module.key}/_study.jinja"
    try:
        said: str = rendering.render_first((template,), {"kind": kind, "value": value})
    except TemplateDoesNotExist:
        said = ""
    return str(said or value or kind)
