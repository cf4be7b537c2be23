"""Interprets a piece as a sheet. Lines without a meaning in our rules are kept in the background."""

from __future__ import annotations

import re
from dataclasses import replace

from characters import rules
from characters.exchange import palette, parsing
from characters.exchange.parsing import Reading, folded, said
from characters.exchange.pieces import Piece
from characters.exchange.plain import PlainItem, PlainSheet, item_worth
from characters.exchange.unreadable import Unreadable
from characters.exchange.wording import WORDINGS, Wording, one_line, without_controls

LANGUAGES = list(WORDINGS.values())
SUITS = {folded(words.suits) for words in LANGUAGES} | {folded("Favored suits"), folded("スート")}
SKILLS = {folded(label) for words in LANGUAGES for label in (words.skill, words.skills)}
HEADS = {folded(words.items) for words in LANGUAGES}
KINDS = {folded(label): (kind, label) for words in LANGUAGES for kind, label in words.kinds.items()}
KINDS[folded("Armor")] = ("armour", "Armor")
#: Labels of our own pieces that say nothing about the character itself.
UNSAID = {folded(label) for words in LANGUAGES for label in (words.hand, words.difficulty)}
ITEM_KINDS = {
    words.kind(kind, special=special): (kind, special)
    for words in LANGUAGES
    for kind in words.kinds
    for special in (False, True)
}
ITEM_LINE = re.compile(rf"・(.+)（({'|'.join(map(re.escape, ITEM_KINDS))}) ([0-9])）")
NAME_AND_VALUE = re.compile(r"(.*?\S)\s*[(（]?\s*\+?([0-9])\s*[)）]?")
DIGITS = "0123456789"


def sheet_of(piece: Piece, words: Wording, ours: str = "") -> Reading:
    """Return the sheet that a piece makes.

    :param ours: our own origin. A link of a piece back to us is dropped.
    :raises Unreadable: those of ``parsing``; ``too_many_rows``.
    """
    if ours and piece.url.startswith(f"{ours}/"):
        piece = replace(piece, url="")
    interpreter = _Interpreter(piece)
    sheet = PlainSheet(
        name=parsing.name(piece.name),
        hp=interpreter.hp[0],
        hp_max=interpreter.hp[1],
        suits=interpreter.suits or "",
        skills=tuple(interpreter.skills),
        items=tuple(interpreter.items),
    )
    left_over = [*interpreter.left_over(sheet), *_own_lines(piece.palette, sheet, words)]
    parts = ["\n".join(interpreter.story).strip(), "\n".join(left_over)]
    background, cut = parsing.fitting("\n\n".join(filter(None, parts)))
    return Reading(
        replace(sheet, background=background),
        player=interpreter.player,
        left_over=tuple(left_over),
        cut=cut,
        hp_missing=interpreter.hp_missing,
    )


def _own_lines(spoken: str, sheet: PlainSheet, words: Wording) -> list[str]:
    """Return the lines of a palette that we would not write ourselves."""
    ours = {""}
    for language in LANGUAGES:
        pairs = palette.usual(language) + palette.abilities(sheet, language)
        ours |= {*palette.lines(sheet, language), *palette.variables(pairs)}
    lines = [line for line in without_controls(spoken).split("\n") if line.strip() not in ours]
    return [f"{words.palette}:", *lines] if lines else []


