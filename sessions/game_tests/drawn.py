"""What stands in a screen's HTML."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

CONTROLS = ("input", "select", "textarea", "button")


class Drawn(HTMLParser):
    """The forms of a screen: the move each sends, with the names of its controls."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[dict[str, Any], set[str]]] = []
        self.within = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.within = "data-move" in given
            if self.within:
                self.forms.append((json.loads(given["data-move"] or ""), set()))
        elif self.within and tag in CONTROLS and given.get("name"):
            self.forms[-1][1].update((given["name"] or "").split())

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.within = False


class Elements(HTMLParser):
    """The ids of a piece of HTML, how many roots it has, and whether every element is closed again."""

    VOID = frozenset({"input", "path", "use", "br", "img", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []
        self.roots = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.roots += not self.open
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
