"""The icons that templates name: one that does not exist is an empty place."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

NAMED = re.compile(r"""\{% icon "([\w-]+)" %\}|\{% link_row [^%]*icon="([\w-]+)"|\{\{ icon\("([\w-]+)"\)""")


def test_every_icon_named_in_a_template_exists() -> None:
    root = Path(settings.BASE_DIR)
    drawn = set(re.findall(r'id="([\w-]+)"', (root / "static/img/icons.svg").read_text("utf-8")))
    places = (root / "templates", root / "characters", root / "sessions")
    pages = [page for place in places for kind in ("html", "jinja") for page in place.rglob(f"*.{kind}")]
    found = {
        name: page.relative_to(root)
        for page in pages
        for match in NAMED.finditer(page.read_text("utf-8"))
        for name in filter(None, match.groups())
    }
    assert len(found) > 40
    assert {name: page for name, page in found.items() if name not in drawn} == {}
