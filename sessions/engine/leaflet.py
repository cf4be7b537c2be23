"""Leaflets: short texts in sections, such as a help page or the cheat sheet of a game.

A leaflet is a folder with one markdown file per language. ``# `` starts its title, ``## Title {#anchor}`` a
section. ``{{ladder}}`` is a placeholder for a value, ``![words](desk-table)`` one for a picture with that
name; the page that shows the leaflet fills them in, and links the ids of rules to the rule book.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from companion.games import folder_of
from companion.wording.languages import pick_translation

from .rulebook import RULE_ID

_LEAFLET_HEADING = re.compile(r"^(#{1,2}) (.+?)(?: \{#([a-z0-9-]+)\})?$", re.MULTILINE)
_VALUE = re.compile(r"<p>\{\{(\w+)\}\}</p>|\{\{(\w+)\}\}")
_PICTURE = re.compile(r'<p><img src="([a-z-]+)" alt="([^"]*)" /></p>')
_MENTION = re.compile(rf"\b{RULE_ID}\b")


@dataclass(frozen=True)
class Section:
    """A part of a leaflet, with its anchor on the page."""

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
        """The names of the pictures in the sections."""
        return {found[1] for section in self.sections for found in _PICTURE.finditer(section.html)}

    @property
    def mentions(self) -> set[str]:
        """The ids of rules that the sections mention."""
        return {found[0] for section in self.sections for found in _MENTION.finditer(section.html)}

    @property
    def has_figures(self) -> bool:
        """True if there are values to fill in; they are tables, which need room on the page."""
        return any(_VALUE.search(section.html) for section in self.sections)

    def fill_in(
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
    """Return the cheat sheet of a game, None if it has none."""
    folder = folder_of(key)
    sheet = folder / "cheat_sheet" if folder else None
    return leaflet(sheet, language) if sheet and sheet.is_dir() else None


@cache
def leaflet(folder: Path, language: str) -> Leaflet:
    """Return the leaflet of a folder in a language or its fallback.

    :raises LookupError: the folder has neither.
    """
    file = pick_translation({each.stem: each for each in folder.glob("*.md")}, language)
    return parse_leaflet(file.read_text("utf-8"), file.stem)


def parse_leaflet(text: str, language: str) -> Leaflet:
    """Parse the markdown of a leaflet.

    :raises ValueError: a section has no anchor, or two have the same one.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    title, preface, sections = "", "", list[Section]()
    headings = list(_LEAFLET_HEADING.finditer(text))
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
