"""Blanks: they stand in a state for all that is hidden, and no code can read them.

Twins are states that a seat cannot tell apart. Where they differ, ``blank_hidden`` puts blanks into one of
them. A game may move blanks about, count them and show them in views. If it reads one, ``BlankRead`` is
raised. So a run on the blanked state without that exception goes the same way in each of the twins: its
result there is the same result, with the twin's own values in place of the blanks. One run tells of all
twins, and a result without blanks is the same in all of them.

Some values do without methods, so code could read them without a trace: ``is None`` and ``is True``, the
members of an enumeration. Twins that differ in one of these get no blank but ``BlankRead``, and so do twins
of different shapes, e.g. with lists of different lengths.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec
from msgspec.structs import force_setattr

#: The types of values that only their methods tell apart.
READABLE = (str, int, float)
_COMPARISONS = "eq ne lt le gt ge hash bool len"
_CONVERSIONS = "str repr format bytes int float complex index"
_CONTAINERS = "iter reversed next contains getitem setitem delitem call"
_ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"
_UNARY = "neg pos abs invert round trunc floor ceil"


class BlankRead(BaseException):
    """A game read a hidden value, or it cannot be blanked. Handlers of a game do not catch this."""


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

    :raises BlankRead: the twins differ in something for which a blank cannot stand.
    """
    twins = [twin for twin in twins if twin != value]
    if not twins:
        return value
    kind = type(value)
    if any(type(twin) is not kind for twin in twins):
        raise BlankRead
    if kind in READABLE:
        return Blank()
    if kind in (list, tuple):
        if any(len(twin) != len(value) for twin in twins):
            raise BlankRead
        return kind(blank_hidden(one, others) for one, *others in zip(value, *twins, strict=True))
    if kind is dict:
        if any(list(twin) != list(value) for twin in twins):
            raise BlankRead
        return {key: blank_hidden(one, [twin[key] for twin in twins]) for key, one in value.items()}
    if not isinstance(value, msgspec.Struct):
        raise BlankRead
    blanked = copy.copy(value)
    for name in value.__struct_fields__:
        own = getattr(value, name)
        force_setattr(blanked, name, blank_hidden(own, [getattr(twin, name) for twin in twins]))
    return blanked
