"""Finds words that people see and that no translation reaches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from django.conf import settings

LANGUAGES = [code for code, _ in settings.LANGUAGES]
#: Those in which nothing may be missing.
COMPLETE = [code for code in LANGUAGES if code not in settings.PARTLY_TRANSLATED]

#: The same in every language: what players call things, rule ids, and the languages' own names.
NAMES = re.compile(r"\b(GM|NPC|PC|PL|CA|HP|JK|HO|English|日本語|한국어|[A-Z]{2}-\d+(\.\d+)?)\b")
SEEN_ATTRIBUTES = {
    "alt",
    "title",
    "aria-label",
    "aria-description",
    "aria-valuetext",
    "aria-roledescription",
    "placeholder",
    "label",
}
#: What stands on a key of the keyboard is in no language.
UNSEEN_ELEMENTS = {"script", "style", "kbd"}

COMMENT = re.compile(r"\{#.*?#\}|\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}", re.DOTALL)
TRANSLATED = re.compile(r"\{%\s*(blocktrans(?:late)?)\b.*?%\}.*?\{%\s*end\1\s*%\}", re.DOTALL)
#: Blocks that fill an attribute of the page around them.
UNSEEN_BLOCK = re.compile(r"\{%\s*block\s+(?:\w+_class|theme|skip)\s*%\}.*?\{%\s*endblock.*?%\}", re.DOTALL)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TRANSLATING = re.compile(r"\{%-?\s*(?:trans|translate)\b|\b_\(")
LITERAL = re.compile(r'"([^"]*)"|\'([^\']*)\'')


def has_words(text: str) -> bool:
    return any(letter.isalpha() for letter in NAMES.sub("", text))


def is_sentence(text: str) -> bool:
    """True if a literal inside a tag is for people: not ASCII, or words with spaces between them."""
    return has_words(text) and (not text.isascii() or bool(re.search(r"[A-Za-z]{2,}[,.!?]? [A-Za-z]", text)))


class _Reader(HTMLParser):
    """Collects the words of text and of attributes that people see or hear."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._unseen += tag in UNSEEN_ELEMENTS
        seen = {name for name in attributes if name in SEEN_ATTRIBUTES}
        if tag == "input" and attributes.get("type") in ("submit", "button", "reset"):
            seen.add("value")
        if tag == "meta" and attributes.get("name") in ("description", "application-name"):
            seen.add("content")
        self.found += [
            (self.getpos()[0], attributes[name]) for name in sorted(seen) if has_words(attributes[name])
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in UNSEEN_ELEMENTS

    def handle_data(self, data: str) -> None:
        if not self._unseen and has_words(data):
            self.found.append((self.getpos()[0], data.strip()))


def untranslated(template: str) -> list[tuple[int, str]]:
    """Return line and text of each visible part of a template that is not translated."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    found: list[tuple[int, str]] = []

    def strip_tag(match: re.Match[str]) -> str:
        line = source.count("\n", 0, match.start()) + 1
        if not TRANSLATING.search(match[0]):
            found.extend((line, a or b) for a, b in LITERAL.findall(match[0]) if is_sentence(a or b))
        return blank(match)

    source = TRANSLATED.sub(blank, COMMENT.sub(blank, UNSEEN_BLOCK.sub(blank, template)))
    reader = _Reader()
    reader.feed(TAG.sub(strip_tag, source))
    reader.close()
    return sorted(found + reader.found)


def out_of_reach(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of translated words where xgettext does not look: in f-strings and as f-strings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield from ((call.lineno, ast.unparse(call)) for call in ast.walk(node) if _is_gettext(call))
        elif _is_gettext(node) and any(isinstance(argument, ast.JoinedStr) for argument in node.args):  # type: ignore[attr-defined]
            yield node.lineno, ast.unparse(node)  # type: ignore[attr-defined]


def _is_gettext(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and re.fullmatch(r"_|n?p?gettext(_lazy)?", node.func.id) is not None
    )


def templates(root: Path) -> list[Path]:
    found = [*root.glob("templates/**/*.html"), *root.glob("*/templates/**/*.html")]
    return sorted({*found, *root.glob("sessions/modules/*/templates/**/*.html")})
