"""The scopes of a template: its names, with their Python names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from jinja2 import nodes


class Source(NamedTuple):
    """A template as parsed by Jinja."""

    name: str
    body: list[nodes.Node]


class Loop(NamedTuple):
    """The Python names of a loop's index and of its length."""

    place: str
    size: str


class Macro(str):
    """The Python name of a macro or of a ``caller``."""

    __slots__ = ()


class Scope(dict[str, str | Loop]):
    """A scope: names of a template with their Python names, nested in the scope ``around``."""

    def __init__(self, around: Scope | None = None, names: Mapping[str, str] | None = None) -> None:
        super().__init__(names or {})
        self.around = around

    def find(self, name: str) -> str | Loop | None:
        if name in self:
            return self[name]
        return None if self.around is None else self.around.find(name)


def names(target: nodes.Node) -> list[str]:
    """Return the names in an assignment target."""
    found = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
    return [name.name for name in found]


def nodes_of_kind(body: Iterable[nodes.Node], kind: type[Any] | tuple[type[Any], ...]) -> Iterator[Any]:
    """Yield the nodes of a kind in a scope, without those of nested scopes."""
    for node in body:
        if isinstance(node, kind):
            yield node
        elif isinstance(node, nodes.If):
            yield from nodes_of_kind([*node.body, *node.elif_, *node.else_], kind)


def assigned_names(body: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names that a scope assigns."""
    for node in nodes_of_kind(body, (nodes.Assign, nodes.AssignBlock)):
        yield from names(node.target)
