"""The compiled templates render the same HTML as Jinja itself: Jinja is the reference."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.template import TemplateSyntaxError, engines
from django.utils import translation
from jinja2 import ChainableUndefined, Environment, pass_context
from jinja2 import TemplateSyntaxError as NotDrawn

from companion.rendering import markup
from companion.rendering.engine import SourceLayout
from sessions.engine.registry import registry
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import game, screens
from sessions.live.regions import region_names, region_templates
from sessions.live.screen_view import ScreenExtras, ScreenView, spectator_view

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def in_context(function: Any) -> Any:
    """Let Jinja give a function what it wants before its arguments (companion/rendering/engine.py)."""
    wanted = getattr(function, "of_scene", ())
    if not wanted and not hasattr(function, "of_template"):
        return function

    @pass_context
    def called(context: Any, *args: Any, **named: Any) -> Any:
        first = [context.resolve(name) for name in wanted] or [context.name]
        return function(*first, *args, **named)

    return called


def jinja() -> Environment:
    """Return Jinja as it comes, with the names that our templates know."""
    ours: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    env = Environment(
        loader=ours.loader,
        autoescape=True,
        undefined=ChainableUndefined,
        extensions=[SourceLayout, "jinja2.ext.i18n"],
    )
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    env.filters |= ours.filters
    known = {name: value for name, value in ours.globals.items() if name not in env.globals}
    env.globals |= {name: in_context(value) for name, value in known.items()}
    return env


@pytest.fixture(scope="module")
def reference() -> Environment:
    return jinja()


@pytest.mark.parametrize("seed", seeds(1, of=2))
@pytest.mark.parametrize("key", registry())
def test_every_region_is_rendered_as_by_jinja(key: str, seed: int, reference: Environment) -> None:
    module, drawn = registry()[key], 0
    for number, cached in enumerate(game(module, seed)):
        with translation.override(LANGUAGES[number % len(LANGUAGES)]):
            shared = spectator_view(cached)
            for screen in screens(module, cached):
                sight = ScreenView(cached, screen, ScreenExtras(can_undo=cached.mover == screen.seat), shared)
                for region in sight.every:
                    # What is the same for all is drawn as a spectator sees it.
                    seen = shared if region in region_names(sight.layout, "shared") else sight
                    values = {name: getattr(seen, name) for name in ScreenView.SHOWN}
                    template = reference.select_template(region_templates(key, region))
                    assert markup.strip_markers(sight.render_region(region)) == markup.strip_markers(
                        template.render(values).strip()
                    )
                    drawn += 1
    assert drawn


SCENE: dict[str, Any] = {
    "n": 3,
    "none": None,
    "who": "<b>",
    "names": {"p1": "Ann", "p2": "<Bo>"},
    "figures": {"p2": "Scotch"},
    "deep": {"a": {"b": [{"c": 1}, {"c": 2}]}},
    "list": [3, 1, 2],
}


SOURCES = r"""
{% set a = 1 %}{% for x in list %}{% set a = x %}{{ a }}{% endfor %}{{ a }}
{% if n == 3 %}{% set a = 'yes' %}{% endif %}{{ a }}{{ b }}
{% for x in list if x > 1 %}{{ loop.index }}{{ loop.last }}{{ x }}{% else %}none{% endfor %}
{% for x in [] %}{{ x }}{% else %}none{% endfor %}
{% for around in list %}{{ around }}{% endfor %}{% macro m(self, around) %}{{ self }}{{ around }}{% endmacro %}{{ m(1, 2) }}
{% for k, v in names.items() %}{{ k }}={{ v }}{% if not loop.last %}, {% endif %}{% endfor %}
{% for x in list %}{% for y in list %}{{ loop.index0 }}{% endfor %}{{ loop.first }}{% endfor %}
{% with a=1, b=n %}{{ a + b * 2 - 1 }}{% with a=2 %}{{ a }}{% endwith %}{{ a }}{% endwith %}{{ a }}
{{ deep.a.b[0].c }}{{ deep.a.b[-1]['c'] }}{{ deep.x.y.z }}{{ deep['a'].q }}{{ none.x }}{{ list[9] }}
{{ deep.a.b|length }}{{ list|join(', ') }}{{ list[1:]|list }}{{ (list + [4])|last }}{{ names.p1[0] }}
{{ who }}{{ '<i>' }}{{ who ~ '<' ~ n }}{{ 'a' if n > 2 else 'b' }}{{ 'a' if n > 5 }}{{ not n }}
{% macro m(a, b='<x>', c=n) %}[{{ a }}{{ b }}{{ c }}{{ who }}]{% endmacro %}{{ m(1) }}{{ m(who, c=2) }}
{% macro m(from) %}{{ from }}{{ caller('<') }}{% endmacro %}{% call(x) m(1) %}{{ x }}{{ who }}{% endcall %}
{% macro m() %}{% if caller %}{{ caller() }}{% else %}-{% endif %}{% endmacro %}{{ m() }}{{ m()|upper }}
{% set a %}<i>{{ who }}</i>{% endset %}{{ a }}{{ a|length }}{{ a ~ who }}
{{ figure('p1') }}{{ figure('p2', 'p1') }}{{ figure(none) }}{{ initial('p1') }}{{ turn_mark('ab', 'a', 1) }}
{{ n is number }}{{ nobody is defined }}{{ who in names }}{{ 'p1' in names }}{{ 1 < n <= 3 }}{{ -n }}
{{ deep.a.b|selectattr('c', 'equalto', 2)|list|length }}{{ (deep.a.b|map(attribute='c')|first) }}
{{ 1 == true }}{{ n ** 2 }}{{ n // 2 }}{{ n % 2 }}{{ n / 2 }}{{ [n, who] }}{{ {'a': n}.a }}{{ (n, 1)[0] }}
{% trans %}HP {{ n }} of {{ who }}{% endtrans %}{{ icon('check') }}{{ 's07'|card_name }}{{ card_chip('x1', 's') }}
{% include 'tables/_count.jinja' %}{% from 'tables/kit/term.jinja' import term %}{% call term('a', who) %}b{% endcall %}
"""  # noqa: E501


@pytest.mark.parametrize("source", SOURCES.strip().splitlines())
def test_template_syntax_renders_as_in_jinja(source: str, reference: Environment) -> None:
    for language in LANGUAGES:
        with translation.override(language):
            drawn = engines["jinja2"].from_string(source).render(SCENE)
            assert drawn == reference.from_string(source).render(SCENE).strip()


@pytest.mark.parametrize(
    "source",
    [
        "{% extends 'tables/_log.jinja' %}",
        "{% block a %}{% endblock %}",
        "{% include name %}",
        "{% for x in list recursive %}{{ loop(x) }}{% endfor %}",
        "{% for x in list %}{{ loop.cycle('a') }}{% endfor %}",
        "{{ _(name) }}",
        "{{ nobody() }}",
        "{{ n|no_filter }}",
        "{% from 'tables/kit/term.jinja' import nothing %}",
        "{{ figure(*list) }}",
    ],
)
def test_unsupported_template_syntax_is_an_error_with_its_line(source: str) -> None:
    with pytest.raises((NotDrawn, TemplateSyntaxError)) as refused:
        engines["jinja2"].from_string(f"\n{source}").render(SCENE)
    assert "2" in str(refused.value)
