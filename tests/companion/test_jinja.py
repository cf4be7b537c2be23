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
def test_the_layout_of_the_source_is_not_that_of_the_page(source: str, page: str) -> None:
    assert drawn(source, yes=True) == page


def test_what_is_missing_prints_nothing_and_is_false() -> None:
    assert drawn("{{ a.b.c }}{{ none.b }}{% if a.b %}x{% endif %}{{ d['k'].x }}", none=None, d={}) == ""


def test_names_are_escaped_and_words_are_translated_for_each_reader() -> None:
    source = "{{ _('Close') }} {% trans %}{{ name }} failed.{% endtrans %}"
    said = []
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            said.append(drawn(source, name="<b>"))
    assert said[0] != said[1] == "Close &lt;b&gt; failed."
