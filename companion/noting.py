"""Plain data that notes what is read of it, so that a drawing is made anew only when that has changed.

A drawing gets ``Noted`` values in place of the real ones. They look the same to a template, and every read
leaves a note: that a field was read, that a list was gone through, that something was asked for in it. With
the notes and the values that were there, ``Comparison.holds`` says whether other values would have been read
the same way. The drawing would come out the same then, for whomever it is made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any

import msgspec

#: The end of a path that leads to nothing.
MISSING = object()
_PLAIN = (str, int, float, bool, type(None), bytes)
_encode = msgspec.json.Encoder(enc_hook=repr).encode

Question = tuple[str, Any]


class Note:
    """The readings of one value: questions about the whole of it, and the readings of each part."""

    __slots__ = ("by_key", "parts", "questions", "whole")

    def __init__(self) -> None:
        self.whole = self.by_key = False
        self.questions: set[Question] = set()
        self.parts: dict[Any, Note] = {}

    def answers(self, value: Any) -> list[Any]:
        """Return the answers of a value to all that was asked of it as a whole."""
        return [_ANSWERS[kind](value, asked) for kind, asked in self.questions]

    def part(self, name: Any) -> Note:
        """Return the note of a part; the part counts as read."""
        found = self.parts.get(name)
        if found is None:
            found = self.parts[name] = Note()
        return found


class Comparison:
    """Values then and now, each pair compared once.

    Equal means equal in every order, too: a template may go through a mapping.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[bool, Any, Any]] = {}
        #: For each pair, which parts are alike, as far as somebody asked.
        self._alike: defaultdict[tuple[int, int], dict[Any, bool]] = defaultdict(dict)

    def holds(self, note: Note, then: Any, now: Any) -> bool:
        """True if ``now`` would have been read as ``then`` was."""
        if then is now:
            return True
        if type(then) is not type(now):
            return False
        if isinstance(then, _PLAIN):
            return bool(then == now) or (not note.whole and note.answers(then) == note.answers(now))
        if self._same(then, now):
            return True
        if note.whole:
            return False
        if note.questions and note.answers(then) != note.answers(now):
            return False
        part_of, alike = (_entry if note.by_key else _attribute), self._alike[id(then), id(now)]
        for name, part in note.parts.items():
            known = alike.get(name)
            if known is None:
                known = alike[name] = self._are_alike(part_of(then, name), part_of(now, name))
            if not known and not self.holds(part, part_of(then, name), part_of(now, name)):
                return False
        return True

    def _are_alike(self, then: Any, now: Any) -> bool:
        """True if two values are the same; at most moves most of a table stays as it was."""
        if then is now:
            return True
        if type(then) is not type(now):
            return False
        return bool(then == now) if isinstance(then, _PLAIN) else self._same(then, now)

    def _same(self, then: Any, now: Any) -> bool:
        pair = id(then), id(now)
        known = self._found.get(pair)
        if known is None:
            # The values are kept with the answer: their numbers would be given to others.
            known = self._found[pair] = then == now and _encode(then) == _encode(now), then, now
        return known[0]


#: The questions that a whole value answers besides its parts.
_ANSWERS: dict[str, Callable[[Any, Any], Any]] = {
    "size": lambda value, _: len(value),
    "keys": lambda value, _: tuple(value),
    "has": lambda value, asked: asked in value,
    "truth": lambda value, _: bool(value),
    "is": lambda value, asked: value == asked,
}


def _entry(value: Any, key: Any) -> Any:
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        return MISSING


def _attribute(value: Any, name: str) -> Any:
    return getattr(value, name, MISSING)


def noted(value: Any, note: Note) -> Any:
    """Return ``value`` as a template may have it: what has parts as ``Noted``, all else as it is."""
    if isinstance(value, _PLAIN):
        note.whole = True
        return value
    if isinstance(value, dict):
        note.by_key = True
        return NotedMapping(value, note)
    if isinstance(value, tuple | list):
        note.by_key = True
        return NotedSequence(value, note)
    if isinstance(value, msgspec.Struct) or is_dataclass(value):
        return NotedFields(value, note)
    note.whole = True
    return value


def _plain(value: Any) -> Any:
    """Return what stands behind a noted value, and note that all of it was read."""
    if isinstance(value, Noted):
        value._note.whole = True
        return value._value
    return value


class Noted:
    """A value that is no plain one, in the hands of a template."""

    __slots__ = ("_note", "_value")

    def __init__(self, value: Any, note: Note) -> None:
        self._value, self._note = value, note

    def _asked(self, kind: str, asked: Any = None) -> Any:
        self._note.questions.add((kind, asked))
        return _ANSWERS[kind](self._value, asked)

    def _part(self, name: Any) -> Any:
        """Return a part as a template may have it.

        :raises LookupError: there is none, which is noted.
        """
        part_of = _entry if self._note.by_key else _attribute
        note, value = self._note.part(name), part_of(self._value, name)
        if value is MISSING:
            raise LookupError(name)
        return noted(value, note)

    def __eq__(self, other: object) -> bool:
        return bool(_plain(self) == _plain(other))

    def __hash__(self) -> int:
        return hash(_plain(self))

    def __str__(self) -> str:
        return str(_plain(self))

    def __bool__(self) -> bool:
        return bool(self._asked("truth"))


class NotedText(Noted):
    """A text that is mostly compared, such as the seat for which something is drawn.

    For two seats the same is drawn where each comparison comes out the same. It is no ``str``: what is done
    with a ``str`` besides would leave no note.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bool(self._asked("is", _plain(other)))

    def __hash__(self) -> int:
        return hash(_plain(self))

    def __getitem__(self, place: Any) -> str:
        return str(_plain(self)[place])


class NotedFields(Noted):
    """A struct or a dataclass."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self._part(name)
        except LookupError:
            raise AttributeError(name) from None


class NotedMapping(Noted):
    """A mapping; a template reads it by key or as pairs."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        try:
            return self._part(_plain(key))
        except LookupError:
            raise KeyError(key) from None

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: Any) -> bool:
        return bool(self._asked("has", _plain(key)))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._asked("keys"))

    def __len__(self) -> int:
        return int(self._asked("size"))

    def keys(self) -> Iterator[Any]:
        return iter(self)

    def values(self) -> Iterator[Any]:
        return (self[key] for key in self)

    def items(self) -> Iterator[tuple[Any, Any]]:
        return ((key, self[key]) for key in self)


class NotedSequence(Noted):
    """A list or a tuple."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        try:
            return self._part(index)
        except LookupError:
            raise IndexError(index) from None

    def __contains__(self, item: Any) -> bool:
        return bool(self._asked("has", _plain(item)))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __reversed__(self) -> Iterator[Any]:
        return (self[index] for index in reversed(range(len(self))))

    def __len__(self) -> int:
        return int(self._asked("size"))

    def __add__(self, other: Any) -> Any:
        return _plain(self) + _plain(other)

    def __radd__(self, other: Any) -> Any:
        return _plain(other) + _plain(self)
