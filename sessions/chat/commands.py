"""The notations in a message: changes of a value, references to one, and rolls; and the chat palette.

``:HP-1`` changes a value, and ``{HP}`` is replaced by one. A line like ``2d6``, ``1d100<=50`` or
``d20+3 climb`` is a roll. ``D66`` is two dice of six sides, the tens and the units. The palette
チャットパレット has a character's lines, which one tap puts into the message box.

Each die is ``Fate(secret, 0).roll(<the message's client id>, sides)``; the first one is use 0. The secret
belongs to the session and is made when it opens. Its fingerprint is published from then on, the secret
itself after the session has ended (``report/proofs.py``). The device chooses the id without knowing the
secret. Rolls have no numbers, so none reveals how many were whispered, and a whisper's roll cannot be
calculated without the whisper's id.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from django.utils.translation import get_language

from characters.exchange import ccfolia
from characters.exchange.wording import wording
from characters.models import Character
from characters.services.exchange import plain_sheet
from companion.fate import Fate
from companion.names import label_key
from sessions.evening.refusals import Refused

#: ``:HP-1`` at the start of a message or after a space; ``@name`` before it means another character.
_EDIT = re.compile(
    r"(?<!\S)(?:@(?P<whom>[^@:\n]{1,60}?)\s*)?:(?P<label>[^\s\d:=+-][^\s:=+-]{0,19})(?P<sign>[=+-])(?P<number>\S*)"
)
_REFERENCE = re.compile(r"[{｛]([^{}｛｝\n]{1,20})[}｝]")
#: The characters that an IME writes for a minus: before a digit in a change, also before a space in a roll.
_EDIT_MINUS, _ROLL_MINUS = re.compile(r"[−–—ー](?=\d)"), re.compile(r"[−–—ー](?= *\d)")
DICE, SIDES, PLUS_AT_MOST = (1, 20), (2, 1000), 9999
_PLUS = r" *[+-] *\d+(?!\w)"
_TARGET = r" *(?P<comparison>[<>]=?|[≦≧≤≥]) *(?P<target>-?\d+)(?!\w)"
_ROLL = re.compile(
    rf"(?P<dice>\d*)d(?P<sides>\d+)(?P<plus>(?:{_PLUS})*)(?:{_TARGET})?(?P<rest>.*)",
    re.IGNORECASE | re.ASCII,
)
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {"<": lt, ">": gt, "≤": le, "≥": ge}
_COMPARISON_SIGNS = {"<=": "≤", ">=": "≥", "≦": "≤", "≧": "≥"}
#: The characters that continue a calculation, with or without a space before them.
_OPERATOR = r"[-+*/×÷^~<>=≦≧≤≥@#(\[]"
_UNKNOWN = re.compile(rf"{_OPERATOR}|[a-z]{{1,2}}\d| +(?:{_OPERATOR}+|x) *\{{?d?\d", re.IGNORECASE | re.ASCII)
#: The mark at the start of a heading.
HEADING = "◆"


@dataclass(frozen=True)
class Edit:
    """One change that a message asks for; ``whom`` is empty for the writer, ``number`` is as typed."""

    whom: str
    label: str
    sign: str
    number: str

    @property
    def notation(self) -> str:
        return f":{self.label}{self.sign}{self.number}"

    @property
    def counts(self) -> bool:
        """True if the number is valid; only ``=`` accepts a negative one."""
        return bool(re.fullmatch(r"-?\d{1,4}" if self.sign == "=" else r"\d{1,4}", self.number, re.ASCII))

    def apply_to(self, value: int) -> int:
        number = int(self.number)
        return {"+": value + number, "-": value - number, "=": number}[self.sign]


def edits(text: str) -> list[Edit]:
    """Return the changes that a message asks for; full-width text (全角) counts as ASCII."""
    plain = _EDIT_MINUS.sub("-", unicodedata.normalize("NFKC", text))
    found = [Edit(m["whom"] or "", m["label"], m["sign"], m["number"]) for m in _EDIT.finditer(plain)]
    # Other text after a colon is no change, as in " :thinking=)"; "HP" is one even with an invalid number.
    return [edit for edit in found if edit.number[:1].isdigit() or label_key(edit.label) == "hp"]


def fill_references(text: str, values: Mapping[str, str]) -> str:
    """Return a message with ``{HP}`` and ``{名前}`` replaced; a label without a value stays as written.

    :param values: by ``label_key``.
    """
    return _REFERENCE.sub(lambda m: values.get(label_key(m[1]), m[0]), text)


@dataclass(frozen=True)
class Roll:
    """A number of dice with the same number of sides, a modifier of their sum, and a target for it.

    The dice of ``D66`` are the digits of its number.
    """

    dice: int
    sides: int
    plus: int
    label: str
    #: A key of ``_COMPARISONS``, empty without a target.
    comparison: str = ""
    target: int = 0
    are_digits: bool = False

    @property
    def is_within_limits(self) -> bool:
        few = DICE[0] <= self.dice <= DICE[1] and SIDES[0] <= self.sides <= SIDES[1]
        return few and max(abs(self.plus), abs(self.target)) <= PLUS_AT_MOST

    @property
    def notation(self) -> str:
        if self.are_digits:
            return "D66"
        plus = f"{self.plus:+d}" if self.plus else ""
        return f"{self.dice}d{self.sides}{plus}" + (
            f"{self.comparison}{self.target}" if self.comparison else ""
        )

    def total(self, dice: list[int]) -> int:
        return dice[0] * 10 + dice[1] if self.are_digits else sum(dice) + self.plus

    def reaches_target(self, dice: list[int]) -> bool | None:
        """Return whether the total reached the target; None without one."""
        compare = _COMPARISONS.get(self.comparison)
        return compare(self.total(dice), self.target) if compare else None


def parse_roll(text: str) -> Roll | None:
    """Return the roll that a message asks for, None for other text; full-width text (全角) counts as ASCII.

    :raises Refused: ``roll_unknown``: a part of the line would be ignored.
    """
    found = _ROLL.fullmatch(_ROLL_MINUS.sub("-", unicodedata.normalize("NFKC", text)))
    if not found:
        return None
    rest = found["rest"]
    is_counted = found["plus"] or found["comparison"]
    is_d66 = not found["dice"] and found["sides"] == "66"
    if _UNKNOWN.match(rest) or (is_counted and (is_d66 or rest.lstrip(" ") == rest != "")):
        raise Refused("roll_unknown")
    if rest and not rest.startswith(" "):
        return None
    if is_d66:
        return Roll(2, 6, 0, rest.strip(), are_digits=True)
    plus = sum(map(int, re.findall(r"[+-]\d+", found["plus"].replace(" ", ""))))
    comparison = found["comparison"] or ""
    return Roll(
        int(found["dice"] or 1),
        int(found["sides"]),
        plus,
        rest.strip(),
        _COMPARISON_SIGNS.get(comparison, comparison),
        int(found["target"] or 0),
    )


def roll_dice(roll: Roll, secret: str, client_id: uuid.UUID) -> list[int]:
    """Return the result of each die; the same arguments always give the same results."""
    fate = Fate(secret, 0)
    return [fate.roll(client_id.hex, roll.sides) for _ in range(roll.dice)]


def format_roll(roll: Roll, dice: list[int]) -> str:
    """Return the text of a roll for all readers: its notation, the dice, their sum and the label."""
    total = roll.total(dice)
    if roll.are_digits:
        return f"{roll.notation} → {total} {roll.label}".strip()
    parts = " + ".join(map(str, dice)) + (
        f" {'+' if roll.plus > 0 else '−'} {abs(roll.plus)}" if roll.plus else ""
    )
    line = f"{roll.notation} → {total}" if parts == str(total) else f"{roll.notation} → {parts} = {total}"
    return f"{line} {roll.label}".strip()


def palette_groups(character: Character) -> list[tuple[str, list[str]]]:
    """Return headings with their lines. Fixed values are filled in; ``{HP}`` stays until the line is sent."""
    sheet, words = plain_sheet(character, portrait=False), wording(get_language())
    fixed = ccfolia.usual_variables(words) + ccfolia.abilities(sheet, words)
    values = {label_key(label): value for label, value in fixed}
    found: list[tuple[str, list[str]]] = []
    for line in ccfolia.palette_lines(sheet, words):
        if line.startswith(HEADING):
            found.append((line.removeprefix(HEADING), []))
        else:
            found[-1][1].append(fill_references(line, values))
    return found
