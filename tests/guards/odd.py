"""Values that no form and no script of ours sends."""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import quote_plus

#: Texts that are almost numbers, almost empty, too long, or mean something to somebody else.
TEXTS = [
    "",
    " ",
    "0",
    "-1",
    "1 ",
    "+1",
    "0x10",
    "1e999",
    "NaN",
    "１２３",
    "²",
    "٣",
    "9" * 25,
    "x" * 5000,
    "あ" * 300,
    "\x00",
    "a\x00b",
    "\u202e",
    "\ud800",
    "😀" * 50,
    "null",
    "true",
    "[]",
    "{}",
    "%",
    "%00",
    "'",
    '"><script>',
    "../../etc/passwd",
    "//evil.example/",
    "gm",
    "p1",
    "s01",
]
VALUES: list[Any] = [
    *TEXTS,
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**70),
    0.5,
    1e300,
    [],
    {},
    [[]],
    ["gm", None],
    {"type": "undo"},
    {"": 0},
]


def text(rng: Random) -> str:
    """Return one of the texts, or one of any letters."""
    return rng.choice(TEXTS) if rng.random() < 0.9 else "".join(map(chr, rng.choices(range(1, 0xD800), k=8)))


def encoded(pairs: list[tuple[str, str]]) -> str:
    """Return pairs as a form sends them; half surrogates as bytes that are no UTF-8."""
    return "&".join(f"{quoted(name)}={quoted(value)}" for name, value in pairs)


def quoted(value: str) -> str:
    return quote_plus(value.encode("utf-8", "surrogatepass"))
