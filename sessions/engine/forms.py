"""The form fields of a move, derived from its class. Pure Python.

The kind of a field is ``"int"``, ``"bool"``, ``"text"`` or ``"json"``. A suffix says what an empty field
becomes: null for ``"int?"``, no field at all for ``"int-"``. A list holds the kind of its items; a mapping
holds the kinds of a structure, whose fields are named with dots (``active.seat``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

from msgspec import NODEFAULT, inspect

from sessions.game import kind_of

Kind = str | list[Any] | dict[str, Any]
PYTHON = {"int": int, "bool": bool, "text": str}
NULL, LEFT_OUT = "?", "-"


class Form(NamedTuple):
    """The fields of a move, as JSON names them."""

    kinds: Mapping[str, Kind]
    required: frozenset[str]

    def misfit(self, given: Mapping[str, Any]) -> str:
        """Return the name of a value that is unknown to the move or of another kind; "" if all fit."""
        return next((name for name, value in given.items() if not _fits(self.kinds.get(name), value)), "")


@cache
def forms(*moves: Any) -> Mapping[str, Form]:
    """Return the forms of moves, which are subclasses of Move or unions of such, by their ``type``."""
    found = {}
    for move in (move for union in moves for move in get_args(union) or (union,)):
        info = inspect.type_info(move)
        assert isinstance(info, inspect.StructType)
        required = frozenset(field.encode_name for field in info.fields if field.required)
        found[kind_of(move)] = Form(_kinds(info), required)
    return found


def _kinds(struct: inspect.StructType) -> dict[str, Kind]:
    kinds = {}
    for field in struct.fields:
        kind = _kind(field.type)
        # Where the default is null, an empty field becomes null anyway.
        optional = not field.required and field.default in (NODEFAULT, "")
        if isinstance(kind, str) and optional and not kind.endswith(NULL):
            kind += LEFT_OUT
        kinds[field.encode_name] = kind
    return kinds


def _kind(info: inspect.Type) -> Kind:
    match info:
        case inspect.IntType():
            return "int"
        case inspect.BoolType():
            return "bool"
        case inspect.StrType():
            return "text"
        case inspect.LiteralType(values=values) if len(kinds := {type(value) for value in values}) == 1:
            return next((name for name, python in PYTHON.items() if python in kinds), "json")
        case (
            inspect.UnionType(types=(one, inspect.NoneType()))
            | inspect.UnionType(types=(inspect.NoneType(), one))
        ):
            kind = _kind(one)
            return kind + NULL if isinstance(kind, str) else "json" + NULL
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return [_kind(item)]
        case inspect.TupleType(item_types=items) if items:
            return [_kind(items[0])]
        case inspect.StructType():
            return _kinds(info)
    return "json"


def _fits(kind: Kind | None, value: Any) -> bool:
    if kind is None:
        return False
    if isinstance(kind, list):
        return isinstance(value, list | tuple) and all(_fits(kind[0], each) for each in value)
    if isinstance(kind, dict):
        return isinstance(value, Mapping) and all(_fits(kind.get(name), one) for name, one in value.items())
    if value is None:
        return kind.endswith(NULL)
    python = PYTHON.get(kind.rstrip(NULL + LEFT_OUT), object)
    return isinstance(value, python) and (python is bool or not isinstance(value, bool))
