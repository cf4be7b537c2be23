"""Lines of Python being written."""

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
from companion.drawing.values import NOTHING, item, sized, text

#: What a function that draws finds in its globals.
TOOLS = {"MISSING": object(), "NOTHING": NOTHING, "Markup": Markup} | {
    "item": item,
    "join": markup_join,
    "sized": sized,
    "text": text,
}


class Constant(str):
    """A part of a page that is the same whatever is drawn."""

    value: str

    def __new__(cls, value: str) -> Constant:
        # Python's own text: one that is escaped already would escape what is put beside it.
        plain = str.__str__(value)
        made = super().__new__(cls, repr(plain))
        made.value = plain
        return made


class Writer:
    """A function that is being written, and what it will find in its globals."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.globals: dict[str, Any] = dict(TOOLS)
        self.lines: list[str] = []
        self.indent, self.numbers = 1, count()
        self.written: list[str] = []
        #: The values of the scene that it reads, by name.
        self.read: dict[str, str] = {}
        self.scope = Scope()
        self.name = ""

    def line(self, python: str) -> None:
        self.flush()
        self.lines.append(" " * self.indent + python)

    def flush(self) -> None:
        """Write what is to be drawn by now, constants that stand side by side as one."""
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
    def indented(self, head: str) -> Iterator[None]:
        self.line(head)
        begun = len(self.lines)
        self.indent += 1
        yield
        self.flush()
        if len(self.lines) == begun:
            self.line("pass")
        self.indent -= 1

    def target(self, node: nodes.Node, scope: Scope) -> str:
        """Return what a value is given to."""
        if isinstance(node, nodes.Name):
            return str(scope[node.name])
        if isinstance(node, nodes.Tuple):
            return f"({''.join(self.target(each, scope) + ', ' for each in node.items)})"
        raise self.unknown(node)

    def fresh(self, name: str) -> str:
        return f"{name}_{next(self.numbers)}"

    def keep(self, name: str, value: Any) -> str:
        """Return the name under which the function finds a value."""
        python = self.fresh(name)
        self.globals[python] = value
        return python

    def scene(self, name: str) -> str:
        if name not in self.read:
            self.read[name] = self.fresh(name)
        return self.read[name]

    def unknown(self, node: nodes.Node, what: str = "") -> TemplateSyntaxError:
        return TemplateSyntaxError(f"{what or type(node).__name__} is not drawn here", node.lineno, self.name)


@cache
def remembered(_language: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that remembers its answers in one language."""
    return lru_cache(maxsize=4096)(function)
