"""Plain data that notes what is read of it, so that a drawing is made anew only when that has changed.

A drawing gets ``Noted`` values in place of the real ones. They look the same to a template, and every read
leaves a note: which field was read and what it was, how long a list was, what was asked for in it. A drawing
keeps these notes as its ``Reads``, and ``Reads.fit`` says whether other values would have been read the same
way. The drawing would come out the same then, for whomever it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

#: The end of a path that leads to nothing.
MISSING = object()
_PLAIN = frozenset({str, int, float, bool, type(None), bytes, object})  # the last is MISSING's
_encode = msgspec.json.Encoder(enc_hook=repr).encode

#: A value of the scene, by its name there.
Lookup = Callable[[str], Any]


@dataclass(frozen=True)
class Variable:
    """A key that a template took from a value of its scene, such as the seat for which it draws."""

    name: str


class Reads:
    """The readings of a scene's values."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        #: The values that were read, as a template has them, by their names in the scene.
        self.parts: dict[str, Any] = {}

    def of(self, name: str, value: Any) -> Any:
        """Return a value of the scene as a template may have it."""
        if name not in self.parts:
            self.parts[name] = NotedText(value, name) if type(value) is str else _noted(value)
        return self.parts[name]

    def settle(self) -> None:
        """Let go of the values themselves; what was read of them stays noted."""
        _settle(self.parts)

    def fit(self, lookup: Lookup) -> bool:
        """True if these values would be read in the same way."""
        for name, part in self.parts.items():
            now = lookup(name)
            if part is not now and not _alike(part, now, lookup):
                return False
        return True


