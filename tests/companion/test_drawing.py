"""The engine of what is drawn at every move, by small templates of its own."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.utils import translation


def drawn(source: str, **context: Any) -> str:
    return str(engines["jinja2"].from_string(source).render(context))


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n", "<ul><li>a</li><li>b</li></ul>"),
        ("<b>a</b> <i>b</i>", "<b>a</b> <i>b</i>"),
        ("<p>\n  one\n  two\n</p>", "<p>one two</p>"),
        ('<p\n  id="a"\n  {% if yes %} hidden{% endif %}\n  lang="en">', '<p id="a"  hidden lang="en">'),
        ("{% if yes %}\n  a\n{% endif %}\n{{ 1 }}\n{# said #}\nb", "a1b"),
        ("<p>{% trans %}\n  {{ yes }} and\n  more\n{% endtrans %}</p>", "<p>True and more</p>"),
    ],
)
def test_indentation_of_a_template_is_not_in_the_page(source: str, page: str) -> None:
    assert drawn(source, yes=True) == page


def test_a_missing_value_prints_nothing_and_is_false() -> None:
    assert drawn("{{ a.b.c }}{{ none.b }}{% if a.b %}x{% endif %}{{ d['k'].x }}", none=None, d={}) == ""


def test_values_are_escaped_and_words_translated_for_each_reader() -> None:
    source = "{{ _('Close') }} {% trans %}{{ name }} failed.{% endtrans %}"
    said = []
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            said.append(drawn(source, name="<b>"))
    assert said[0] != said[1] == "Close &lt;b&gt; failed."


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("{% trans n=1 %}{{ n }} card{% pluralize %}{{ n }} cards{% endtrans %}", "1 card"),
        ("{% trans n=3 %}{{ n }} card{% pluralize %}{{ n }} cards{% endtrans %}", "3 cards"),
        (
            "{% trans n=2, a=yes %}{{ a }} {{ n }}{% pluralize %}{{ a }} of {{ n }}{% endtrans %}",
            "&lt;b&gt; of 2",
        ),
        ("{{ pgettext('cards', 'Hand') }} {{ pgettext('a test', 'of %(a)s', a=yes) }}", "Hand of &lt;b&gt;"),
        ("{% trans %}all 100 %{% endtrans %} {{ _('all 100 %%') }}", "all 100 % all 100 %"),
    ],
)
def test_translated_sentences_are_filled_with_their_values(source: str, page: str) -> None:
    with translation.override("en"):
        assert drawn(source, yes="<b>") == page


def test_a_word_with_a_context_is_translated_for_each_reader() -> None:
    said = set()
    for language in ("en", "ja"):
        with translation.override(language):
            said.add(drawn("{{ pgettext('cards', 'Hand') }}"))
    assert len(said) == 2


def test_a_function_that_reads_the_context_sees_values_set_in_a_loop() -> None:
    source = "{% for who in 'ab' %}{% set names = {'p1': who} %}{{ figure('p1') }}{% endfor %}"
    assert drawn(source, names={"p1": "c"}, figures={}) == "ab"
