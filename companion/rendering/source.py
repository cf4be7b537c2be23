"""The source of a compiled template: its scopes with their Python names, and the writer of its Python source.

Helpers that the compiled functions call at run time are here as well: attribute access, escaping, and
translated sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple

import markupsafe
from django.utils import translation
from django.utils.safestring import SafeString
from jinja2 import ChainableUndefined, TemplateSyntaxError, nodes
from jinja2.runtime import markup_join
from markupsafe import Markup

#: A missing value: false, empty, without attributes, and rendered as "".
NOTHING = ChainableUndefined()
#: The types of text that are already escaped.
ESCAPED = frozenset({Markup, SafeString})
_PLACE = re.compile(r"%(?:\((\w+)\)s|(%))")
#: The parts of a sentence: text and names of variables, alternating.
Parts = list[str]


class Source(NamedTuple):
    """A template as parsed by Jinja."""

    name: str
    body: list[nodes.Node]


class Loop(NamedTuple):
    """The Python names of a loop's index and length."""

    place: str
    size: str


class Macro(str):
    """The Python name of a macro or of a ``caller``."""

    __slots__ = ()


@dataclass(eq=False)
class Step:
    """A line of a template's function ``inputs`` (compiler.py)."""

    python: str
    source: str
    of: tuple[Step, ...]
    #: The steps that are true wherever the template uses this one.
    guards: list[Step]


class Scope(dict[str, "str | Loop | Step"]):
    """A scope: names of a template with their Python names, nested in the scope ``around``."""

    def __init__(self, around: Scope | None = None, names: Mapping[str, str] | None = None) -> None:
        super().__init__(names or {})
        self.around = around

    def find(self, name: str) -> str | Loop | Step | None:
        if name in self:
            return self[name]
        return None if self.around is None else self.around.find(name)


def names(target: nodes.Node) -> list[str]:
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
    for node in nodes_of_kind(body, (nodes.Assign, nodes.AssignBlock)):
        yield from names(node.target)


def text(value: Any) -> str:
    kind = type(value)
    if kind is str and value.isalnum():
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    return value if kind in ESCAPED else markupsafe.escape(value)


def item(value: Any, key: Any) -> Any:
    """Return an item or attribute; ``NOTHING`` if there is none."""
    if value is None:
        return NOTHING
    try:
        return value[key]
    except (LookupError, TypeError, AttributeError):
        return getattr(value, key, NOTHING) if isinstance(key, str) else NOTHING


def is_in(value: Any, values: Any) -> bool:
    """True if a collection has a value; other values have none."""
    try:
        return value in values
    except TypeError:
        return False


def as_collection(values: Iterable[Any]) -> Collection[Any]:
    """Return a collection, whose length is known."""
    return values if isinstance(values, Collection) else list(values)


def translated_parts(language: str | None, sentence: str, context: str = "") -> Parts:
    """Return a translated sentence in parts; ``context`` is gettext's."""
    with translation.override(language):
        text = translation.pgettext(context, sentence) if context else translation.gettext(sentence)
    parts = [""]
    for number, part in enumerate(_PLACE.split(text)):
        match number % 3, part:
            case 0, _:
                parts[-1] += part
            case 1, str():
                parts += [part, ""]
            case 2, str():
                parts[-1] += "%"
    return parts


@cache
def plural_function(language: str | None, one: str, many: str, context: str = "") -> Callable[[int], str]:
    @lru_cache(maxsize=1024)
    def for_number(number: int) -> str:
        with translation.override(language):
            if context:
                return translation.npgettext(context, one, many, number)
            return translation.ngettext(one, many, number)

    return for_number


#: The globals of every compiled function.
TOOLS = {"MISSING": object(), "NOTHING": NOTHING, "Markup": Markup} | {
    "is_in": is_in,
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
    def __init__(self, language: str) -> None:
        self.language = language
        self.globals: dict[str, Any] = dict(TOOLS)
        self.lines: list[str] = []
        self.indent, self.numbers = 1, count()
        self.written: list[str] = []
        #: What the function ``inputs`` computes, by its Python source.
        self.steps: dict[str, Step] = {}
        #: The values of steps that the template uses, with the steps that are true wherever it does.
        self.inputs: dict[str, list[Step]] = {}
        #: The steps that are known to be true at the present place of the template.
        self.guards: list[Step] = []
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

    def step(self, name: str, source: str, *of: Step) -> Step:
        if source not in self.steps:
            self.steps[source] = Step(self.new_name(name), source, of, self.guards)
        self.note_use(self.steps[source])
        return self.steps[source]

    def note_use(self, step: Step) -> None:
        """Note that the present place of the template uses a step, and the steps that it comes from."""
        step.guards = [guard for guard in step.guards if guard in self.guards]
        for each in step.of:
            self.note_use(each)

    def input(self, step: Step) -> str:
        """Make a step an input of the template, and return its Python name."""
        self.note_use(step)
        known = self.inputs.get(step.python, self.guards)
        self.inputs[step.python] = [guard for guard in known if guard in self.guards]
        return step.python

    def context_value(self, name: str) -> str:
        return self.input(self.step(name, f"get({name!r})"))

    @contextmanager
    def assume(self, guards: list[Step]) -> Iterator[None]:
        """Compile what is only reached while these steps are true."""
        before, self.guards = self.guards, [*self.guards, *guards]
        yield
        self.guards = before

    def unknown(self, node: nodes.Node, what: str = "") -> TemplateSyntaxError:
        return TemplateSyntaxError(f"{what or type(node).__name__} is not drawn here", node.lineno, self.name)


@cache
def cached_per_language(_language: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Cache a function's results in one language."""
    return lru_cache(maxsize=4096)(function)
