"""Interprets a piece as a sheet. Lines that our rules have no field for go into the background."""

from __future__ import annotations

import html
import re
from collections.abc import Sized
from dataclasses import replace

from characters import rules
from characters.exchange import ccfolia, parsing, pieces
from characters.exchange.parsing import Reading, Trim, UnreadableSheet, fold_label, text_of_value
from characters.exchange.pieces import NO_ANSWER, Piece
from characters.exchange.plain import PlainItem, PlainSheet, item_with_value
from characters.exchange.wording import WORDINGS, Wording, one_line, without_controls

LANGUAGES = list(WORDINGS.values())
SUITS = {fold_label(words.suits) for words in LANGUAGES} | {fold_label("Favored suits"), fold_label("スート")}
SKILLS = {fold_label(label) for words in LANGUAGES for label in (words.skill, words.skills)}
CONCEPTS = {fold_label(words.concept) for words in LANGUAGES}
HEADS = {fold_label(words.items) for words in LANGUAGES}
KINDS = {fold_label(label): (kind, label) for words in LANGUAGES for kind, label in words.kinds.items()}
KINDS[fold_label("Armor")] = ("armour", "Armor")
#: Labels of our own pieces that hold no data of the character.
UNSAID = {fold_label(label) for words in LANGUAGES for label in (words.hand, words.difficulty)}
ITEM_KINDS = {
    words.kind(kind, special=special): (kind, special)
    for words in LANGUAGES
    for kind in words.kinds
    for special in (False, True)
}
ITEM_LINE = re.compile(rf"・(.+)（({'|'.join(map(re.escape, ITEM_KINDS))}) ([0-9])）")
NAME_AND_VALUE = re.compile(r"(.*?\S)\s*[(（]?\s*\+?([0-9])\s*[)）]?")
DIGITS = "0123456789"


def interpret_piece(piece: Piece, words: Wording, ours: str = "") -> Reading:
    """Return the sheet of a piece, and a record of all data that was changed or left out.

    Refusals: ``no_name`` if the piece has neither a name nor any other data.
    """
    if ours and piece.url.startswith(f"{ours}/"):
        piece = replace(piece, url="")
    written = parsing.visible(piece.name)
    if not written and not piece.says_anything:
        raise UnreadableSheet("no_name", what="name")
    interpreter = _Interpreter(piece)
    sheet = PlainSheet(
        name=interpreter.name(written if interpreter.suits else html.unescape(written), words.nameless),
        concept=interpreter.concept,
        hp=interpreter.hp[0],
        hp_max=interpreter.hp[1],
        suits=interpreter.suits or "",
        skills=tuple(interpreter.skills),
        items=tuple(interpreter.items),
    )
    person = not interpreter.is_ours(sheet)
    sheet, told = interpreter.with_offers(sheet, piece, words) if person else (sheet, [])
    story, spoken = _whole_story("\n".join(interpreter.story).strip(), piece.palette)
    left_over = [line for line in interpreter.left_over(sheet) if line not in told]
    left_over += _foreign_lines(spoken, sheet, words)
    parts = filter(None, [story, "\n".join(told), "\n".join(left_over)])
    background, cut = parsing.fitting("\n\n".join(parts))
    return Reading(
        replace(sheet, background=background),
        player=interpreter.player,
        left_over=tuple(left_over),
        cut=cut,
        hp_missing=interpreter.hp_missing,
        trims=tuple(interpreter.trims),
        left_out=tuple(piece.left_out),
        faces=tuple(piece.faces),
        person=person,
        hp_there=interpreter.hp_there,
    )


def _whole_story(begun: str, spoken: str) -> tuple[str, str]:
    """Return the background and the palette. A background cut in the memo is taken whole from the palette."""
    lines = without_controls(spoken)
    for words in LANGUAGES:
        before, heading, whole = lines.partition(f"\n{words.story}\n")
        if heading and begun.endswith("…") and whole.startswith(begun[:-1]):
            return whole.strip(), before
    return begun, spoken


def _foreign_lines(spoken: str, sheet: PlainSheet, words: Wording) -> list[str]:
    """Return the lines of a palette that our own export would not write for this sheet."""
    ours = {""}
    for language in LANGUAGES:
        pairs = ccfolia.usual_variables(language) + ccfolia.abilities(sheet, language)
        ours |= {*ccfolia.palette_lines(sheet, language), *ccfolia.define_variables(pairs)}
    lines = [line for line in without_controls(spoken).split("\n") if line.strip() not in ours]
    return [f"{words.palette}:", *lines] if lines else []


