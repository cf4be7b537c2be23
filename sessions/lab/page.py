"""The page of a lab: one file that opens without a server and loads nothing from the network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from companion import rendering
from sessions.engine.step import encode
from sessions.game import AnyModule
from sessions.lab.games import RunConfig
from sessions.lab.statistics import Games

from .sections import RUNS, Runs, bot_name, sections

STYLES = ("css/tokens.css", "css/lab.css")


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
        "bots": [*map(bot_name, settings[0].bots)],
        "runs": [(name, encode(setting.options).decode()) for name, setting in named],
        "by_chance": settings[0].openings and module.study.openings,
        "unfinished": sum(game.reason is None for one in games for game in one),
        "sections": sections(runs),
        "styles": "".join(map(_style, STYLES)),
        "language": language,
    }
    return render_to_string("lab/page.html", context)


def _style(name: str) -> str:
    return Path(str(finders.find(name))).read_text("utf-8")