def _noted(value: Any) -> Any:
    """Return ``value`` as a template may have it: what has parts as ``Noted``, all else as it is."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return NotedSequence(value)
    if isinstance(value, dict):
        return NotedMapping(value)
    if hasattr(kind, "__struct_fields__") or hasattr(kind, "__dataclass_fields__"):
        return NotedFields(value)
    return value


def _plain(value: Any) -> Any:
    """Return the value behind a noted one, and note that all of it was read."""
    if isinstance(value, Noted):
        value._whole = True
        return value._value
    return value


def _key(key: Any) -> Any:
    """Return what is noted of a key: for a value of the scene its name, since others have another value."""
    return Variable(key._name) if type(key) is NotedText else _plain(key)


def _alike(part: Any, now: Any, lookup: Lookup) -> bool:
    """True if a value would be read as the noted one was."""
    kind = type(part)
    if kind in _PLAIN:
        return type(now) is kind and bool(part == now)
    if isinstance(part, Noted):
        return type(now) is part._kind and part._holds(now, lookup)
    if type(now) is not kind or part != now:
        return False
    # Equal means equal in every order, too: a template may go through the value.
    return isinstance(part, str) or _encode(part) == _encode(now)


def _settle(parts: dict[Any, Any]) -> None:
    for part in parts.values():
        if isinstance(part, Noted):
            part._settle()


class Noted:
    """A value that is no plain one, in the hands of a template."""

    __slots__ = ("_asked", "_kind", "_parts", "_value", "_whole")

    def __init__(self, value: Any) -> None:
        self._value, self._kind, self._whole = value, type(value), False
        #: The parts that were read by their name, key or index, and the answers to all else that was asked.
        self._parts: dict[Any, Any] = {}
        self._asked: dict[tuple[str, Any], Any] = {}

    def _take(self, value: Any, name: Any) -> Any:
        """Return a part of a value, ``MISSING`` where there is none."""
        raise NotImplementedError

    def _part(self, name: Any, real: Any) -> Any:
        """Return a part as a template may have it, ``MISSING`` where there is none.

        :param name: what is noted.
        :param real: the name, key or index itself.
        """
        parts = self._parts
        if name not in parts:
            parts[name] = _noted(self._take(self._value, real))
        return parts[name]

    def _ask(self, kind: str, asked: Any = None, real: Any = None) -> Any:
        answer = self._asked[kind, asked] = _ANSWERS[kind](self._value, real)
        return answer

    def _holds(self, now: Any, lookup: Lookup) -> bool:
        if self._whole:
            return bool(_encode(now) == self._value)
        for (kind, asked), answer in self._asked.items():
            if _ANSWERS[kind](now, _real(asked, lookup)) != answer:
                return False
        take = self._take
        # Loops rather than all(…): most of what is noted is compared at every move, and is the same.
        for name, part in self._parts.items():
            present = take(now, lookup(name.name) if type(name) is Variable else name)
            if part is not present and not _alike(part, present, lookup):
                return False
        return True

    def _settle(self) -> None:
        if self._whole:
            self._value, self._parts = _encode(self._value), {}
        else:
            self._value = None
            _settle(self._parts)

    def __eq__(self, other: object) -> bool:
        return bool(_plain(self) == _plain(other))

    def __hash__(self) -> int:
        return hash(_plain(self))

    def __str__(self) -> str:
        return str(_plain(self))

    def __bool__(self) -> bool:
        return bool(self._ask("truth"))


def _real(noted: Any, lookup: Lookup) -> Any:
    return lookup(noted.name) if type(noted) is Variable else noted


#: The questions that a whole value answers besides its parts.
_ANSWERS: dict[str, Callable[[Any, Any], Any]] = {
    "size": lambda value, _: len(value),
    "keys": lambda value, _: tuple(value),
    "has": lambda value, asked: asked in value,
    "truth": lambda value, _: bool(value),
    "is": lambda value, asked: value == asked,
}


class NotedText(Noted):
    """A text of the scene that is mostly compared, such as the seat for which something is drawn.

    For two seats the same is drawn where each comparison comes out the same. It is no ``str``: what is done
    with a ``str`` besides would leave no note.
    """

    __slots__ = ("_name",)

    def __init__(self, value: str, name: str) -> None:
        super().__init__(value)
        self._name = name

    def __eq__(self, other: object) -> bool:
        asked = _plain(other)
        return bool(self._ask("is", asked, asked))

    def __hash__(self) -> int:
        return hash(_plain(self))

    def __getitem__(self, place: Any) -> str:
        return str(_plain(self)[place])


class NotedFields(Noted):
    """A struct or a dataclass."""

    __slots__ = ()

    def _take(self, value: Any, name: Any) -> Any:
        return getattr(value, name, MISSING)

    def __getattr__(self, name: str) -> Any:
        part = self._part(name, name)
        if part is MISSING:
            raise AttributeError(name)
        return part


def field(noted: NotedFields, name: str) -> Any:
    """Return a field as a template may have it, ``MISSING`` where there is none."""
    parts = noted._parts
    return parts[name] if name in parts else noted._part(name, name)


class NotedMapping(Noted):
    """A mapping; a template reads it by key or as pairs."""

    __slots__ = ()

    def _take(self, value: Any, name: Any) -> Any:
        return value.get(name, MISSING)

    def __getitem__(self, key: Any) -> Any:
        noted = _key(key)
        part = self._part(noted, key._value if type(noted) is Variable else noted)
        if part is MISSING:
            raise KeyError(noted)
        return part

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: Any) -> bool:
        noted = _key(key)
        return bool(self._ask("has", noted, key._value if type(noted) is Variable else noted))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._ask("keys"))

    def __len__(self) -> int:
        return int(self._ask("size"))

    def keys(self) -> Iterator[Any]:
        return iter(self)

    def values(self) -> Iterator[Any]:
        return (self[key] for key in self)

    def items(self) -> Iterator[tuple[Any, Any]]:
        return ((key, self[key]) for key in self)


class NotedSequence(Noted):
    """A list or a tuple."""

    __slots__ = ()

    def _take(self, value: Any, name: Any) -> Any:
        try:
            return value[name]
        except (IndexError, TypeError):
            return MISSING

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        part = self._part(index, index)
        if part is MISSING:
            raise IndexError(index)
        return part

    def __contains__(self, item: Any) -> bool:
        noted = _key(item)
        return bool(self._ask("has", noted, item._value if type(noted) is Variable else noted))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __reversed__(self) -> Iterator[Any]:
        return (self[index] for index in reversed(range(len(self))))

    def __len__(self) -> int:
        return int(self._ask("size"))

    def __add__(self, other: Any) -> Any:
        return _plain(self) + _plain(other)

    def __radd__(self, other: Any) -> Any:
        return _plain(other) + _plain(self)
