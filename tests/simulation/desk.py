"""What the GM's desk brings to every screen: the shared clocks, the scene that is on, and cut-ins.

Several devices write there at the same moment: the GM's, and that of the deputy who took over.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Desk:
    """The desk's side of a session, as it was committed."""

    #: How many segments are filled, and how many there are, by clock.
    clocks: dict[int, tuple[int, int]] = field(default_factory=dict)
    #: The id of the scene that is on for the GM, and its title as everybody sees it.
    scene: str = ""
    title: str = ""

    def after(self, intent: tuple[Any, ...] | None, newest: int) -> Desk:
        """Return the desk as one intent leaves it; a new clock has the number ``newest``."""
        match intent:
            case "turn clock", pk, by if pk in self.clocks:
                filled, segments = self.clocks[pk]
                turned = min(max(filled + by, 0), segments), segments
                return replace(self, clocks=self.clocks | {pk: turned})
            case "take clock", pk:
                return replace(self, clocks={one: self.clocks[one] for one in self.clocks if one != pk})
            case ("lay clock",):
                return replace(self, clocks=self.clocks | {newest: (0, 4)})
            case "scene", scene, title:
                return replace(self, scene=scene, title=title)
            case ("scenario",) | ("no scene",):
                return replace(self, scene="", title="")
            case ("end night",):
                return replace(self, clocks={})
        return self


class DeskWitness:
    """Compares each commit with what was to be committed, and cut-ins on pages with those committed."""

    def __init__(self, session_pk: int, problem: Callable[[str], None]) -> None:
        self._session_pk, self._problem = session_pk, problem
        self.desk = Desk()
        #: How often each cut-in was committed, sent to a page, and arrived there.
        self.thrown = Counter[str]()
        self._sent: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.arrived: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def begin(self, ask: Callable[[str], Any]) -> None:
        """See the desk as it was laid out."""
        self.desk = self._read(ask)

    def committed(self, ask: Callable[[str], Any], intent: tuple[Any, ...] | None) -> str:
        """See what a commit has changed; return the words of the cut-in that it throws, "" for none."""
        now = self._read(ask)
        wanted = self.desk.after(intent, max(now.clocks, default=0))
        if now != wanted:
            self._problem(f"after {intent or 'something else'} the desk is {now}, not {wanted}")
        self.desk = now
        if intent and intent[0] == "cut in":
            words: str = intent[1]
            self.thrown[words] += 1
            return words
        return ""

    def sent(self, page: str, text: str) -> None:
        """See that a page is not sent a cut-in that is not committed, nor one twice."""
        if words := _words(text):
            self._sent[page][words] += 1
            if self._sent[page][words] > self.thrown[words]:
                self._problem(f"{page} is told of a cut-in that is not committed")

    def heard(self, page: str, text: str) -> None:
        if words := _words(text):
            self.arrived[page][words] += 1

    def _read(self, ask: Callable[[str], Any]) -> Desk:
        clocks, scene, staged = ask(
            "SELECT (SELECT json_group_object(c.id, json_array(c.filled, c.segments)) "
            "FROM play_sharedclock c WHERE c.session_id = s.id), "
            "(SELECT scene FROM play_stage WHERE session_id = s.id), s.staged "
            f"FROM play_session s WHERE s.id = {self._session_pk}"
        )
        laid = {int(pk): (filled, segments) for pk, (filled, segments) in json.loads(clocks).items()}
        return Desk(laid, scene, json.loads(staged).get("title", ""))


def _words(text: str) -> str:
    """Return the words of a cut-in that a frame tells of, "" for other frames."""
    return str(json.loads(text)["thrown"]["words"]) if text.startswith('{"thrown"') else ""
