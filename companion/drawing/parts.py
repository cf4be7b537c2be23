"""Parts of a drawing: what a page shows of them already need not be sent again.

A template puts an element that has an id of its own between ``<!--part-->`` and ``<!--/part-->``. Parts lie
side by side, never within each other. The marks reach no page.
"""

from __future__ import annotations

from functools import lru_cache

BEGIN, END = "<!--part-->", "<!--/part-->"
#: So many drawings and patches are remembered: all pages of a table want them one after the other.
KEPT = 512


def whole(drawn: str) -> str:
    """Return a drawing without its marks."""
    return drawn.replace(BEGIN, "").replace(END, "")


@lru_cache(maxsize=KEPT)
def patch(shown: str, drawn: str) -> str:
    """Return a drawing for a page that shows an earlier one, with stubs for the parts that are the same.

    :param shown: "" where the page shows nothing that it could keep.
    """
    if not shown or BEGIN not in drawn:
        return whole(drawn)
    kept = _parts(shown)
    sent = [drawn[: drawn.index(BEGIN)]]
    for part, between in _parts(drawn).items():
        sent += _stub(part) if part in kept else part, between
    return "".join(sent)


@lru_cache(maxsize=KEPT)
def _parts(drawn: str) -> dict[str, str]:
    """Return the parts of a drawing, each with what stands between it and the next."""
    found = {}
    for rest in drawn.split(BEGIN)[1:]:
        part, _, between = rest.partition(END)
        found[part] = between
    return found


def _stub(part: str) -> str:
    """Return an element for which a page keeps its own by the same id (static/js/live.js)."""
    name = part.index(' id="')
    end = part.index('"', name + len(' id="')) + 1
    tag = part[1 : part.index(" ")]
    return f"<{tag}{part[name:end]} data-kept></{tag}>"
