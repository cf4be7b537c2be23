"""Pushes as a page takes them in: for a stub it keeps its own element."""

from __future__ import annotations

import re

STUB = re.compile(r'<(\w+) id="([^"]+)" data-kept></\1>')


def filled(patch: str, shown: str) -> str:
    """Return what a region shows after a patch.

    :param shown: what it showed before.
    """
    return STUB.sub(lambda stub: element(shown, stub[1], stub[2]), patch)


def element(html: str, tag: str, name: str) -> str:
    """Return the one element with this id, whole."""
    [found] = re.finditer(rf'<{tag}\b[^>]* id="{re.escape(name)}"', html)
    depth = 0
    for end in re.finditer(rf"<(/?){tag}\b[^>]*>", html[found.start() :]):
        depth += -1 if end[1] else 1
        if not depth:
            return html[found.start() : found.start() + end.end()]
    raise AssertionError(f"{name} has no end")