class _Interpreter:
    """Reads a piece once: first lines of the memo, then status, then params."""

    def __init__(self, piece: Piece) -> None:
        self.player = ""
        self.suits: str | None = None
        self.skills: list[str] = []
        self.items: list[PlainItem] = []
        self.hp, self.hp_missing, self.hp_there = (1, 1), True, ""
        self._other_points: tuple[str, object, object] | None = None
        self.concept = ""
        self.trims: list[Trim] = []
        self.story: list[str] = []
        self._rest: list[str] = []
        self._ca: str | None = None
        self._memo_lines: dict[str, str] = {}
        self._unclaimed: list[PlainItem] = []
        self._read_memo(without_controls(piece.memo).split("\n"))
        for status in piece.status:
            self._read_status(*status)
        for label, value in piece.params:
            if value.strip():
                self._read_param(one_line(label), one_line(value))
        if self.hp_missing and self._other_points:
            self._set_hp(*self._other_points)
        self._use_memo_lines()
        self._rest += piece.further
        if piece.url:
            self._rest.append(f"URL: {piece.url}")

    def name(self, written: str, nameless: str) -> str:
        """Return a name that fits on a sheet. A longer one is also kept whole in the background."""
        if not written:
            self.trims.append(Trim("no_name", {"now": nameless}))
        elif len(written) > rules.NAME_LENGTH:
            self.trims.append(Trim("name", {"most": rules.NAME_LENGTH}))
            self._rest.insert(0, written)
        return written[: rules.NAME_LENGTH].strip() or nameless

    def _no_room(self, what: str, rows: Sized) -> bool:
        """True if the sheet has no free row of this kind. The first time, add a trim."""
        if len(rows) < rules.ROWS_AT_MOST:
            return False
        trim = Trim(what, {"most": rules.ROWS_AT_MOST})
        if trim not in self.trims:
            self.trims.append(trim)
        return True

    def is_ours(self, sheet: PlainSheet) -> bool:
        """True if the piece is ours: with favoured suits, and a CA or figures that a creation can give."""
        has_ca = self._ca is not None
        return self.suits is not None and (has_ca or not rules.find_excesses(sheet.figures))

    def with_offers(self, sheet: PlainSheet, piece: Piece, words: Wording) -> tuple[PlainSheet, list[str]]:
        """Return a sheet with all skills and items to offer to a character from another game.

        Also return lines for the background, with the values that the sheet does not take over.
        """
        found = dict.fromkeys([*piece.named, *pieces.find_labelled_names([*self.story, *self._rest])])
        skills = [skill for skill in sheet.skills if skill not in NO_ANSWER]
        items = list(sheet.items)
        lines = [f"HP: {self.hp_there}"] if self.hp_there else []
        if self.suits:
            lines.append(f"{words.suits}: {words.suits_in_symbols(self.suits)}")
        named = [
            *((pieces.SKILL, name) for name in skills),
            *((item.kind, item.name) for item in sheet.items),
            *piece.named,
        ]
        for kind, label in {pieces.SKILL: words.skills, **words.kinds}.items():
            if names := [name for of_kind, name in named if of_kind == kind]:
                lines.append(f"{label}: {words.comma.join(dict.fromkeys(names))}")
        for kind, name in found:
            if kind == pieces.SKILL:
                skills.append(name)
            elif parsing.number(name) is None:
                items.append(PlainItem(kind, name))
        by_name = {item.name: item for item in reversed(items)}
        person = replace(
            sheet,
            skills=tuple(dict.fromkeys(skills))[: rules.ROWS_AT_MOST],
            items=tuple(reversed(by_name.values()))[: rules.ROWS_AT_MOST],
        )
        return person, lines

    def left_over(self, sheet: PlainSheet) -> list[str]:
        """Return the lines that were not understood, each once."""
        if self._ca is not None and parsing.number(self._ca) != sheet.ca:
            self._rest.insert(0, f"CA: {self._ca}")
        told = {line.strip() for line in self.story}
        return [line for line in dict.fromkeys(self._rest) if line not in told]

    def _read_memo(self, lines: list[str]) -> None:
        """Read the memo lines that our export writes. The first other line begins the story."""
        for at, line in enumerate(lines):
            label, colon, value = line.partition(":")
            if match := ITEM_LINE.fullmatch(line.strip()):
                kind, special = ITEM_KINDS[match[2]]
                item = item_with_value(kind, match[1], int(match[3]), special=special)
                if item is None or len(item.name) > rules.NAME_LENGTH or self._no_room("items", self.items):
                    self._rest.append(line.strip())
                else:
                    self.items.append(item)
            elif colon and fold_label(label) in CONCEPTS and len(value.strip()) <= rules.CONCEPT_LENGTH:
                self.concept = value.strip()
            elif colon and fold_label(label) == "pl":
                self.player = value.strip()
            elif colon and fold_label(label) in SUITS | SKILLS:
                self._memo_lines[fold_label(label)] = value.strip()
            elif not (colon and fold_label(label) in HEADS and not value.strip()):
                self.story = lines[at:]
                break
        self._unclaimed = list(self.items)

    def _read_status(self, label: str, value: object, most: object) -> None:
        if fold_label(label) == "hp" and self.hp_missing:
            self._set_hp(label, value, most)
        elif fold_label(label) not in UNSAID:
            self._note_possible_hp(label, value, most)
            self._rest.append(_amount(label, value, most))

    def _note_possible_hp(self, label: str, value: object, most: object) -> None:
        """Remember the first value that may be HP, in case none is labelled "HP"."""
        if fold_label(label) in pieces.HIT_POINTS and self._other_points is None:
            self._other_points = (label, value, most)

    def _set_hp(self, label: str, value: object, most: object) -> None:
        """Set HP, clamped to a sheet's range. Keep clamped or unreadable values as left over."""
        given = [None if found == "" else found for found in (value, most)]
        if given == [None, None]:
            return
        now, highest = map(parsing.number, given)
        asked = (highest if now is None else now, now if highest is None else highest)
        found = parsing.points_that_fit(now, highest)
        if found:
            self.hp, self.hp_missing = found, False
            self.hp_there = "{}/{}".format(*asked)
            if asked != found:
                self.trims.append(Trim("hp", {"was": self.hp_there, "now": "{}/{}".format(*found)}))
        if asked != found or any(parsing.number(each) is None for each in given if each is not None):
            self._rest.append(_amount(label, *given))

    def _read_param(self, label: str, value: str) -> None:
        key = fold_label(label)
        bare = key.rstrip(DIGITS)
        if key in SUITS and self.suits is None and self._set_suits(value):
            return
        if key == "ca":
            self._ca = value
        elif key == "hp" and self.hp_missing:
            now, _, most = value.partition("/")
            self._set_hp(label, now, most)
        elif bare in SKILLS:
            self._add_skills([value] if bare != key else re.split("[、,，]", value), f"{label}: {value}")
        elif bare in KINDS:
            self._add_item(*KINDS[bare], value, f"{label}: {value}")
        elif key not in UNSAID and value not in NO_ANSWER:
            self._note_possible_hp(label, *value.partition("/")[::2])
            self._rest.append(f"{label}: {value}")

    def _set_suits(self, value: str) -> bool:
        """Set the favoured suits, three at most; return False for a text that is not about suits."""
        suits = parsing.suits(value)
        if suits is None:
            return False
        if len(suits) > rules.SUITS_AT_MOST:
            self.trims.append(Trim("suits", {"most": rules.SUITS_AT_MOST}))
            self._rest.append(value)
        self.suits = rules.check_suits(suits[: rules.SUITS_AT_MOST])
        return True

    def _add_skills(self, names: list[str], line: str) -> None:
        names = [name for name in map(one_line, names) if name]
        if any(len(name) > rules.NAME_LENGTH for name in names):
            self._rest.append(line)
            return
        for name in names:
            if self._no_room("skills", self.skills):
                self._rest.append(name)
            else:
                self.skills.append(name)

    def _add_item(self, kind: str, label: str, value: str, line: str) -> None:
        """Match a param to an item of the memo with this kind and value, or add a new item."""
        name, amount = label, parsing.number(value)
        short = len(value) <= parsing.MEANT_AT_MOST
        if amount is None and short and (match := NAME_AND_VALUE.fullmatch(value)):
            name, amount = match[1], int(match[2])
        for known in self._unclaimed:
            if (known.kind, known.value) == (kind, amount):
                self._unclaimed.remove(known)
                return
        item = None if amount is None else item_with_value(kind, name, amount, special=False)
        if item is None or len(name) > rules.NAME_LENGTH or self._no_room("items", self.items):
            if value not in NO_ANSWER:
                self._rest.append(line)
        else:
            self.items.append(item)

    def _use_memo_lines(self) -> None:
        """Use the memo's suits and skills if the params have none; keep other lines as left over."""
        for key, value in self._memo_lines.items():
            # The lines that our own export would write for the values known so far.
            ours = [
                words.suits_in_symbols(self.suits or "") if key in SUITS else words.comma.join(self.skills)
                for words in LANGUAGES
            ]
            if key in SKILLS and not self.skills:
                self._add_skills(re.split("[、,，]", value), value)
            elif key in SUITS and self.suits is None:
                if not self._set_suits(value):
                    self._rest.append(value)
            elif value not in ours:
                self._rest.append(value)


def _amount(label: str, value: object, most: object) -> str:
    """Return a status as one line, with its maximum if it has one."""
    amount = text_of_value(value) if most in (None, "") else f"{text_of_value(value)}/{text_of_value(most)}"
    return one_line(f"{label}: {amount}")