class _Interpreter:
    """Goes through a piece once: its memo's first lines, its status, its params."""

    def __init__(self, piece: Piece) -> None:
        self.player = ""
        self.suits: str | None = None
        self.skills: list[str] = []
        self.items: list[PlainItem] = []
        self.hp, self.hp_missing = (1, 1), True
        self.story: list[str] = []
        self._rest: list[str] = []
        self._ca: str | None = None
        self._memo_lines: dict[str, str] = {}
        self._unclaimed: list[PlainItem] = []
        self._memo(without_controls(piece.memo).split("\n"))
        self._check_rows()
        for status in piece.status:
            self._status(*status)
        for label, value in piece.params:
            if value.strip():
                self._param(one_line(label), one_line(value))
        self._from_memo()
        self._rest += piece.further
        if piece.url:
            self._rest.append(f"URL: {piece.url}")
        self._check_rows()

    def _check_rows(self) -> None:
        for what, rows in (("skills", self.skills), ("items", self.items)):
            if len(rows) > rules.ROWS_AT_MOST:
                raise Unreadable("too_many_rows", what=what, most=rules.ROWS_AT_MOST)

    def left_over(self, sheet: PlainSheet) -> list[str]:
        """Return the lines that were not understood, each once."""
        if self._ca is not None and parsing.number(self._ca) != sheet.ca:
            self._rest.insert(0, f"CA: {self._ca}")
        told = {line.strip() for line in self.story}
        return [line for line in dict.fromkeys(self._rest) if line not in told]

    def _memo(self, lines: list[str]) -> None:
        """Read the lines that a memo of ours begins with. The first other line begins the story."""
        for at, line in enumerate(lines):
            label, colon, value = line.partition(":")
            if match := ITEM_LINE.fullmatch(line.strip()):
                kind, special = ITEM_KINDS[match[2]]
                item = item_worth(kind, match[1], int(match[3]), special=special)
                if item is None or len(item.name) > rules.NAME_LENGTH:
                    self._rest.append(line.strip())
                else:
                    self.items.append(item)
            elif colon and folded(label) == "pl":
                self.player = value.strip()
            elif colon and folded(label) in SUITS | SKILLS:
                self._memo_lines[folded(label)] = value.strip()
            elif not (colon and folded(label) in HEADS and not value.strip()):
                self.story = lines[at:]
                break
        self._unclaimed = list(self.items)

    def _status(self, label: str, value: object, most: object) -> None:
        if folded(label) == "hp" and self.hp_missing:
            self._points(value, most)
        elif folded(label) not in UNSAID:
            amount = said(value) if most in (None, "") else f"{said(value)}/{said(most)}"
            self._rest.append(one_line(f"{label}: {amount}"))

    def _points(self, value: object, most: object) -> None:
        self.hp = parsing.points(value, most)
        self.hp_missing = value in (None, "") and most in (None, "")

    def _param(self, label: str, value: str) -> None:
        key = folded(label)
        bare = key.rstrip(DIGITS)
        suits = parsing.suits(value) if key in SUITS and self.suits is None else None
        if suits is not None:
            self.suits = suits
        elif key == "ca":
            self._ca = value
        elif key == "hp" and self.hp_missing:
            now, _, most = value.partition("/")
            self._points(now, most)
        elif bare in SKILLS:
            self._skills([value] if bare != key else re.split("[、,，]", value), f"{label}: {value}")
        elif bare in KINDS:
            self._item(*KINDS[bare], value, f"{label}: {value}")
        elif key not in UNSAID:
            self._rest.append(f"{label}: {value}")

    def _skills(self, names: list[str], line: str) -> None:
        names = [name for name in map(one_line, names) if name]
        if any(len(name) > rules.NAME_LENGTH for name in names):
            self._rest.append(line)
        else:
            self.skills += names

    def _item(self, kind: str, label: str, value: str, line: str) -> None:
        """Return the item of the memo with this value, or else a new one named after its kind."""
        amount = parsing.number(value)
        name = label
        short = len(value) <= parsing.MEANT_AT_MOST
        if amount is None and short and (match := NAME_AND_VALUE.fullmatch(value)):
            name, amount = match[1], int(match[2])
        for known in self._unclaimed:
            if (known.kind, known.value) == (kind, amount):
                self._unclaimed.remove(known)
                return
        item = None if amount is None else item_worth(kind, name, amount, special=False)
        if item is None or len(name) > rules.NAME_LENGTH:
            self._rest.append(line)
        else:
            self.items.append(item)

    def _from_memo(self) -> None:
        """Fill in from the memo whatever nothing else said."""
        for key, value in self._memo_lines.items():
            if key in SKILLS and not self.skills:
                self._skills(re.split("[、,，]", value), value)
            elif key in SUITS and self.suits is None:
                self.suits = parsing.suits(value)
                if self.suits is None:
                    self._rest.append(value)
            elif value not in self._said(key):
                self._rest.append(value)

    def _said(self, key: str) -> set[str]:
        """Return the lines that our own memo would have for the values known so far."""
        if key in SUITS:
            return {words.suits_in_symbols(self.suits or "") for words in LANGUAGES}
        return {words.comma.join(self.skills) for words in LANGUAGES}
