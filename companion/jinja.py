"""Jinja draws what is drawn anew at every move, because it is faster than Django's language of templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from types import FunctionType, MappingProxyType
from typing import Any, Protocol

import markupsafe
from django.template import engines
from django.template.defaultfilters import linebreaks_filter
from django.template.loader import select_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from jinja2 import BaseLoader, ChainableUndefined, Environment, Template
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, Macro
from jinja2.utils import missing, pass_context
from markupsafe import Markup

from companion import figures, npc_names, parts
from companion.noting import MISSING, NotedFields, Reads, field
from companion.templatetags import cards
from companion.templatetags.companion import icon

#: The name of the engine in the settings.
ENGINE = "jinja2"
#: The name under which a template finds its scene.
SCENE = "the scene"
FILTERS = (
    cards.card_name,
    cards.card_short,
    cards.is_court,
    cards.rank,
    cards.suit,
    cards.suit_name,
    figures.gaps,
    npc_names.npc_name,
    npc_names.skill_name,
)
GLOBALS = (
    cards.card_back,
    cards.card_chip,
    cards.card_whole,
    figures.figure,
    figures.initial,
    figures.turn_mark,
    icon,
)

#: Functions, those that remember their answers, and macros.
PLAIN = frozenset({FunctionType, type(lru_cache(str)), Macro})
#: The kinds of texts that are escaped.
ESCAPED = frozenset({Markup, SafeString})
#: What Jinja has noted of a function that wants the context.
THE_CONTEXT = pass_context(lambda _context: None).__dict__["jinja_pass_arg"]

#: Plain texts, by which a piece knows which one it is.
Given = Mapping[str, str]

_ANGLE = re.compile(r"(<(?=[A-Za-z/])|>)")
_BREAK = re.compile(r"\s*\n\s*")
_BREAK_AT_AN_END = re.compile(r"\A\s*\n\s*|\s*\n\s*\Z")


def draw(names: tuple[str, ...], context: dict[str, Any]) -> SafeString:
    """Return what the first of these templates that exists draws."""
    return SafeString(parts.whole(_rendered(names, context)))


def _rendered(names: tuple[str, ...], values: dict[str, Any]) -> SafeString:
    env: Environment = engines[ENGINE].env  # type: ignore[attr-defined]
    template = env.get_template(_first(names))
    # As template.render, without its copy of all globals by way of a ChainMap.
    context = template.new_context({**env.globals, **values}, shared=True)
    return SafeString("".join(template.root_render_func(context)).strip())


class Values(Protocol):
    """The values of a scene, by name."""

    def get(self, name: str) -> Any:
        """Return a value, ``MISSING`` where there is none by this name."""

    def piece(self, template: str, given: Given) -> tuple[SafeString, Sequence[Reads]]:
        """Return a piece of a drawing with these texts besides, and what was read to draw it."""


class Scene:
    """Values that a template asks for by name, and what it read of them: itself, and its pieces."""

    def __init__(self, values: Values, given: Given) -> None:
        self._values, self._given, self._own = values, given, Reads()
        self.reads = [self._own]
        self.words = _words(translation.get_language())

    def piece(self, template: str, given: Given) -> SafeString:
        texts = {name: str(value) for name, value in given.items()}
        html, reads = self._values.piece(template, {**self._given, **texts})
        self.reads += reads
        return html

    def read(self, name: str) -> Any:
        # What is given is the same as long as the piece is, and need not be noted.
        if name in self._given:
            return self._given[name]
        if name in self._own.parts:
            return self._own.parts[name]
        value = self._values.get(name)
        return missing if value is MISSING else self._own.of(name, value)


def draw_scene(
    names: tuple[str, ...], values: Values, given: Given = MappingProxyType({})
) -> tuple[SafeString, Sequence[Reads]]:
    """Return what the first of these templates that exists draws, and what it read to do so.

    :param given: texts that the template has besides the values.
    """
    scene = Scene(values, given)
    html = _rendered(names, {SCENE: scene})
    scene.reads[0].settle()
    return html, scene.reads


class SceneContext(Context):
    """Names that no template has set come from the scene, if the drawing has one."""

    def resolve_or_missing(self, key: str) -> Any:
        # As Jinja does it, but for the scene.
        if key in self.vars:
            return self.vars[key]
        if key in self.parent:
            return self.parent[key]
        return self.parent[SCENE].read(key) if SCENE in self.parent else missing

    def call(self, called: Any, /, *args: Any, **given: Any) -> Any:
        """Call a function as Jinja does, which asks each of them again what it wants, at length."""
        kind = type(called)
        if kind not in PLAIN or given.get("_loop_vars") or given.get("_block_vars"):
            return super().call(called, *args, **given)
        given.pop("_loop_vars", None)
        given.pop("_block_vars", None)
        # A macro has no need of the context: it escapes, as all do here.
        if kind is Macro or (wanted := called.__dict__.get("jinja_pass_arg")) is None:
            return called(*args, **given)
        if wanted is THE_CONTEXT:
            return called(self, *args, **given)
        return super().call(called, *args, **given)

    @property
    def words(self) -> Words:
        """The sentences of the reader's language."""
        scene = self.parent.get(SCENE)
        words: Words = scene.words if scene else _words(translation.get_language())
        return words


@lru_cache
def _first(names: tuple[str, ...]) -> str:
    """Return the first of these templates that exists: Jinja looks for a missing one anew each time."""
    return str(select_template(names, using=ENGINE).origin.template_name)


