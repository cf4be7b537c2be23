"""The commands in a message: ``:HP-1`` changes a value, ``{HP}`` stands for one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from sessions.evening.codes import label_key

#: ``:HP-1`` at the start of a message or after a space, for somebody else with ``@name`` before it.
_EDIT = re.compile(
    r"(?<!\S)(?:@(?P<whom>[^@:\n]{1,60}?)\s*)?:(?P<label>[^\s\d:=+-][^\s:=+-]{0,19})(?P<sign>[=+-])(?P<number>\S*)"
)
_REFERENCE = re.compile(r"[{｛]([^{}｛｝\n]{1,20})[}｝]")
#: The characters that an IME writes for a minus before a digit.
MINUS = re.compile(r"[−–—ー](?=\d)")


@dataclass(frozen=True)
class Edit:
    """One change that a message asks for; ``whom`` is empty for oneself, ``number`` is as it was typed."""

    whom: str
    label: str
    sign: str
    number: str

    @property
    def written(self) -> str:
        return f":{self.label}{self.sign}{self.number}"

    @property
    def counts(self) -> bool:
        """True if the number is valid; a value can be set below zero."""
        return bool(re.fullmatch(r"-?\d{1,4}" if self.sign == "=" else r"\d{1,4}", self.number, re.ASCII))

    def applied(self, value: int) -> int:
        """Return the new value for ``value``."""
        number = int(self.number)
        return {"+": value + number, "-": value - number, "=": number}[self.sign]


def edits(text: str) -> list[Edit]:
    """Return the changes that a message asks for; width does not matter (全角)."""
    plain = MINUS.sub("-", unicodedata.normalize("NFKC", text))
    found = [Edit(m["whom"] or "", m["label"], m["sign"], m["number"]) for m in _EDIT.finditer(plain)]
    # Anything else after a colon is just words, " :thinking=)"; "HP" always means a change.
    return [edit for edit in found if edit.number[:1].isdigit() or label_key(edit.label) == "hp"]


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a message with ``{HP}`` and ``{名前}`` replaced; a label without a value stays as written.

    :param values: by ``label_key``.
    """
    return _REFERENCE.sub(lambda m: values.get(label_key(m[1]), m[0]), text)
