"""Writer of Python source for compiled templates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import count
from typing import Any

from jinja2 import TemplateSyntaxError, nodes
from jinja2.runtime import markup_join
from markupsafe import Markup

from companion.drawing.scope import Scope
from companion.drawing.values import NOTHING, as_collection, item, text

#: The globals of every compiled function.
TOOLS = {"MISSING": object(), "NOTHING": NOTHING, "Markup": Markup} | {
    "item": item,
    "join": markup_join,
    "sized": as_collection,
    "text": text,
}


class Constant(str):
    """The Python source of a constant output part."""

    value: str

    def __new__(cls, value: str) -> Constant:
        # A plain str: adding text to a Markup would escape that text.
        plain = str.__str__(value)
        made = super().__new__(cls, repr(plain))
        made.value = plain
        return made


class SourceWriter:
    """The source of a function during compilation, and its globals."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.globals: dict[str, Any] = dict(TOOLS)
        self.lines: list[str] = []
        self.indent, self.numbers = 1, count()
        self.written: list[str] = []
        #: Python names of the context values that the function reads.
        self.read: dict[str, str] = {}
        self.scope = Scope()
        self.name = ""

    def line(self, python: str) -> None:
        self.flush()
        self.lines.append(" " * self.indent + python)

    def flush(self) -> None:
        """Write the pending output parts, with adjacent constants merged into one."""
        parts: list[str] = []
        constant = ""
        for part in [*self.written, ""]:
            if isinstance(part, Constant):
                constant += part.value
            else:
                parts += [repr(constant)] * bool(constant) + [part] * bool(part)
                constant = ""
        self.written.clear()
        if parts:
            self.line(f"write(({', '.join(parts)},))")

    @contextmanager
    def indented_block(self, head: str) -> Iterator[None]:
        self.line(head)
        begun = len(self.lines)
        self.indent += 1
        yield
        self.flush()
        if len(self.lines) == begun:
            self.line("pass")
        self.indent -= 1

    def target(self, node: nodes.Node, scope: Scope) -> str:
        """Return an assignment target as Python source."""
        if isinstance(node, nodes.Name):
            return str(scope[node.name])
        if isinstance(node, nodes.Tuple):
            return f"({''.join(self.target(each, scope) + ', ' for each in node.items)})"
        raise self.unknown(node)

    def new_name(self, name: str) -> str:
        return f"{name}_{next(self.numbers)}"

    def keep(self, name: str, value: Any) -> str:
        """Store a value in the globals of the function, and return its name there."""
        python = self.new_name(name)
        self.globals[python] = value
        return python

    def scene(self, name: str) -> str:
        if name not in self.read:
            self.read[name] = self.new_name(name)
        return self.read[name]

    def unknown(self, node: nodes.Node, what: str = "") -> TemplateSyntaxError:
        return TemplateSyntaxError(f"{what or type(node).__name__} is not drawn here", node.lineno, self.name)


@cache
def cached_per_language(_language: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a cache of its results in one language."""
    return lru_cache(maxsize=4096)(function)
