"""Jinja's templates, which Jinja has read, written as Python: a function that draws without looking anything up.

All that is known beforehand stands in the function as a constant: the sentences of a language, what is
included, which macro is meant. Attributes, texts and conditions become Python's own. The tags and expressions
that this knows are those of Jinja without inheritance; another one is a ``TemplateSyntaxError``.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from django.utils import translation
from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.nodes import EvalContext
from jinja2.runtime import markup_join
from jinja2.utils import _PassArg
from markupsafe import Markup, escape

from companion.drawing.sentences import counted, said
from companion.drawing.values import NOTHING, item, sized, text

#: Returns a value of the scene by its name; ``NOTHING`` where there is none.
Lookup = Callable[[str], Any]
Draw = Callable[[Lookup], str]
Macros = Mapping[str, Callable[..., Markup]]
#: Returns the tree of a template by its name.
Trees = Callable[[str], nodes.Template]

OPERATORS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "notin": "not in"}
BINARY = {
    nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.FloorDiv: "//", nodes.Mod: "%",
    nodes.Pow: "**", nodes.And: "and", nodes.Or: "or",
}  # fmt: skip
UNARY = {nodes.Not: "not ", nodes.Neg: "-", nodes.Pos: "+"}
LOOP = {"first": "({place} == 0)", "last": "({place} == {size} - 1)", "index": "({place} + 1)"} | {
    "index0": "{place}",
    "length": "{size}",
}
SENTENCES = {"_": 0, "gettext": 0, "pgettext": 1, "ngettext": 0, "npgettext": 1}
#: Filters and functions that are Python's own.
OWN = {"length": "len", "count": "len", "list": "list", "range": "range", "dict": "dict"}
#: What a compiled template finds in its globals.
TOOLS = {"MISSING": object(), "Markup": Markup, "NOTHING": NOTHING, "item": item, "join": markup_join, "sized": sized, "text": text}


class Loop(NamedTuple):
    """The names in Python of a place in a loop, and of the number of places."""

    place: str
    size: str


class Called(str):
    """The name in Python of a macro, or of what a call gives to it."""


class Scope(dict[str, str | Loop]):
    """The names of a template, with their names in Python, within those around."""

    def __init__(self, around: Scope | None = None, **names: str) -> None:
        super().__init__(names)
        self.around = around

    def find(self, name: str) -> str | Loop | None:
        if name in self:
            return self[name]
        return None if self.around is None else self.around.find(name)


class Compiler:
    """Writes one template, with all that it includes, as a function for one language."""

    def __init__(
        self, env: Environment, trees: Trees, macros: Callable[[str], Macros], constant: frozenset[str], language: str
    ) -> None:
        """:param macros: returns the macros of another template.
        :param constant: the functions that return the same for the same constants, always.
        """
        self.env, self.trees, self.macros, self.constant, self.language = env, trees, macros, constant, language
        self.globals: dict[str, Any] = dict(TOOLS)
        self.lines: list[str] = []
        self.indent, self.numbers = 1, count()
        self.written: list[str] = []
        #: The values of the scene that it reads, by name, and the places around that hide them.
        self.read: dict[str, str] = {}
        self.scope = Scope()
        self.name = ""

    def draw(self, tree: nodes.Template) -> Draw:
        """Return a template as a function."""
        self.body(tree)
        return self.made(tree, "''.join(out).strip()")

    def library(self, tree: nodes.Template) -> Macros:
        """Return the macros of a template, which see the values of no scene."""
        with self.inner(tree.body):
            self.block(tree.body)
            macros = [f"{macro.name!r}: {self.scope[macro.name]}" for macro in _within(tree.body, nodes.Macro)]
        return self.made(tree, f"{{{', '.join(macros)}}}")(lambda _: NOTHING)

    def made(self, tree: nodes.Template, result: str) -> Callable[[Lookup], Any]:
        read = [f" {python} = get({value!r})" for value, python in self.read.items()]
        lines = ["def draw(get):", " out = []; write = out.extend", *read, *self.lines, f" return {result}"]
        source, file = "\n".join(lines), f"<{tree.name} in {self.language}>"
        # For tracebacks.
        linecache.cache[file] = (len(source), None, [line + "\n" for line in lines], file)
        exec(compile(source, file, "exec"), self.globals)  # noqa: S102 (our own templates)
        return self.globals["draw"]  # type: ignore[no-any-return]

    # Writing

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

    @contextmanager
    def inner(self, body: Sequence[nodes.Node], scope: Scope | None = None) -> Iterator[None]:
        """Enter a scope, in which all that it sets has a place from its beginning."""
        outer = self.scope
        self.scope = Scope(outer) if scope is None else scope
        for name in _assigned(body):
            if name not in self.scope:
                found = outer.find(name)
                value = found if isinstance(found, str) else self.scene(name)
                self.scope[name] = python = self.fresh(name)
                self.line(f"{python} = {value}")
        for macro in _within(body, nodes.Macro):
            self.scope[macro.name] = Called(self.fresh(macro.name))
        yield
        self.flush()
        self.scope = outer

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

    # Tags

    def body(self, tree: nodes.Template, scope: Scope | None = None) -> None:
        around, self.name = self.name, tree.name or "a template"
        with self.inner(tree.body, scope):
            self.block(tree.body)
        self.name = around

    def block(self, body: Iterable[nodes.Node]) -> None:
        for node in body:
            tag = getattr(self, f"tag_{type(node).__name__}", None)
            if tag is None:
                raise self.unknown(node)
            tag(node)

    def tag_Output(self, node: nodes.Output) -> None:
        for part in node.nodes:
            self.written += self.shown(part)

    def tag_If(self, node: nodes.If) -> None:
        with self.indented(f"if {self.value(node.test)}:"):
            self.block(node.body)
        for other in node.elif_:
            with self.indented(f"elif {self.value(other.test)}:"):
                self.block(other.body)
        if node.else_:
            with self.indented("else:"):
                self.block(node.else_)

    def tag_For(self, node: nodes.For) -> None:
        if node.recursive:
            raise self.unknown(node, "a recursive loop")
        values, place, size = self.fresh("values"), self.fresh("place"), self.fresh("size")
        names = [name.name for name in _names(node.target)]
        targets = Scope(self.scope, **{name: self.fresh(name) for name in names})
        target = self.target(node.target, targets)
        if node.test:
            self.line(f"{values} = []")
            with self.indented(f"for {target} in {self.value(node.iter)}:"), self.inner((), targets):
                self.line(f"if {self.value(node.test)}: {values}.append(({target}))")
        else:
            self.line(f"{values} = sized({self.value(node.iter)})")
        self.line(f"{size} = len({values})")
        targets["loop"] = Loop(place, size)
        with self.indented(f"for {place}, ({target}) in enumerate({values}):"), self.inner(node.body, targets):
            self.block(node.body)
        if node.else_:
            with self.indented(f"if not {size}:"), self.inner(node.else_):
                self.block(node.else_)

    def tag_With(self, node: nodes.With) -> None:
        scope = Scope(self.scope)
        for target, value in zip(node.targets, node.values, strict=True):
            python = self.value(value)
            scope |= {name.name: self.fresh(name.name) for name in _names(target)}
            self.line(f"{self.target(target, scope)} = {python}")
        with self.inner(node.body, scope):
            self.block(node.body)

    def tag_Scope(self, node: nodes.Scope) -> None:
        with self.inner(node.body):
            self.block(node.body)

    def tag_Assign(self, node: nodes.Assign) -> None:
        self.line(f"{self.target(node.target, self.scope)} = {self.value(node.node)}")

    def tag_AssignBlock(self, node: nodes.AssignBlock) -> None:
        value = f"{self.function(self.fresh('part'), (), (), node.body)}()"
        if node.filter:
            value = self.filtered(node.filter, value)
        self.line(f"{self.target(node.target, self.scope)} = {value}")

    def tag_Include(self, node: nodes.Include) -> None:
        if not isinstance(node.template, nodes.Const):
            raise self.unknown(node, "a template without a fixed name")
        self.body(self.trees(node.template.value))

    def tag_FromImport(self, node: nodes.FromImport) -> None:
        if not isinstance(node.template, nodes.Const):
            raise self.unknown(node, "a template without a fixed name")
        macros = self.macros(node.template.value)
        for name in node.names:
            own, alias = name if isinstance(name, tuple) else (name, name)
            if own not in macros:
                raise self.unknown(node, f"a macro {own!r} that {node.template.value} has not")
            self.scope[alias] = Called(self.keep(alias, macros[own]))

    def tag_Macro(self, node: nodes.Macro) -> None:
        asks = any(name.name == "caller" for name in node.find_all(nodes.Name))
        self.function(str(self.scope[node.name]), node.args, node.defaults, node.body, caller=asks)

    def tag_CallBlock(self, node: nodes.CallBlock) -> None:
        caller = self.function(self.fresh("caller"), node.args, node.defaults, node.body)
        self.written.append(self.called(node.call, caller))

    def function(
        self,
        python: str,
        args: Sequence[nodes.Name],
        defaults: Sequence[nodes.Expr],
        body: Sequence[nodes.Node],
        *,
        caller: bool = False,
    ) -> str:
        """Write a function within the function that draws a part; return its name."""
        scope = Scope(self.scope, **{arg.name: f"p_{arg.name}" for arg in args})
        signature = [f"p_{arg.name}=NOTHING" for arg in args[: len(args) - len(defaults)]]
        optional = args[len(signature) :]
        signature += [f"p_{arg.name}=MISSING" for arg in optional]
        if caller:
            scope["caller"] = Called("p_caller")
            signature.append("p_caller=NOTHING")
        with self.indented(f"def {python}({', '.join(signature)}):"):
            self.line("out = []; write = out.extend")
            with self.inner(body, scope):
                for arg, default in zip(optional, defaults, strict=True):
                    self.line(f"if p_{arg.name} is MISSING: p_{arg.name} = {self.value(default)}")
                self.block(body)
            self.line("return Markup(''.join(out))")
        return python

    # Expressions

    def shown(self, node: nodes.Expr) -> list[str]:
        """Return an expression as parts of a page: each is a text."""
        if isinstance(node, nodes.TemplateData):
            return [Constant(node.data)]
        if isinstance(node, nodes.Const):
            return [Constant(str(escape(node.value)))]
        if isinstance(node, nodes.Concat):
            return [part for each in node.nodes for part in self.shown(each)]
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            name, found = node.node.name, self.scope.find(node.node.name)
            if isinstance(found, Called):
                return [self.called(node)]
            if found is None and name in SENTENCES:
                return self.sentence(node)
            if found is None and name == "piece":
                return self.piece(node)
            if found is None and name in self.constant and (given := _constants(node)) is not None:
                with translation.override(self.language):
                    return [Constant(text(self.env.globals[name](*given[0], **given[1])))]
        return [f"text({self.value(node)})"]

    def value(self, node: nodes.Node) -> str:
        """Return an expression in Python."""
        kind = type(node)
        if kind in BINARY:
            return f"({self.value(node.left)} {BINARY[kind]} {self.value(node.right)})"
        if kind in UNARY:
            return f"({UNARY[kind]}{self.value(node.node)})"
        found = getattr(self, f"value_{kind.__name__}", None)
        if found is None:
            raise self.unknown(node)
        return str(found(node))

    def value_Const(self, node: nodes.Const) -> str:
        return repr(node.value)

    def value_TemplateData(self, node: nodes.TemplateData) -> str:
        return self.keep("data", Markup(node.data))

    def value_Name(self, node: nodes.Name) -> str:
        found = self.scope.find(node.name)
        if isinstance(found, Loop):
            raise self.unknown(node, "a loop as a value")
        if found is not None:
            return found
        return self.keep(node.name, self.env.globals[node.name]) if node.name in self.env.globals else self.scene(node.name)

    def value_Getattr(self, node: nodes.Getattr) -> str:
        if isinstance(node.node, nodes.Name) and isinstance(loop := self.scope.find(node.node.name), Loop):
            if node.attr not in LOOP:
                raise self.unknown(node, f"loop.{node.attr}")
            return LOOP[node.attr].format(**loop._asdict())
        value, of, part = self.value(node.node), self.fresh("of"), self.fresh("part")
        # Most values have the field. Where they have not, they may be mappings.
        asked = f"({part} := getattr({of} := {value}, {node.attr!r}, NOTHING))"
        return f"({part} if {asked} is not NOTHING else item({of}, {node.attr!r}))"

    def value_Getitem(self, node: nodes.Getitem) -> str:
        return f"item({self.value(node.node)}, {self.value(node.arg)})"

    def value_Slice(self, node: nodes.Slice) -> str:
        ends = (self.value(end) if end else "None" for end in (node.start, node.stop, node.step))
        return f"slice({', '.join(ends)})"

    def value_Compare(self, node: nodes.Compare) -> str:
        others = (f"{OPERATORS.get(one.op, one.op)} {self.value(one.expr)}" for one in node.ops)
        return f"({self.value(node.expr)} {' '.join(others)})"

    def value_CondExpr(self, node: nodes.CondExpr) -> str:
        other = self.value(node.expr2) if node.expr2 else "NOTHING"
        return f"({self.value(node.expr1)} if {self.value(node.test)} else {other})"

    def value_Concat(self, node: nodes.Concat) -> str:
        return f"join(({', '.join(self.value(each) for each in node.nodes)},))"

    def value_Tuple(self, node: nodes.Tuple) -> str:
        return f"({''.join(self.value(each) + ', ' for each in node.items)})"

    def value_List(self, node: nodes.List) -> str:
        return f"[{', '.join(self.value(each) for each in node.items)}]"

    def value_Dict(self, node: nodes.Dict) -> str:
        return f"{{{', '.join(f'{self.value(pair.key)}: {self.value(pair.value)}' for pair in node.items)}}}"

    def value_Filter(self, node: nodes.Filter) -> str:
        return self.filtered(node, self.value(node.node)) if node.node else ""

    def filtered(self, node: nodes.Filter, value: str) -> str:
        return f"{self.tool(node, self.env.filters)}({', '.join([value, *self.arguments(node)])})"

    def value_Test(self, node: nodes.Test) -> str:
        return f"{self.tool(node, self.env.tests)}({', '.join([self.value(node.node), *self.arguments(node)])})"

    def value_Call(self, node: nodes.Call) -> str:
        if not isinstance(node.node, nodes.Name):
            return f"{self.value(node.node)}({', '.join(self.arguments(node))})"
        name, found = node.node.name, self.scope.find(node.node.name)
        if isinstance(found, Called):
            return self.called(node)
        if found is None and name in {*SENTENCES, "piece"}:
            parts = self.shown(node)
            constants = [part.value for part in parts if isinstance(part, Constant)]
            if len(constants) == len(parts):
                return self.keep("sentence", Markup("".join(constants)))
            return f"Markup(''.join(({', '.join(parts)},)))"
        function = self.env.globals.get(name)
        if found is not None or function is None:
            raise self.unknown(node, f"a call of {name!r}")
        # Values of the scene that a function wants before all else.
        wanted = [self.value_Name(nodes.Name(one, "load")) for one in getattr(function, "of_scene", ())]
        return f"{OWN.get(name) or self.keep(name, function)}({', '.join([*wanted, *self.arguments(node)])})"

    def called(self, node: nodes.Call, caller: str = "") -> str:
        """Return the call of a macro."""
        macro = self.value_Name(node.node) if isinstance(node.node, nodes.Name) else ""
        if not isinstance(macro, Called):
            raise self.unknown(node, "a call of what is no macro")
        given = [*self.arguments(node, "p_"), *([f"p_caller={caller}"] if caller else [])]
        return f"{macro}({', '.join(given)})"

    def arguments(self, node: nodes.Call | nodes.Filter | nodes.Test, prefix: str = "") -> list[str]:
        if node.dyn_args or node.dyn_kwargs:
            raise self.unknown(node, "a call with arguments that are not written out")
        named = (f"{prefix}{one.key}={self.value(one.value)}" for one in node.kwargs)
        return [*(self.value(one) for one in node.args), *named]

    def tool(self, node: nodes.Filter | nodes.Test, tools: Mapping[str, Callable[..., Any]]) -> str:
        """Return the name of a filter or test, with what Jinja's own want besides."""
        if node.name not in tools:
            raise self.unknown(node, f"a filter or test {node.name!r}")
        tool = tools[node.name]
        match _PassArg.from_obj(tool):
            case _PassArg.environment:
                tool = partial(tool, self.env)
            case _PassArg.eval_context | _PassArg.context:
                tool = partial(tool, EvalContext(self.env))
        return OWN.get(node.name) or self.keep(node.name, tool)

    def sentence(self, node: nodes.Call) -> list[str]:
        """Return a sentence of the language as parts of a page, with its variables put in."""
        assert isinstance(node.node, nodes.Name)
        with_context = SENTENCES[node.node.name]
        counts = node.node.name.startswith("n")
        words = node.args[: with_context + 1 + counts]
        if not all(isinstance(word, nodes.Const) for word in words):
            raise self.unknown(node, "a sentence that is not written out")
        context, *sentences = [None] * (1 - with_context) + [word.value for word in words]
        variables = {one.key: one.value for one in node.kwargs}
        if counts:
            number = node.args[len(words)]
            form = self.keep("form", counted(self.language, *sentences, context))
            shown = {"num": number} | variables
            given = ", ".join(f"{name!r}: {self.one(value)}" for name, value in shown.items())
            return [f"{form}({self.value(number)}) % {{{given}}}"]
        parts: list[str] = []
        for place, part in enumerate(said(self.language, sentences[0], context)):
            parts += self.shown(variables[part]) if place % 2 else [Constant(part)]
        return parts

    def one(self, node: nodes.Expr) -> str:
        """Return an expression as one text for a page."""
        parts = [repr(part.value) if isinstance(part, Constant) else part for part in self.shown(node)]
        return parts[0] if len(parts) == 1 else f"''.join(({', '.join(parts)},))"

    def piece(self, node: nodes.Call) -> list[str]:
        """Draw a part of a list: an included template that sees the scene, and the texts that it is given."""
        template = node.args[0].as_const()
        outer, self.scope = self.scope, Scope()
        texts = {one.key: self.fresh(one.key) for one in node.kwargs}
        self.scope = outer
        for one in node.kwargs:
            self.line(f"{texts[one.key]} = {self.one(one.value)}")
        self.scope = Scope()
        self.body(self.trees(template), Scope(None, **texts))
        self.scope = outer
        return []


