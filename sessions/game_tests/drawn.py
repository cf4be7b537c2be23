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