def escape(value: Any) -> str:
    """Escape as Jinja does, which makes a new text of each that is escaped already."""
    return value if type(value) in ESCAPED else markupsafe.escape(value)


class Drawn(Template):
    """A template of Jinja's with an ``escape`` of ours."""

    @classmethod
    def _from_namespace(cls, environment: Environment, namespace: Any, shared: Any) -> Template:
        namespace["escape"] = escape
        return super()._from_namespace(environment, namespace, shared)


class SharedGlobals(Environment):
    """Jinja's environment, but every template has the very same globals.

    Jinja would make a chain of mappings for each and go through all of it at every include and import: up to
    a sixth of the time of a drawing.
    """

    template_class = Drawn

    def getattr(self, obj: Any, attribute: str) -> Any:
        # Most of what a drawing reads are fields of noted values, which have nothing else.
        if type(obj) is NotedFields:
            found = field(obj, attribute)
            return self.undefined(obj=obj, name=attribute) if found is MISSING else found
        return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals


def environment(loader: BaseLoader, auto_reload: bool, **_options: Any) -> Environment:
    """Return the environment of the engine, from the options that Django gives."""
    made = SharedGlobals(
        loader=loader,
        auto_reload=auto_reload,
        autoescape=True,
        # All of them are kept, in a plain mapping: at every include Jinja would note which was used last.
        cache_size=-1,
        undefined=ChainableUndefined,
        # Line breaks are the business of SourceLayout alone: trim_blocks would leave indentations behind.
        extensions=[SourceLayout, "jinja2.ext.i18n"],
    )
    made.context_class = SceneContext
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.filters |= {function.__name__: function for function in FILTERS} | {"linebreaks": linebreaks_filter}
    named = {function.__name__: function for function in GLOBALS}
    # gettext in place of Jinja's own, which asks Django for language and sentence at every word.
    made.globals |= named | {
        "url": url,
        "static": cache(static),
        "gettext": gettext,
        "pgettext": pgettext,
        "ngettext": ngettext,
        "_": gettext,
        "piece": piece,
    }
    return made


class Words(dict[str | tuple[str, str], Markup]):
    """The sentences of the language that is active, as they stand in a page; some by context and sentence."""

    def __init__(self, language: str | None) -> None:
        self.language = language

    def __missing__(self, sentence: str | tuple[str, str]) -> Markup:
        if isinstance(sentence, tuple):
            text = translation.pgettext(*sentence)
        else:
            text = translation.gettext(sentence)
        said = self[sentence] = Markup(text)  # noqa: S704 (our own words)
        return said


@cache
def _words(language: str | None) -> Words:
    return Words(language)


@pass_context
def gettext(context: SceneContext, sentence: str, **variables: Any) -> Markup:
    """Return a sentence in the reader's language, with its variables escaped and put in."""
    return _filled(context.words[sentence], variables)


@pass_context
def pgettext(context: SceneContext, where: str, sentence: str, **variables: Any) -> Markup:
    """Return a sentence as ``gettext`` does; it means something else in other places."""
    return _filled(context.words[where, sentence], variables)


@pass_context
def ngettext(context: SceneContext, one: str, many: str, number: int, **variables: Any) -> Markup:
    """Return the sentence for a number as ``gettext`` does."""
    said = _for_number(context.words.language, one, many, number)
    return _filled(said, {"num": number} | variables)


@lru_cache(maxsize=4096)
def _for_number(_language: str | None, one: str, many: str, number: int) -> Markup:
    return Markup(translation.ngettext(one, many, number))  # noqa: S704 (our own words)


def _filled(said: Markup, variables: Mapping[str, Any]) -> Markup:
    # Most sentences have nothing to fill, and looking for it takes longer than all else.
    return said % variables if variables or "%" in said else said


@pass_context
def piece(context: Context, template: str, **given: Any) -> SafeString:
    """Draw a part of a list that is remembered by itself: where one changes, the others are not drawn again.

    :param given: plain texts, by which the template knows which part it draws.
    """
    if scene := context.parent.get(SCENE):
        drawn: SafeString = scene.piece(template, given)
        return drawn
    return draw((template,), {**context.get_all(), **given})


@lru_cache(maxsize=1024)
def url(name: str, *args: Any) -> str:
    """Return the address of a view."""
    if args and all(type(arg) is int for arg in args):
        return _pattern(name, len(args)) % args
    return reverse(name, args=args)


@cache
def _pattern(name: str, count: int) -> str:
    """Return the address of a view with places for numbers: Django would look for it anew for each number."""
    marks = [10**9 + place for place in range(count)]
    address = reverse(name, args=marks).replace("%", "%%")
    for mark in marks:
        address = address.replace(str(mark), "%d")
    return address


class SourceLayout(Extension):
    """Keeps the layout of a template's source out of the page.

    A line break goes, with its indentation, where it stands beside a tag of HTML or of Jinja. Inside a tag
    of HTML and within a text it is one space. A space that is wanted beside a tag is written in the line.
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
    """Return a piece of text without its line breaks, and whether it ends inside a tag of HTML."""
    parts = _ANGLE.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            in_tag = part == "<"
        else:
            parts[number] = _BREAK.sub(" ", part if in_tag else _BREAK_AT_AN_END.sub("", part))
    return "".join(parts), in_tag
