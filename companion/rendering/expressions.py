"""Compiles expressions of templates to Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.utils import translation
from jinja2 import Environment, nodes
from jinja2.nodes import EvalContext
from jinja2.utils import _PassArg
from markupsafe import Markup, escape

from companion.rendering.source import (
    Constant,
    Loop,
    Macro,
    SourceWriter,
    Step,
    cached_per_language,
    plural_function,
    text,
    translated_parts,
)

OPERATORS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "notin": "not in"}
#: Comparisons that cannot fail with any values.
COMPARISONS = {"eq": "{} == {}", "ne": "{} != {}", "in": "is_in({}, {})", "notin": "not is_in({}, {})"}
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
#: Filters and functions that are Python built-ins.
OWN = {"length": "len", "count": "len", "list": "list", "range": "range", "dict": "dict"}


class Expressions(SourceWriter):
    def __init__(self, env: Environment, constant: frozenset[str], language: str) -> None:
        """``constant`` are the names of pure functions and filters."""
        super().__init__(language)
        self.env, self.constant = env, constant

    def output_parts(self, node: nodes.Expr) -> list[str]:
        """Return an expression as output parts: Python expressions that each give escaped text."""
        if isinstance(node, nodes.TemplateData):
            return [Constant(node.data)]
        if isinstance(node, nodes.Const):
            return [Constant(str(escape(node.value)))]
        if isinstance(node, nodes.Concat):
            return [part for each in node.nodes for part in self.output_parts(each)]
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            name, found = node.node.name, self.scope.find(node.node.name)
            if isinstance(found, Macro):
                return [self.call_macro(node)]
            if found is None and name in SENTENCES:
                return self.sentence(node)
            if found is None and self.is_constant(name) and (given := _constants(node)) is not None:
                function = self.global_function(name)
                before = [self.name] if hasattr(function, "of_template") else []
                with translation.override(self.language):
                    return [Constant(text(function(*before, *given[0], **given[1])))]
        return [f"text({self.value(node)})"]

    def value(self, node: nodes.Node) -> str:
        kind = type(node)
        if isinstance(node, nodes.BinExpr) and kind in BINARY:
            return f"({self.value(node.left)} {BINARY[kind]} {self.value(node.right)})"
        if isinstance(node, nodes.UnaryExpr):
            return f"({UNARY[type(node)]}{self.value(node.node)})"
        found = getattr(self, f"value_{kind.__name__.lower()}", None)
        if found is None:
            raise self.unknown(node)
        return str(found(node))

    def value_const(self, node: nodes.Const) -> str:
        return repr(node.value)

    def value_templatedata(self, node: nodes.TemplateData) -> str:
        return self.keep("data", Markup(node.data))  # noqa: S704 (our own templates)

    def value_name(self, node: nodes.Name) -> str:
        found = self.scope.find(node.name)
        if isinstance(found, Loop):
            raise self.unknown(node, "a loop as a value")
        if isinstance(found, Step):
            return self.input(found)
        if found is not None:
            return found
        if node.name in self.env.globals:
            return self.keep(node.name, self.env.globals[node.name])
        return self.context_value(node.name)

    def context_step(self, node: nodes.Node) -> Step | None:
        """Return the step that reads ``view``, ``view.task`` or ``view.hands[seat]``; None for others."""
        if isinstance(node, nodes.Name):
            found = self.scope.find(node.name)
            if found is None and node.name not in self.env.globals:
                return self.step(node.name, f"get({node.name!r})")
            return found if isinstance(found, Step) else None
        if isinstance(node, nodes.Getattr) and (of := self.context_step(node.node)):
            # Most values have the attribute; the others may be mappings.
            asked = f"(part := getattr({of.python}, {node.attr!r}, NOTHING))"
            source = f"(part if {asked} is not NOTHING else item({of.python}, {node.attr!r}))"
            return self.step(node.attr, source, of)
        if isinstance(node, nodes.Getitem) and (of := self.context_step(node.node)):
            key, steps = self.operand(node.arg)
            return self.step("item", f"item({of.python}, {key})", of, *steps) if key else None
        return None

    def operand(self, node: nodes.Node) -> tuple[str, tuple[Step, ...]]:
        """Return the Python source of a constant or a context value, and its steps; "" for others."""
        if step := self.context_step(node):
            return step.python, (step,)
        if isinstance(node, nodes.Tuple):
            parts = [self.operand(each) for each in node.items]
            source = f"({''.join(f'{part}, ' for part, _ in parts)})"
            return source if all(part for part, _ in parts) else "", tuple(s for _, of in parts for s in of)
        with suppress(nodes.Impossible, AttributeError):
            return repr(node.as_const()), ()  # type: ignore[attr-defined]
        return "", ()

    def comparison(self, node: nodes.Compare) -> Step | None:
        """Return the step of a comparison that cannot fail, and compares the context alone; else None."""
        if len(node.ops) > 1 or node.ops[0].op not in COMPARISONS:
            return None
        (left, first), (right, second) = self.operand(node.expr), self.operand(node.ops[0].expr)
        source = COMPARISONS[node.ops[0].op].format(left, right)
        return self.step("test", source, *first, *second) if left and right else None

    def question(self, node: nodes.Node) -> Step | None:
        """Return the step of a condition that asks the context alone; None for others."""
        if isinstance(node, nodes.Compare):
            return self.comparison(node)
        if isinstance(node, nodes.Not):
            of = self.question(node.node)
            return self.step("test", f"not {of.python}", of) if of else None
        if isinstance(node, nodes.And | nodes.Or):
            left, right = self.question(node.left), self.question(node.right)
            if left is None or right is None:
                return None
            return self.step("test", f"{left.python} {BINARY[type(node)]} {right.python}", left, right)
        of = self.context_step(node)
        return self.step("test", f"bool({of.python})", of) if of else None

    def test(self, node: nodes.Node) -> tuple[str, list[Step]]:
        """Return the Python source of a condition, and steps that are true whenever it holds."""
        if step := self.question(node):
            return self.input(step), [step]
        if isinstance(node, nodes.And):
            left, guards = self.test(node.left)
            with self.assume(guards):
                right, more = self.test(node.right)
            return f"({left} and {right})", guards + more
        return self.value(node), []

    def value_getattr(self, node: nodes.Getattr) -> str:
        if step := self.context_step(node):
            return self.input(step)
        if isinstance(node.node, nodes.Name) and isinstance(loop := self.scope.find(node.node.name), Loop):
            if node.attr not in LOOP:
                raise self.unknown(node, f"loop.{node.attr}")
            return LOOP[node.attr].format(**loop._asdict())
        value, of, part = self.value(node.node), self.new_name("of"), self.new_name("part")
        # Most values have the attribute; the others may be mappings.
        asked = f"({part} := getattr({of} := {value}, {node.attr!r}, NOTHING))"
        return f"({part} if {asked} is not NOTHING else item({of}, {node.attr!r}))"

    def value_getitem(self, node: nodes.Getitem) -> str:
        if step := self.context_step(node):
            return self.input(step)
        return f"item({self.value(node.node)}, {self.value(node.arg)})"

    def value_slice(self, node: nodes.Slice) -> str:
        ends = (self.value(end) if end else "None" for end in (node.start, node.stop, node.step))
        return f"slice({', '.join(ends)})"

    def value_compare(self, node: nodes.Compare) -> str:
        if step := self.comparison(node):
            return self.input(step)
        others = (f"{OPERATORS.get(one.op, one.op)} {self.value(one.expr)}" for one in node.ops)
        return f"({self.value(node.expr)} {' '.join(others)})"

    def value_condexpr(self, node: nodes.CondExpr) -> str:
        other = self.value(node.expr2) if node.expr2 else "NOTHING"
        test, guards = self.test(node.test)
        with self.assume(guards):
            return f"({self.value(node.expr1)} if {test} else {other})"

    def value_concat(self, node: nodes.Concat) -> str:
        return f"join(({', '.join(self.value(each) for each in node.nodes)},))"

    def value_tuple(self, node: nodes.Tuple) -> str:
        return f"({''.join(self.value(each) + ', ' for each in node.items)})"

    def value_list(self, node: nodes.List) -> str:
        return f"[{', '.join(self.value(each) for each in node.items)}]"

    def value_dict(self, node: nodes.Dict) -> str:
        return f"{{{', '.join(f'{self.value(pair.key)}: {self.value(pair.value)}' for pair in node.items)}}}"

    def value_filter(self, node: nodes.Filter) -> str:
        return self.apply_filter(node, self.value(node.node)) if node.node else ""

    def apply_filter(self, node: nodes.Filter, value: str) -> str:
        return f"{self.tool(node, self.env.filters)}({', '.join([value, *self.arguments(node)])})"

    def value_test(self, node: nodes.Test) -> str:
        tested = [self.value(node.node), *self.arguments(node)]
        return f"{self.tool(node, self.env.tests)}({', '.join(tested)})"

    def value_call(self, node: nodes.Call) -> str:
        if not isinstance(node.node, nodes.Name):
            return f"{self.value(node.node)}({', '.join(self.arguments(node))})"
        name, found = node.node.name, self.scope.find(node.node.name)
        if isinstance(found, Macro):
            return self.call_macro(node)
        if found is None and name in SENTENCES:
            parts = self.output_parts(node)
            constants = [part.value for part in parts if isinstance(part, Constant)]
            if len(constants) == len(parts):
                return self.keep("sentence", Markup("".join(constants)))  # noqa: S704 (our own words)
            return f"Markup(''.join(({', '.join(parts)},)))"
        if found is not None or name not in self.env.globals:
            raise self.unknown(node, f"a call of {name!r}")
        function = self.global_function(name)
        # Context values that the function takes before its own arguments.
        given = [self.value_name(nodes.Name(one, "load")) for one in getattr(function, "of_scene", ())]
        given += [repr(self.name)] if hasattr(function, "of_template") else []
        return f"{self.python(name, function)}({', '.join([*given, *self.arguments(node)])})"

    def is_constant(self, name: str) -> bool:
        """True if a function is pure within one template and language."""
        return name in self.constant or hasattr(self.env.globals.get(name), "of_template")

    def global_function(self, name: str) -> Callable[..., Any]:
        function: Any = self.env.globals[name]
        return function  # type: ignore[no-any-return]

    def call_macro(self, node: nodes.Call, caller: str = "") -> str:
        macro = self.value_name(node.node) if isinstance(node.node, nodes.Name) else ""
        if not isinstance(macro, Macro):
            raise self.unknown(node, "a call of what is no macro")
        given = [*self.arguments(node, "p_"), *([f"p_caller={caller}"] if caller else [])]
        return f"{macro}({', '.join(given)})"

    def arguments(self, node: nodes.Call | nodes.Filter | nodes.Test, prefix: str = "") -> list[str]:
        if node.dyn_args or node.dyn_kwargs:
            raise self.unknown(node, "a call with arguments that are not written out")
        named = (f"{prefix}{one.key}={self.value(one.value)}" for one in node.kwargs)
        return [*(self.value(one) for one in node.args), *named]

    def tool(self, node: nodes.Filter | nodes.Test, tools: Mapping[str, Any]) -> str:
        """Return the Python name of a filter or test, with Jinja's environment or context bound if needed."""
        if node.name not in tools:
            raise self.unknown(node, f"a filter or test {node.name!r}")
        tool = tools[node.name]
        match _PassArg.from_obj(tool):
            case _PassArg.environment:
                tool = partial(tool, self.env)
            case _PassArg.eval_context | _PassArg.context:
                tool = partial(tool, EvalContext(self.env))
        return self.python(node.name, tool)

    def python(self, name: str, function: Callable[..., Any]) -> str:
        """Return the Python name of a function or filter. Pure ones are cached per language."""
        if name in OWN:
            return OWN[name]
        return self.keep(
            name, cached_per_language(self.language, function) if name in self.constant else function
        )

    def sentence(self, node: nodes.Call) -> list[str]:
        assert isinstance(node.node, nodes.Name)
        with_context = SENTENCES[node.node.name]
        counts = node.node.name.startswith("n")
        words = node.args[: with_context + 1 + counts]
        if not all(isinstance(word, nodes.Const) for word in words):
            raise self.unknown(node, "a sentence that is not written out")
        context, *sentences = [""] * (1 - with_context) + [word.as_const() for word in words]
        variables = {one.key: one.value for one in node.kwargs}
        if counts:
            number = node.args[len(words)]
            form = self.keep("form", plural_function(self.language, *sentences, context))
            shown = {"num": number} | variables
            given = ", ".join(f"{name!r}: {self.output_text(value)}" for name, value in shown.items())
            return [f"{form}({self.value(number)}) % {{{given}}}"]
        parts: list[str] = []
        for place, part in enumerate(translated_parts(self.language, sentences[0], context)):
            parts += self.output_parts(variables[part]) if place % 2 else [Constant(part)]
        return parts

    def output_text(self, node: nodes.Expr) -> str:
        parts = [repr(part.value) if isinstance(part, Constant) else part for part in self.output_parts(node)]
        return parts[0] if len(parts) == 1 else f"''.join(({', '.join(parts)},))"


def _constants(node: nodes.Call) -> tuple[list[Any], dict[str, Any]] | None:
    """Return the arguments of a call if all of them are constants."""
    if not all(isinstance(one, nodes.Const) for one in [*node.args, *(one.value for one in node.kwargs)]):
        return None
    return [one.as_const() for one in node.args], {one.key: one.value.as_const() for one in node.kwargs}
