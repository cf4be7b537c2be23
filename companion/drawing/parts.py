"""Parts of rendered HTML: parts that a page already shows are not sent again.

A template puts an element with an id between ``<!--part-->`` and ``<!--/part-->``. Parts are never nested.
The markers are removed from all output.
"""

from __future__ import annotations

from functools import lru_cache

BEGIN, END = "<!--part-->", "<!--/part-->"
#: Size of the caches of parts and patches: all pages of a table request the same ones in a row.
KEPT = 512


def strip_markers(drawn: str) -> str:
    """Return rendered HTML without its markers."""
    return drawn.replace(BEGIN, "").replace(END, "")


@lru_cache(maxsize=KEPT)
def patch(shown: str, drawn: str) -> str:
    """Return ``drawn`` for a page that shows ``shown``, with stubs for unchanged parts.

    :param shown: "" if the page shows nothing reusable.
    """
    if not shown or BEGIN not in drawn:
        return strip_markers(drawn)
    kept = _parts(shown)
    sent = [drawn[: drawn.index(BEGIN)]]
    for part, between in _parts(drawn).items():
        sent += _stub(part) if part in kept else part, between
    return "".join(sent)


@lru_cache(maxsize=KEPT)
def _parts(drawn: str) -> dict[str, str]:
    """Return the parts of rendered HTML, each with the text up to the next part."""
    found = {}
    for rest in drawn.split(BEGIN)[1:]:
        part, _, between = rest.partition(END)
        found[part] = between
    return found


def _stub(part: str) -> str:
    """Return a stub, in place of which a page keeps its element with the same id (static/js/live.js)."""
    name = part.index(' id="')
    end = part.index('"', name + len(' id="')) + 1
    tag = part[1 : part.index(" ")]
    return f"<{tag}{part[name:end]} data-kept></{tag}>"
