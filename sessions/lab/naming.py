"""Name the options of a game that its moves take. Pure Python.

An option is a type of move with those of its fields that choose one word of a fixed set: ``challenge
dice=red``. If a field holds any number of such words, each of them is an option: ``pack items=tent``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import UNSET, inspect

from sessions.game import Move, kind_of


def options_of(move: Move) -> tuple[str, ...]:
    """Return the options that a move takes."""
    words, lists = _fields(type(move))
    chosen = [(name, getattr(move, name)) for name in words]
    said = "".join(f" {name}={value}" for name, value in chosen if value not in (None, UNSET))
    if not lists:
        return (kind_of(move) + said,)
    # A missing list counts as an empty one.
    given = [(name, value) for name in lists for value in getattr(move, name) or ()]
    return tuple(f"{kind_of(move)} {name}={value}" for name, value in given)


@cache
def _fields(kind: type[Move]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a move that hold one word, and those that hold any number of words."""
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    words = tuple(field.name for field in struct.fields if _is_word(field.type))
    lists = tuple(
        field.name
        for field in struct.fields
        if isinstance(field.type, inspect.VarTupleType) and _is_word(field.type.item_type)
    )
    return words, lists


def _is_word(kind: inspect.Type) -> bool:
    match kind:
        case inspect.BoolType():
            return True
        case inspect.LiteralType(values=values):
            return all(isinstance(value, str) for value in values)
        case inspect.UnionType(types=types):
            rest = [one for one in types if not isinstance(one, inspect.NoneType) and not _is_unset(one)]
            return bool(rest) and all(map(_is_word, rest))
    return False


def _is_unset(kind: Any) -> bool:
    return isinstance(kind, inspect.CustomType) and kind.cls.__name__ == "UnsetType"
