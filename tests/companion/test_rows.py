"""Rows of lists that lead to pages."""

from __future__ import annotations

from django.template import engines


def drawn(source: str, **values: str) -> str:
    return str(engines["django"].from_string(source).render(values))


def test_a_link_row_escapes_its_words_and_carries_its_query() -> None:
    source = '{% link_row "play:npcs" icon="people" title=name note=note campaign=7 %}'
    html = drawn(source, name="<b>", note="a & b")
    assert 'href="/gm/npcs/?campaign=7"' in html
    assert "&lt;b&gt;" in html
    assert '<span class="row-note">a &amp; b</span>' in html


def test_a_link_row_without_a_note_has_no_second_line() -> None:
    assert "row-note" not in drawn('{% link_row "companion:home" icon="people" title="x" %}')
