"""Blanks: they stand in a state for all that is hidden, and no code can read them.

Twins are states that a seat cannot tell apart. Where they differ, ``blank_hidden`` puts blanks into one of
them. A game may move blanks about, count them and show them in views. If it reads one, ``BlankRead`` is
raised. So a run on the blanked state without that exception goes the same way in each of the twins, and what
it shows without blanks is the same in all of them: one run stands for one in each twin.

The test ``is None`` reads a value without a trace. Blanks are no proof for that reason.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec
from msgspec.structs import force_setattr

_COMPARISONS = "eq ne lt le gt ge hash bool len"
_CONVERSIONS = "str repr format bytes int float complex index"
_CONTAINERS = "iter reversed next contains getitem setitem delitem call"
_ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"
_UNARY = "neg pos abs invert round trunc floor ceil"


class BlankRead(BaseException):
    """A game read a hidden value. Handlers of a game do not catch this."""


class Blank:
    """One hidden value. Any use of its content raises BlankRead."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> NoReturn:
        raise BlankRead


def _read(*_: object) -> NoReturn:
    raise BlankRead


for _name in f"{_COMPARISONS} {_CONVERSIONS} {_CONTAINERS} {_ARITHMETIC} {_UNARY}".split():
    setattr(Blank, f"__{_name}__", _read)
for _name in _ARITHMETIC.split():
    setattr(Blank, f"__r{_name}__", _read)


def has_blanks(value: Any) -> bool:
    """True if there is a blank in a value that can be encoded otherwise."""
    try:
        _encoder.encode(value)
    except BlankRead:
        return True
    return False


_encoder = msgspec.json.Encoder(enc_hook=_read)


def blank_hidden(value: Any, twins: Sequence[Any]) -> Any:
    """Return a copy of ``value`` that has a blank wherever one of its twins differs.

    One blank stands for a whole list, mapping or structure if the shapes differ.
    """
    twins = [twin for twin in twins if twin != value]
    if not twins:
        return value
    kind = type(value)
    if any(type(twin) is not kind for twin in twins):
        return Blank()
    if kind in (list, tuple) and all(len(twin) == len(value) for twin in twins):
        return kind(blank_hidden(one, others) for one, *others in zip(value, *twins, strict=True))
    if kind is dict and all(list(twin) == list(value) for twin in twins):
        return {key: blank_hidden(one, [twin[key] for twin in twins]) for key, one in value.items()}
    if not isinstance(value, msgspec.Struct):
        return Blank()
    blanked = copy.copy(value)
    for name in value.__struct_fields__:
        own = getattr(value, name)
        force_setattr(blanked, name, blank_hidden(own, [getattr(twin, name) for twin in twins]))
    return blanked
