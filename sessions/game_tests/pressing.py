"""A player who knows no rules, and presses any button that a page offers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What a page itself says of its presses.
SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")


@dataclass
class Seen:
    """The results of all presses."""

    presses: int = 0
    offered: set[str] = field(default_factory=set)
    #: What no player should meet: errors in the console, a press without an answer, a thing under another.
    complaints: list[str] = field(default_factory=list)
    over: bool = False


class Presser:
    """Plays all seats of a table, one press after the other."""

    def __init__(self, pages: list[Page], seed: int) -> None:
        """:param pages: with SCRIPT in each."""
        self.pages, self.rng, self.seen = pages, Random(seed), Seen()

    def play(self, most: int) -> Seen:
        """Press until the game is over, or the given number of times."""
        while self.seen.presses < most and not self.seen.complaints:
            looks = [page.evaluate("pressing.look()") for page in self.pages]
            for look in looks:
                self.seen.offered.update(look["kinds"])
            if all(look["over"] for look in looks):
                self.seen.over = True
                break
            page, look = self._whose(looks)
            self._press(page, look)
        return self.seen

    def _whose(self, looks: list[dict[str, Any]]) -> tuple[Page, dict[str, Any]]:
        """Return the page of an awaited player; now and then another player looks round, too."""
        everybody = list(zip(self.pages, looks, strict=True))
        asked = [each for each in everybody if each[1]["asked"] or each[1]["first"]]
        return self.rng.choice(asked if asked and self.rng.random() < 0.9 else everybody)

    def _press(self, page: Page, look: dict[str, Any]) -> None:
        self.seen.presses += 1
        group = self._group(look)
        if not group:
            if look["sheet"]:
                page.keyboard.press("Escape")
            return
        index = self.rng.randrange(look[group])
        page.evaluate("pressing.still()")
        if page.evaluate("pressing.look()")[group] != look[group]:
            return  # the page has moved on
        found = page.evaluate("place => pressing.meet(place)", [group, index])
        if found is None:
            return
        if "under" in found:
            self.seen.complaints.append(f"nobody can press {json.dumps(found, ensure_ascii=False)}")
            return
        if found.get("chooses"):
            page.evaluate("place => pressing.choose(place)", [index, self.rng.randrange(found["chooses"])])
        else:
            self._touch(page, found)
        if group == "sends" and not page.evaluate("before => pressing.answered(...before)", found["before"]):
            self.seen.complaints.append(f"a press of “{found['says']}” had no answer")

    def _group(self, look: dict[str, Any]) -> str:
        if look["first"]:
            return "first"
        if look["sends"] and (not look["rest"] or self.rng.random() < 0.8):
            return "sends"
        return "rest" if look["rest"] else ""

    def _touch(self, page: Page, found: dict[str, Any]) -> None:
        if found["holds"]:
            page.mouse.move(found["x"], found["y"])
            page.mouse.down()
            page.evaluate("pressing.still()")
            page.mouse.up()
        elif page.evaluate("() => navigator.maxTouchPoints"):
            page.touchscreen.tap(found["x"], found["y"])
        else:
            page.mouse.click(found["x"], found["y"])
