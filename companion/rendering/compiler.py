"""Compiles templates that Jinja has parsed to Python functions that render without any lookups.

Why our own code: every move renders the regions of a table for each seat. These functions take a tenth of the
processor time of Jinja's own code, which is several times faster than Django's templates. Translations,
included templates and macros are constants of a function; attributes, texts and conditions are plain Python.
Jinja's tags and expressions without inheritance work; any other raises ``TemplateSyntaxError``.

A template becomes two functions, so that equal screens are rendered once. ``inputs`` reads all that the
template uses of the context, as finely as the template does; ``render`` makes HTML of that, and of nothing
else. In short, from ``{% if "draw" in view.me.can %}{{ view.me.name }}{% endif %}`` come::

    def inputs(get):
        view_1 = get("view")
        me_2 = getattr(view_1, "me")
        can_3 = getattr(me_2, "can")
        test_4 = is_in("draw", can_3)
        name_5 = getattr(me_2, "name") if test_4 else NOTHING
        return (test_4, name_5)

    def render(inputs):
        (test_4, name_5) = inputs
        out = []; write = out.extend
        if test_4:
            write((text(name_5),))
        return "".join(out).strip()

* A line of ``inputs`` is a ``Step`` (source.py): a context value, a part of one, or a test of those.
* A step is an input if the template writes it, or asks it in a condition. So the answer of a test counts, and
  not the value that it asks: another move that becomes possible renders no hand again.
* The guards of a step are the tests that are true wherever the template uses it. Where one is false, the
  step is ``NOTHING``: a value that no branch shows makes no difference.
* A value that a filter, a loop or a macro takes is an input as a whole.

``RenderedTable`` (sessions/live/screen_view.py) compares the inputs of a region with those of the version
before and of other screens. A region is rendered only if they differ from all of these.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from jinja2 import Environment, nodes
from markupsafe import Markup

from companion.rendering import markup
from companion.rendering.expressions import Expressions
from companion.rendering.source import (
    NOTHING,
    Loop,
    Macro,
    Scope,
    Source,
    Step,
    assigned_names,
    names,
    nodes_of_kind,
)

#: How many drawings of a macro that draws a part are kept.
PARTS_KEPT = 1024
#: Returns a context value by its name; ``NOTHING`` if there is none.
Lookup = Callable[[str], Any]
Macros = Mapping[str, Callable[..., Markup]]


class Renderer(NamedTuple):
    """A compiled template: equal inputs are always rendered to the same HTML."""

    inputs: Callable[[Lookup], tuple[Any, ...]]
    render: Callable[[tuple[Any, ...]], str]

    def __call__(self, get: Lookup) -> str:
        return self.render(self.inputs(get))


def guard_source(source: str, guards: Iterable[Step]) -> str:
    """Return Python source for a value that is ``NOTHING`` unless these steps are true."""
    condition = " and ".join(guard.python for guard in guards)
    return f"{source} if {condition} else NOTHING" if condition else source


def draws_part(macro: nodes.Macro) -> bool:
    return any(markup.BEGIN in text.data for text in macro.find_all(nodes.TemplateData))


def keep_parts(macro: Callable[..., Markup]) -> Callable[..., Markup]:
    """Return a macro of a library that draws a part only once for equal arguments: it sees nothing else."""
    kept = lru_cache(maxsize=PARTS_KEPT, typed=True)(macro)

    def draw(*args: Any, **named: Any) -> Markup:
        try:
            return kept(*args, **named)
        except TypeError:  # An argument has no hash.
            return macro(*args, **named)

    return draw


class Compiler(Expressions):
    def __init__(
        self,
        env: Environment,
        constant: frozenset[str],
        language: str,
        sources: Callable[[str], Source],
        macros: Callable[[str], Macros],
    ) -> None:
        """:param macros: returns the macros of another template."""
        super().__init__(env, constant, language)
        self.sources, self.macros = sources, macros

    def compile_template(self, source: Source) -> Renderer:
        self.template(source)
        return self.build_functions(source, "''.join(out).strip()")

    def library(self, source: Source) -> Macros:
        """Return the macros of a template, which see no context values."""
        self.name = source.name
        with self.inner(source.body):
            self.block(source.body)
            own = [macro.name for macro in nodes_of_kind(source.body, nodes.Macro)]
            macros = [f"{name!r}: {self.scope[name]}" for name in own]
        made: Any = self.build_functions(source, f"{{{', '.join(macros)}}}")(lambda _: NOTHING)
        parts = [macro.name for macro in nodes_of_kind(source.body, nodes.Macro) if draws_part(macro)]
        return {**made, **{name: keep_parts(made[name]) for name in parts}}

    def build_functions(self, source: Source, result: str) -> Renderer:
        """Return the template's renderer, whose function ``render`` returns the value of ``result``.

        ``render`` cannot reach the context, so nothing but its inputs can change what it returns.
        """
        self.flush()
        steps = [f" {one.python} = {guard_source(one.source, one.guards)}" for one in self.steps.values()]
        values = "".join(f"{guard_source(python, guards)}, " for python, guards in self.inputs.items())
        lines = ["def inputs(get):", *steps, f" return ({values})", "def render(inputs):"]
        lines += [f" ({''.join(f'{python}, ' for python in self.inputs)}) = inputs"]
        lines += [" out = []; write = out.extend"]
        lines += [*self.lines, f" return {result}"]
        python, file = "\n".join(lines), f"<{source.name} in {self.language}>"
        linecache.cache[file] = (len(python), None, [line + "\n" for line in lines], file)  # for tracebacks
        exec(compile(python, file, "exec"), self.globals)  # noqa: S102 (our own templates)
        return Renderer(self.globals["inputs"], self.globals["render"])

    @contextmanager
    def inner(self, body: Sequence[nodes.Node], scope: Scope | None = None) -> Iterator[None]:
        """Enter a scope, and initialise at its start all variables and macros that it sets."""
        outer = self.scope
        self.scope = Scope(outer) if scope is None else scope
        for name in assigned_names(body):
            if name not in self.scope:
                found = outer.find(name)
                known = isinstance(found, str | Step)
                value = self.value_name(nodes.Name(name, "load")) if known else self.context_value(name)
                self.scope[name] = python = self.new_name(name)
                self.line(f"{python} = {value}")
        for macro in nodes_of_kind(body, nodes.Macro):
            self.scope[macro.name] = Macro(self.new_name(macro.name))
        yield
        self.flush()
        self.scope = outer

    def template(self, source: Source, scope: Scope | None = None) -> None:
        around, self.name = self.name, source.name
        with self.inner(source.body, scope):
            self.block(source.body)
        self.name = around

    def block(self, body: Iterable[nodes.Node]) -> None:
        for node in body:
            tag = getattr(self, f"tag_{type(node).__name__.lower()}", None)
            if tag is None:
                raise self.unknown(node)
            tag(node)

    def tag_output(self, node: nodes.Output) -> None:
        for part in node.nodes:
            self.written += self.output_parts(part)

    def tag_if(self, node: nodes.If) -> None:
        for word, case in [("if", node), *(("elif", other) for other in node.elif_)]:
            test, guards = self.test(case.test)
            with self.indented_block(f"{word} {test}:"), self.assume(guards):
                self.block(case.body)
        if node.else_:
            with self.indented_block("else:"):
                self.block(node.else_)

    def tag_for(self, node: nodes.For) -> None:
        if node.recursive:
            raise self.unknown(node, "a recursive loop")
        values, place, size = self.new_name("values"), self.new_name("place"), self.new_name("size")
        targets = Scope(self.scope, {name: self.new_name(name) for name in names(node.target)})
        target = self.target(node.target, targets)
        if node.test:
            self.line(f"{values} = []")
            with self.indented_block(f"for {target} in {self.value(node.iter)}:"), self.inner((), targets):
                self.line(f"if {self.value(node.test)}: {values}.append(({target}))")
        else:
            self.line(f"{values} = sized({self.value(node.iter)})")
        self.line(f"{size} = len({values})")
        targets["loop"] = Loop(place, size)
        head = f"for {place}, ({target}) in enumerate({values}):"
        with self.indented_block(head), self.inner(node.body, targets):
            self.block(node.body)
        if node.else_:
            with self.indented_block(f"if not {size}:"), self.inner(node.else_):
                self.block(node.else_)

    def tag_with(self, node: nodes.With) -> None:
        scope, changed = Scope(self.scope), set(assigned_names(node.body))
        for target, value in zip(node.targets, node.values, strict=True):
            step = self.context_step(value)
            if step and isinstance(target, nodes.Name) and target.name not in changed:
                scope[target.name] = step  # Only the parts that are used become inputs.
                continue
            python = self.value(value)
            scope |= {name: self.new_name(name) for name in names(target)}
            self.line(f"{self.target(target, scope)} = {python}")
        with self.inner(node.body, scope):
            self.block(node.body)

    def tag_scope(self, node: nodes.Scope) -> None:
        with self.inner(node.body):
            self.block(node.body)

    def tag_assign(self, node: nodes.Assign) -> None:
        self.line(f"{self.target(node.target, self.scope)} = {self.value(node.node)}")

    def tag_assignblock(self, node: nodes.AssignBlock) -> None:
        value = f"{self.function(self.new_name('part'), (), (), node.body)}()"
        if node.filter:
            value = self.apply_filter(node.filter, value)
        self.line(f"{self.target(node.target, self.scope)} = {value}")

    def tag_include(self, node: nodes.Include) -> None:
        self.template(self.sources(self.fixed_name(node)))

    def tag_fromimport(self, node: nodes.FromImport) -> None:
        macros = self.macros(self.fixed_name(node))
        for name in node.names:
            own, alias = name if isinstance(name, tuple) else (name, name)
            if own not in macros:
                raise self.unknown(node, f"a macro {own!r} that the other template has not")
            self.scope[alias] = Macro(self.keep(alias, macros[own]))

    def fixed_name(self, node: nodes.Include | nodes.FromImport) -> str:
        if not isinstance(node.template, nodes.Const):
            raise self.unknown(node, "a template without a fixed name")
        return str(node.template.value)

    def tag_macro(self, node: nodes.Macro) -> None:
        asks = any(name.name == "caller" for name in node.find_all(nodes.Name))
        self.function(str(self.scope[node.name]), node.args, node.defaults, node.body, caller=asks)

    def tag_callblock(self, node: nodes.CallBlock) -> None:
        caller = self.function(self.new_name("caller"), node.args, node.defaults, node.body)
        self.written.append(self.call_macro(node.call, caller))

    def function(
        self,
        python: str,
        args: Sequence[nodes.Name],
        defaults: Sequence[nodes.Expr],
        body: Sequence[nodes.Node],
        *,
        caller: bool = False,
    ) -> str:
        """Write a nested function that returns rendered HTML; return its name."""
        scope = Scope(self.scope, {arg.name: f"p_{arg.name}" for arg in args})
        signature = [f"p_{arg.name}=NOTHING" for arg in args[: len(args) - len(defaults)]]
        optional = args[len(signature) :]
        signature += [f"p_{arg.name}=MISSING" for arg in optional]
        if caller:
            scope["caller"] = Macro("p_caller")
            signature.append("p_caller=NOTHING")
        with self.indented_block(f"def {python}({', '.join(signature)}):"):
            self.line("out = []; write = out.extend")
            with self.inner(body, scope):
                for arg, default in zip(optional, defaults, strict=True):
                    self.line(f"if p_{arg.name} is MISSING: p_{arg.name} = {self.value(default)}")
                self.block(body)
            self.line("return Markup(''.join(out))")
        return python
