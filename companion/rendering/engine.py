"""The Django template engine for ``.jinja`` templates.

A Jinja extension removes the layout of a template's source from the output. Decorators mark template
functions that need context values or the template's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Any

import jinja2
from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.backends.base import BaseEngine
from django.template.defaultfilters import linebreaks_filter
from django.template.loader import select_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.autoreload import file_changed
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from companion.rendering import markup
from companion.rendering.compiler import Compiler, Renderer
from companion.rendering.source import NOTHING, Source
from companion.templatetags import cards
from companion.templatetags.companion import icon

#: The name of the engine in the settings.
ENGINE = "jinja2"
FILTERS = (cards.card_name, cards.card_short, cards.is_court, cards.rank, cards.suit, cards.suit_name)
FUNCTIONS = (cards.card_back, cards.card_chip, cards.card_whole, icon, static)
Function = Callable[..., str]
_ANGLE = re.compile(r"(<(?=[A-Za-z/])|>)")
_BREAK = re.compile(r"\s*\n\s*")
_BREAK_AT_AN_END = re.compile(r"\A\s*\n\s*|\s*\n\s*\Z")


class Values(dict[str, Any]):
    """Context values by name; ``NOTHING`` for missing ones."""

    def __missing__(self, name: str) -> Any:
        return NOTHING


def render_first(names: tuple[str, ...], values: Mapping[str, Any]) -> SafeString:
    """Render the first of these templates that exists."""
    return _render_whole(renderer_of(names, _language()), values)


@lru_cache(maxsize=4096)
def renderer_of(names: tuple[str, ...], language: str) -> Renderer:
    """Return the first existing template's renderer, which keeps the markers; ``language`` must be active."""
    return select_template(names, using=ENGINE).renderer(language)  # type: ignore[no-any-return]


def _render_whole(render: Renderer, values: Mapping[str, Any]) -> SafeString:
    return SafeString(markup.strip_markers(render(Values(values).__getitem__)))


def _language() -> str:
    return translation.get_language() or settings.LANGUAGE_CODE


class Template:
    def __init__(self, renderer: Callable[[str], Renderer]) -> None:
        self.renderer = renderer

    def render(self, context: Mapping[str, Any] | None = None, request: Any = None) -> SafeString:
        return _render_whole(self.renderer(_language()), context or {})


class Engine(BaseEngine):
    """Jinja parses the templates, and compiled functions render them (compiler.py)."""

    app_dirname = "jinja2"

    def __init__(self, params: dict[str, Any]) -> None:
        own = params.pop("OPTIONS")
        filters = (*FILTERS, *map(import_string, own["filters"]))
        functions = {name: import_string(path) for name, path in own["functions"].items()}
        super().__init__(params)
        self.env = jinja2.Environment(
            loader=jinja2.FileSystemLoader(list(self.template_dirs)),
            autoescape=True,
            undefined=jinja2.ChainableUndefined,
            # Only SourceLayout handles line breaks: trim_blocks would leave indentation behind.
            extensions=[SourceLayout, "jinja2.ext.i18n"],
        )
        self.env.policies["ext.i18n.trimmed"] = True
        self.env.newstyle_gettext = True  # type: ignore[attr-defined]
        self.env.filters |= {each.__name__: each for each in filters} | {"linebreaks": linebreaks_filter}
        self.env.globals |= {each.__name__: each for each in (*FUNCTIONS, url)} | functions
        self.constant = frozenset(each.__name__ for each in (*filters, *FUNCTIONS))
        self.source = cache(self._source)
        self.renderer = cache(
            lambda name, language: self._compiler(language).compile_template(self.source(name))
        )
        self.macros = cache(lambda name, language: self._compiler(language).library(self.source(name)))
        file_changed.connect(self._forget)

    def get_template(self, template_name: str) -> Template:
        self.source(template_name)
        return Template(partial(self.renderer, template_name))

    def from_string(self, template_code: str) -> Template:
        source = self._read(template_code, "a string")
        return Template(lambda language: self._compiler(language).compile_template(source))

    def _source(self, name: str) -> Source:
        try:
            source, *_ = self.env.loader.get_source(self.env, name)  # type: ignore[union-attr]
        except jinja2.TemplateNotFound as problem:
            raise TemplateDoesNotExist(name, backend=self) from problem
        return self._read(source, name)

    def _read(self, source: str, name: str) -> Source:
        return Source(name, self.env.parse(source, name).body)

    def _compiler(self, language: str) -> Compiler:
        return Compiler(
            self.env, self.constant, language, self.source, partial(self.macros, language=language)
        )

    def _forget(self, **_signal: Any) -> None:
        for known in (self.source, self.renderer, self.macros, renderer_of):
            known.cache_clear()


@lru_cache(maxsize=1024)
def url(name: str, *args: Any) -> str:
    """Return the URL of a view."""
    if args and all(type(arg) is int for arg in args):
        return _pattern(name, len(args)) % args
    return reverse(name, args=args)


@cache
def _pattern(name: str, count: int) -> str:
    """Return the URL of a view with ``%d`` for each number, so that ``reverse`` runs only once."""
    marks = [10**9 + place for place in range(count)]
    address = reverse(name, args=marks).replace("%", "%%")
    for mark in marks:
        address = address.replace(str(mark), "%d")
    return address


def takes_context(*names: str) -> Callable[[Function], Function]:
    """Pass these context values to a function before its own arguments."""

    def decorate(function: Function) -> Function:
        function.of_scene = names  # type: ignore[attr-defined]
        return function

    return decorate


def takes_template_name(function: Function) -> Function:
    """Pass the name of the calling template to a function before its own arguments.

    The function must be pure, as its result can become a constant.
    """
    function.of_template = True  # type: ignore[attr-defined]
    return function


class SourceLayout(Extension):
    """Removes the line breaks and indentation of a template's source from the output.

    A line break next to a tag of HTML or Jinja is removed with its indentation. Inside an HTML tag and within
    text it becomes one space. A space next to a tag is kept if it is in the same line.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        in_tag = in_sentence = False
        before = ""
        for token in stream:
            if before == "block_begin":
                in_sentence = token.value == "trans" or (in_sentence and token.value != "endtrans")
            if token.type == "data" and not in_sentence:
                text, in_tag = _laid_out(token.value, in_tag)
                token = Token(token.lineno, "data", text)
            before = token.type
            yield token


def _laid_out(text: str, in_tag: bool) -> tuple[str, bool]:
    """Return template data without its line breaks, and whether it ends inside an HTML tag."""
    parts = _ANGLE.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            in_tag = part == "<"
        else:
            parts[number] = _BREAK.sub(" ", part if in_tag else _BREAK_AT_AN_END.sub("", part))
    return "".join(parts), in_tag
