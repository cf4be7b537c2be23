"""Bottom sheets in pages."""

from __future__ import annotations

from django.template import Context, Template


def test_a_bottom_sheet_has_its_title_and_content() -> None:
    source = '{% sheet "log-sheet" title %}<p>inside</p>{% endsheet %}'
    html = Template(source).render(Context({"title": "Log & more"}))
    assert html.startswith(
        '<dialog class="sheet" id="log-sheet" aria-labelledby="log-sheet-title"><div class='
    )
    assert '<h2 id="log-sheet-title">Log &amp; more</h2>' in html
    assert html.endswith("<p>inside</p></dialog>")
