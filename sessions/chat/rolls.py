"""A quick roll in the chat: a line like ``2d6``, ``1d100`` or ``d20+3 climb``.

Each die is ``Fate(secret, 0).roll(<the message's client id>, sides)``; the first one is use 0. The secret
belongs to the session and is made when it opens. Its fingerprint is published from then on, the secret itself
after the session has ended (``report/proofs.py``). The device chooses the id without knowing the secret.
Rolls have no numbers, so none reveals how many were whispered, and a whisper's roll cannot be calculated
without the whisper's id.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from dataclasses import dataclass

from companion.fate import Fate

DICE, SIDES, PLUS_AT_MOST = (1, 20), (2, 1000), 9999
#: The characters that an IME writes for a minus.
_MINUS = re.compile(r"[−–—ー](?= *\d)")
_PLUS = r" *[+-] *\d+(?!\w)"
_ROLL = re.compile(
    rf"(?P<dice>\d*)d(?P<sides>\d+)(?P<plus>(?:{_PLUS})*)(?P<rest>.*)", re.IGNORECASE | re.ASCII
)
#: The characters that continue a calculation, with or without a space before them.
_OPERATOR = r"[-+*/×÷^~<>=≦≧≤≥@#(\[]"
_UNKNOWN = re.compile(rf"{_OPERATOR}|[a-z]{{1,2}}\d| +(?:{_OPERATOR}+|x) *\{{?d?\d", re.IGNORECASE | re.ASCII)


class UnknownRoll(ValueError):
    """A line asks for dice in an unknown notation. ``code`` is the code of the refusal."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Roll:
    """A number of dice with the same number of sides, and a modifier of their sum."""

    dice: int
    sides: int
    plus: int
    label: str

    @property
    def is_within_limits(self) -> bool:
        few = DICE[0] <= self.dice <= DICE[1] and SIDES[0] <= self.sides <= SIDES[1]
        return few and abs(self.plus) <= PLUS_AT_MOST

    @property
    def notation(self) -> str:
        plus = f"{self.plus:+d}" if self.plus else ""
        return f"{self.dice}d{self.sides}{plus}"


def parse_roll(text: str) -> Roll | None:
    """Return the roll that a message asks for, None for other text; full-width text (全角) counts as ASCII.

    :raises UnknownRoll: ``roll_d66``; ``roll_unknown`` when a part of the line would be ignored.
    """
    found = _ROLL.fullmatch(_MINUS.sub("-", unicodedata.normalize("NFKC", text)))
    if not found:
        return None
    rest = found["rest"]
    if _UNKNOWN.match(rest) or (found["plus"] and rest.lstrip(" ") == rest != ""):
        raise UnknownRoll("roll_unknown")
    if rest and not rest.startswith(" "):
        return None
    if not found["dice"] and found["sides"] == "66":
        raise UnknownRoll("roll_d66")
    plus = sum(map(int, re.findall(r"[+-]\d+", found["plus"].replace(" ", ""))))
    return Roll(int(found["dice"] or 1), int(found["sides"]), plus, rest.strip())


def roll_dice(roll: Roll, secret: str, client_id: uuid.UUID) -> list[int]:
    """Return the result of each die; the same arguments always give the same results."""
    fate = Fate(secret, 0)
    return [fate.roll(client_id.hex, roll.sides) for _ in range(roll.dice)]


def format_roll(roll: Roll, dice: list[int]) -> str:
    """Return the text of a roll for all readers: its notation, the dice, their sum and the label."""
    total = sum(dice) + roll.plus
    parts = " + ".join(map(str, dice)) + (
        f" {'+' if roll.plus > 0 else '−'} {abs(roll.plus)}" if roll.plus else ""
    )
    line = f"{roll.notation} → {total}" if parts == str(total) else f"{roll.notation} → {parts} = {total}"
    return f"{line} {roll.label}".strip()