class Constant(str):
    """A part of a page that is the same whatever is drawn."""

    __slots__ = ("value",)

    def __new__(cls, value: str) -> Constant:
        # Python's own text: one that is escaped already would escape what is put beside it.
        plain = str.__str__(value)
        made = super().__new__(cls, repr(plain))
        made.value = plain
        return made


def _constants(node: nodes.Call) -> tuple[list[Any], dict[str, Any]] | None:
    """Return the arguments of a call if all of them are constants."""
    given = [*node.args, *(one.value for one in node.kwargs)]
    if not all(isinstance(one, nodes.Const) for one in given):
        return None
    return [one.value for one in node.args], {one.key: one.value.value for one in node.kwargs}


def _names(target: nodes.Node) -> list[nodes.Name]:
    return [target] if isinstance(target, nodes.Name) else list(target.find_all(nodes.Name))


def _within(body: Iterable[nodes.Node], kind: type[Any]) -> Iterator[Any]:
    """Yield the tags of a kind in a scope, without those of scopes within."""
    for node in body:
        if isinstance(node, kind):
            yield node
        elif isinstance(node, nodes.If):
            yield from _within([*node.body, *node.elif_, *node.else_], kind)


def _assigned(body: Iterable[nodes.Node]) -> Iterator[str]:
    for node in _within(body, nodes.Assign | nodes.AssignBlock):
        yield from (name.name for name in _names(node.target))
