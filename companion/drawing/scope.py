"""The names of a template, with their names in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from jinja2 import nodes


class Source(NamedTuple):
    """A template as Jinja has read it."""

    name: str
    body: list[nodes.Node]


class Loop(NamedTuple):
    """The names in Python of a place in a loop, and of the number of places."""

    place: str
    size: str


class Macro(str):
    """The name in Python of a macro, or of what a call gives to it."""

    __slots__ = ()


class Scope(dict[str, str | Loop]):
    """The names of a template, with their names in Python, within those around."""

    def __init__(self, around: Scope | None = None, names: Mapping[str, str] | None = None) -> None:
        super().__init__(names or {})
        self.around = around

    def find(self, name: str) -> str | Loop | None:
        if name in self:
            return self[name]
        return None if self.around is None else self.around.find(name)


def names(target: nodes.Node) -> list[str]:
    """Return the names to which a value is given."""
    found = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
    return [name.name for name in found]


def within(body: Iterable[nodes.Node], kind: type[Any] | tuple[type[Any], ...]) -> Iterator[Any]:
    """Yield the tags of a kind in a scope, without those of scopes within."""
    for node in body:
        if isinstance(node, kind):
            yield node
        elif isinstance(node, nodes.If):
            yield from within([*node.body, *node.elif_, *node.else_], kind)


def assigned(body: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names that a scope sets."""
    for node in within(body, (nodes.Assign, nodes.AssignBlock)):
        yield from names(node.target)
