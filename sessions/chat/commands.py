"""The commands in a message: ``:HP-1`` changes a value, ``{HP}`` is replaced by one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from sessions.evening.codes import label_key

#: ``:HP-1`` at the start of a message or after a space; ``@name`` before it means another character.
_EDIT = re.compile(
    r"(?<!\S)(?:@(?P<whom>[^@:\n]{1,60}?)\s*)?:(?P<label>[^\s\d:=+-][^\s:=+-]{0,19})(?P<sign>[=+-])(?P<number>\S*)"
)
_REFERENCE = re.compile(r"[{｛]([^{}｛｝\n]{1,20})[}｝]")
#: The characters that an IME writes for a minus before a digit.
MINUS = re.compile(r"[−–—ー](?=\d)")


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
        """Return the new value for ``value``."""
        number = int(self.number)
        return {"+": value + number, "-": value - number, "=": number}[self.sign]


def edits(text: str) -> list[Edit]:
    """Return the changes that a message asks for; full-width text (全角) counts as ASCII."""
    plain = MINUS.sub("-", unicodedata.normalize("NFKC", text))
    found = [Edit(m["whom"] or "", m["label"], m["sign"], m["number"]) for m in _EDIT.finditer(plain)]
    # Other text after a colon is no change, as in " :thinking=)"; "HP" is one even with an invalid number.
    return [edit for edit in found if edit.number[:1].isdigit() or label_key(edit.label) == "hp"]


def fill_references(text: str, values: Mapping[str, str]) -> str:
    """Return a message with ``{HP}`` and ``{名前}`` replaced; a label without a value stays as written.

    :param values: by ``label_key``.
    """
    return _REFERENCE.sub(lambda m: values.get(label_key(m[1]), m[0]), text)
