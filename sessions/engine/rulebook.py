"""The texts of a game for its players, in each language: its rule book, and leaflets such as a cheat sheet.

A game keeps its book in its folder ``rules``, one markdown file per language: ``ja.md``, ``en.md``. ``# ``
starts the title, ``## `` a chapter, and ``### UC-4.2 Title`` a clause.

A leaflet is a folder with one markdown file per language, too; help pages are such. ``# `` starts its title,
``## Title {#anchor}`` a section. ``![words](desk-table)`` is a placeholder for a picture with that name.

In both, ``{{ladder}}`` is a placeholder for a value, which a table may have changed. The page that shows the
text fills in the placeholders, and links the ids of rules to the rule book.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from companion.games import folder_of
from companion.wording import pick_translation

RULE_ID = r"[A-Z]{2}-\d+\.\d+"
_HEADING = re.compile(rf"^(#{{1,3}}) (?:({RULE_ID}) )?(.+)$", re.MULTILINE)
#: A placeholder is a paragraph of its own, or part of a sentence.
_VALUE = re.compile(r"<p>\{\{(\w+)\}\}</p>|\{\{(\w+)\}\}")
_MENTION = re.compile(rf"\b{RULE_ID}\b")
_LEAFLET_HEADING = re.compile(r"^(#{1,2}) (.+?)(?: \{#([a-z0-9-]+)\})?$", re.MULTILINE)
_PICTURE = re.compile(r'<p><img src="([a-z-]+)" alt="([^"]*)" /></p>')


@dataclass(frozen=True)
class Clause:
    """One rule: its id, its title, and its text as HTML with placeholders for values."""

    id: str
    title: str
    html: str


@dataclass(frozen=True)
class Chapter:
    title: str
    clauses: list[Clause]

    @property
    def anchor(self) -> str:
        """The chapter's anchor on a page: "UC-4" for clauses from UC-4.1 on."""
        return self.clauses[0].id.rpartition(".")[0]


@dataclass(frozen=True)
class RuleBook:
    title: str
    html: str
    chapters: list[Chapter]

    @property
    def ids(self) -> list[str]:
        return [clause.id for chapter in self.chapters for clause in chapter.clauses]

    @property
    def values(self) -> set[str]:
        """The names of the values to fill in."""
        text = "".join(clause.html for chapter in self.chapters for clause in chapter.clauses)
        return {block or inline for block, inline in _VALUE.findall(text)}

    def fill_in(self, value: Callable[[str], str]) -> RuleBook:
        """Return the book with each placeholder replaced by the HTML that ``value`` returns for its name."""

        def fill(html: str) -> str:
            return _VALUE.sub(lambda match: value(match[1] or match[2]), html)

        chapters = [
            Chapter(chapter.title, [Clause(one.id, one.title, fill(one.html)) for one in chapter.clauses])
            for chapter in self.chapters
        ]
        return RuleBook(self.title, self.html, chapters)


def languages(key: str) -> list[str]:
    return sorted(_files(key))


@cache
def book(key: str, language: str) -> RuleBook:
    """Return the rule book of a game in a language or its fallback.

    :raises LookupError: the game has neither.
    """
    return parse_rule_book(pick_translation(_files(key), language).read_text("utf-8"))


def parse_rule_book(text: str) -> RuleBook:
    """Parse the markdown of a book.

    :raises ValueError: a clause has no id or is outside any chapter, or a chapter has no clauses.
    """
    title, preface, chapters = "", "", list[Chapter]()
    for heading, html in _split_at(_HEADING, text):
        depth, rule_id, words = len(heading[1]), heading[2], heading[3].strip()
        html = _MENTION.sub(r'<a class="rule-id" href="#\g<0>">\g<0></a>', html)
        if depth == 1:
            title, preface = words, html
        elif depth == 2:
            chapters.append(Chapter(words, []))
        elif rule_id is None or not chapters:
            raise ValueError(f"a clause needs an id and a chapter: {words}")
        else:
            chapters[-1].clauses.append(Clause(rule_id, words, html))
    if not all(chapter.clauses for chapter in chapters):
        raise ValueError("a chapter without clauses")
    return RuleBook(title, preface, chapters)


def _split_at(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each heading of a markdown text, and the HTML of the text up to the next one."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    headings = list(pattern.finditer(text))
    ends = [following.start() for following in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        yield heading, markdown.render(text[heading.end() : end])


@cache
def _files(key: str) -> dict[str, Path]:
    folder = folder_of(key)
    return {path.stem: path for path in (folder / "rules").glob("*.md")} if folder else {}


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
    title, preface, sections = "", "", list[Section]()
    for heading, html in _split_at(_LEAFLET_HEADING, text):
        words, anchor = heading[2], heading[3]
        if len(heading[1]) == 1:
            title, preface = words, html
        elif anchor is None or any(section.anchor == anchor for section in sections):
            raise ValueError(f"a section needs an anchor of its own: {words}")
        else:
            sections.append(Section(anchor, words, html))
    return Leaflet(language, title, preface, sections)
