"""Parts of a drawing: what a page shows of them already need not be sent again.

A template puts an element that has an id of its own between ``<!--part-->`` and ``<!--/part-->``. Parts lie
side by side, never within each other. The marks reach no page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

BEGIN, END = "<!--part-->", "<!--/part-->"
#: The pages of a table ask for the same one after the other.
PATCHES_KEPT = 512

_TAG = re.compile(r'<(\w+)[^>]*? (id="[^"]+")')


def whole(drawn: str) -> str:
    """Return a drawing without its marks."""
    return drawn.replace(BEGIN, "").replace(END, "")


@lru_cache(maxsize=PATCHES_KEPT)
def patch(shown: str, drawn: str) -> str:
    """Return a drawing for a page that shows an earlier one, with stubs for the parts that are the same.

    :param shown: "" where the page shows nothing that it could keep.
    """
    kept = {part for part, _ in _parts(shown)}
    sent = [drawn.partition(BEGIN)[0]]
    for part, between in _parts(drawn):
        sent += _stub(part) if part in kept else part, between
    return "".join(sent)


def _parts(drawn: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a drawing, each with what stands between it and the next."""
    for rest in drawn.split(BEGIN)[1:]:
        part, _, between = rest.partition(END)
        yield part, between


def _stub(part: str) -> str:
    """Return an element for which a page keeps its own by the same id (static/js/live.js)."""
    tag = _TAG.match(part)
    assert tag, part
    return f"<{tag[1]} {tag[2]} data-kept></{tag[1]}>"
