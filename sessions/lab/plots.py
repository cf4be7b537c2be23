"""Plots as SVG inside a page: their text stays text, and they use the page's colours.

matplotlib is an optional extra; only this file imports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import east_asian_width

from sessions.lab.statistics import Proportion, Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours that no plot uses otherwise; each is replaced by a colour of the page.
INK, LINE, RUNS = "#010203", "#010204", ("#010205", "#010206")
_COLOURS = {INK: "var(--ink)", LINE: "var(--line)", RUNS[0]: "var(--run-a)", RUNS[1]: "var(--run-b)"}
_SIZE = re.compile(r'width="[\d.]+pt" height="[\d.]+pt"|height="[\d.]+pt" width="[\d.]+pt"')
WIDTH, ROW = 4.2, 0.34  # inches
BINS = 24


class Missing(Exception):
    """The extra with matplotlib is not installed."""


class PlotLine(NamedTuple):
    """A line of a plot of shares: its label, and a share for each run."""

    label: str
    shares: Sequence[Proportion]


def check() -> None:
    """Check that plots can be drawn.

    :raises Missing: the extra is not installed.
    """
    if find_spec("matplotlib") is None:
        raise Missing


def shares(lines: Sequence[PlotLine], names: Sequence[str], expected: float | None) -> str:
    """Return a plot of shares as dots with their intervals, one row for each of ``lines``."""
    held = {_place_for(line.label, number): line.label for number, line in enumerate(lines)}

    def draw(axes: Axes) -> None:
        for run, name in enumerate(names):
            for place, line in enumerate(lines):
                share, (low, high) = line.shares[run], line.shares[run].bounds
                height = place + (run - (len(names) - 1) / 2) * 0.3
                if share.of:
                    axes.plot([100 * low, 100 * high], [height, height], color=RUNS[run], linewidth=2)
                    axes.plot([100 * share.value], [height], "o", color=RUNS[run], markersize=6)
            axes.plot([], [], "o-", color=RUNS[run], label=name)
        if expected is not None:
            axes.axvline(100 * expected, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(range(len(lines)), list(held))
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.xaxis.set_major_formatter("{x:g} %")

    svg = _render_svg(draw, names, 1.0 + ROW * max(2, len(lines)))
    for place, label in held.items():
        svg = svg.replace(f">{place}<", f">{escape(label)}<")
    return svg


def histogram(spreads: Sequence[Spread], names: Sequence[str]) -> str:
    """Return a histogram: how many games in a hundred have each number."""
    everything = [value for spread in spreads for value in spread.values] or [0.0]
    low, high = min(everything), max(everything)
    step = max(1, -(-int(high - low + 1) // BINS))
    edges = [low + step * n for n in range(int((high - low) // step) + 2)]

    def draw(axes: Axes) -> None:
        for run, (spread, name) in enumerate(zip(spreads, names, strict=True)):
            weights = [100 / len(spread.values)] * len(spread.values)
            axes.hist(spread.values, edges, weights=weights, color=RUNS[run], alpha=0.6, label=name)
        axes.yaxis.set_major_formatter("{x:g} %")

    return _render_svg(draw, names, 2.4)


def lines(xs: Sequence[int], ys: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    from matplotlib.ticker import MaxNLocator

    def draw(axes: Axes) -> None:
        for run, (values, name) in enumerate(zip(ys, names, strict=True)):
            axes.plot(xs[: len(values)], values, "o-", color=RUNS[run], label=name, markersize=4)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))

    return _render_svg(draw, names, 2.4)


def _place_for(label: str, number: int) -> str:
    """Return Latin letters as wide as a label.

    They reserve its place: matplotlib's font has no Japanese, and the page's font has.
    """
    ems = sum(1.0 if east_asian_width(letter) in "WF" else 0.6 for letter in label)
    return f"{number:02d}" + "m" * max(0, round(ems - 1))


def _render_svg(draw: Callable[[Axes], None], names: Sequence[str], height: float) -> str:
    from matplotlib import style
    from matplotlib.figure import Figure

    ours: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "takujo",  # without a salt, ids differ each time
        "font.family": "sans-serif",
        "font.size": 10,
        "text.color": INK,
        "axes.edgecolor": LINE,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": INK,
        "ytick.color": INK,
        "legend.frameon": False,
    }
    with style.context(["default", ours]):  # ignores the settings of this machine
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        draw(axes)
        if len(names) > 1:
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _for_a_page(text.getvalue())


def _for_a_page(svg: str) -> str:
    """Return a plot without the head of an SVG file, as wide as the page, in the page's colours."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = _SIZE.sub('aria-hidden="true"', svg, count=1)
    # A page has many plots, and ids must be unique in it.
    mark = sha256(svg.encode()).hexdigest()[:8]
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{mark}-", svg)
    for colour, token in _COLOURS.items():
        svg = svg.replace(colour, token)
    return svg
