"""A few sections to read: a page of the help, the cheat sheet of a game.

A leaflet is a folder with one file a language. ``# `` heads it, ``## Title {#anchor}`` a section; between
them stands markdown. ``{{ladder}}`` is the place of a value, ``![words](desk-table)`` that of a picture by
its name; whoever shows the leaflet fills them in. Ids of rules lead to the rule book.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from companion.games import folder_of
from companion.wording.languages import worded

from .rulebook import RULE_ID

_HEADING = re.compile(r"^(#{1,2}) (.+?)(?: \{#([a-z0-9-]+)\})?$", re.MULTILINE)
_VALUE = re.compile(r"<p>\{\{(\w+)\}\}</p>|\{\{(\w+)\}\}")
_PICTURE = re.compile(r'<p><img src="([a-z-]+)" alt="([^"]*)" /></p>')
_MENTION = re.compile(rf"\b{RULE_ID}\b")


@dataclass(frozen=True)
class Section:
    """A part of a leaflet, with the name of its place on the page."""

    anchor: str
    title: str
    html: str


@dataclass(frozen=True)
class Leaflet:
    language: str
    title: str
    html: str
    sections: list[Section]

    @property
    def pictures(self) -> set[str]:
        """The names of the pictures that are to be shown."""
        return {found[1] for section in self.sections for found in _PICTURE.finditer(section.html)}

    @property
    def mentions(self) -> set[str]:
        """The ids of rules that are named."""
        return {found[0] for section in self.sections for found in _MENTION.finditer(section.html)}

    @property
    def has_figures(self) -> bool:
        """True if there are tables of values to fill in, which take room."""
        return any(_VALUE.search(section.html) for section in self.sections)

    def filled(
        self, *, value: Callable[[str], str], picture: Callable[[str, str], str], rule: Callable[[str], str]
    ) -> Leaflet:
        """Return the leaflet with HTML in place of values, pictures (name, words) and ids of rules."""

        def fill(html: str) -> str:
            html = _MENTION.sub(lambda found: rule(found[0]), html)
            html = _PICTURE.sub(lambda found: picture(found[1], found[2]), html)
            return _VALUE.sub(lambda found: value(found[1] or found[2]), html)

        sections = [Section(one.anchor, one.title, fill(one.html)) for one in self.sections]
        return Leaflet(self.language, self.title, fill(self.html), sections)


def cheat_sheet(key: str, language: str) -> Leaflet | None:
    """Return the cheat sheet of a game, None for a game that brings none."""
    folder = folder_of(key)
    sheet = folder / "cheat_sheet" if folder else None
    return leaflet(sheet, language) if sheet and sheet.is_dir() else None


@cache
def leaflet(folder: Path, language: str) -> Leaflet:
    """Return the leaflet of a folder in a language, or in one that stands in for it.

    :raises LookupError: there is no such leaflet.
    """
    file = worded({each.stem: each for each in folder.glob("*.md")}, language)
    return parse(file.read_text("utf-8"), file.stem)


def parse(text: str, language: str) -> Leaflet:
    """Return the leaflet that a text holds.

    :raises ValueError: a section without an anchor, or two with the same one.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    title, preface, sections = "", "", list[Section]()
    headings = list(_HEADING.finditer(text))
    ends = [following.start() for following in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        words, anchor, html = heading[2], heading[3], markdown.render(text[heading.end() : end])
        if len(heading[1]) == 1:
            title, preface = words, html
        elif anchor is None or any(section.anchor == anchor for section in sections):
            raise ValueError(f"a section needs an anchor of its own: {words}")
        else:
            sections.append(Section(anchor, words, html))
    return Leaflet(language, title, preface, sections)
