"""The chat palette: one line per tap, ``{…}`` for a value of the sheet, ``◆`` before each part."""

from __future__ import annotations

import re

from characters.exchange.plain import PlainSheet
from characters.exchange.wording import Wording, number_labels, one_line

#: The most common difficulty. The palette has it as a variable, so that players change it in one place.
USUAL_DIFFICULTY = "2"
#: The signs of a palette line: heading, variable, status change, ``{value}``, dice.
SPOKEN = re.compile(
    r"^\s*(?:[◆■]|//|／／|[:：]\w+[-+=])|[{｛][^{}\"]{1,40}[}｝]|\b\d{0,3}[dDbB]\d{1,4}\b|\w<=\{?\w"
)


def palette_lines(sheet: PlainSheet, words: Wording) -> list[str]:
    """Return the chat lines for play. They announce checks, but other tools have no hand to resolve them."""
    checks, combat, resources = words.headings
    skills = [words.with_skill % {"name": one_line(name)} for name in sheet.skills]
    attacks = [
        words.attack % {"name": one_line(item.name), "value": item.value}
        for item in sheet.items
        if item.kind == "weapon"
    ]
    defences = [line for kind, line in words.defend.items() if sheet.values(kind)]
    fight = [combat, *attacks, *defences] if attacks or defences else []
    return [checks, *words.checks, *skills, *fight, resources, *words.resource_lines]


def is_palette(text: str) -> bool:
    """True for a chat palette: at least two lines, and at least half of all, match ``SPOKEN``."""
    written = [line for line in text.splitlines() if line.strip()]
    spoken = sum(bool(SPOKEN.search(line)) for line in written)
    return not text.startswith(("{", "[")) and spoken >= 2 and 2 * spoken >= len(written)


def usual_variables(words: Wording) -> list[tuple[str, str]]:
    """Return the one variable that is not from the sheet: the difficulty."""
    return [(words.difficulty, USUAL_DIFFICULTY)]


def abilities(sheet: PlainSheet, words: Wording) -> list[tuple[str, str]]:
    """Return label and value of all rarely changing figures, each label once."""
    skills = [(f"{words.skill}{n}", one_line(name)) for n, name in enumerate(sheet.skills, 1)]
    weapons = number_labels(words.kinds["weapon"], sheet.values("weapon"))
    worn = [
        (words.kinds[kind], str(max(values)))
        for kind in ("armour", "shield")
        if (values := sheet.values(kind))
    ]
    return [
        ("CA", str(sheet.ca)),
        (words.suits, words.suits_in_symbols(sheet.suits)),
        *skills,
        *weapons,
        *worn,
    ]


def define_variables(pairs: list[tuple[str, str]]) -> list[str]:
    """Return definitions ``//name=value``."""
    return [f"//{label.replace(' ', '')}={value}" for label, value in pairs]


def palette_text(sheet: PlainSheet, words: Wording) -> str:
    """Return the palette as a file: chat lines, then variables. The other tool itself fills in ``{HP}``."""
    pairs = usual_variables(words) + abilities(sheet, words)
    return "\n".join([*palette_lines(sheet, words), *define_variables(pairs)]) + "\n"
