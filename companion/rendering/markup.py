"""Rendered HTML: its parts, its plain text, and pictures of it without controls.

A template puts an element with an id between ``<!--part-->`` and ``<!--/part-->``. Parts are never nested.
Parts that a page already shows are not sent again. The markers are removed from all output. All functions are
pure.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import escape
from html.parser import HTMLParser

BEGIN, END = "<!--part-->", "<!--/part-->"
#: Size of the caches of parts and patches: all pages of a table request the same ones in a row.
KEPT = 512
_VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
#: Interactive elements; a picture omits them with all their content.
_CONTROLS = {"button", "dialog", "form", "script", "select", "template", "textarea"}
#: Attributes that would make a picture interactive, or repeat an id on a page with several hands.
_DROPPED = re.compile(
    r"id|for|name|tabindex|contenteditable|form.*|on.*|hx-.*|aria-(live|controls|.*by)"
    r"|data-(move|open|close|key|hold|sets|call|say|hand)"
)
#: Bidirectional classes of control characters, with which a name could scramble a log.
_TURNING = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def strip_markers(drawn: str) -> str:
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


@lru_cache(maxsize=8 * KEPT)
def _stub(part: str) -> str:
    """Return a stub, in place of which a page keeps its element with the same id (static/js/live.js)."""
    name = part.index(' id="')
    end = part.index('"', name + len(' id="')) + 1
    tag = part[1 : part.index(" ")]
    return f"<{tag}{part[name:end]} data-kept></{tag}>"


def plain(html: str) -> str:
    """Return the text of this HTML without elements hidden from screen readers; ``<br>`` is a line break."""
    words = _Words()
    words.feed(html)
    words.close()
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in "".join(words.said).split("\n"))
    return clean("\n".join(line for line in lines if line))


def clean(text: str) -> str:
    """Remove all control characters, bidirectional ones too, and keep line breaks."""
    return "".join(
        letter
        for letter in text.replace("\r\n", "\n").replace("\r", "\n")
        if letter == "\n"
        or (
            unicodedata.category(letter) not in ("Cc", "Cs")
            and unicodedata.bidirectional(letter) not in _TURNING
        )
    )


def still(html: str) -> str:
    """Return a region without forms, buttons, inputs and ids; labels of inputs stay for screen readers."""
    picture = _Picture()
    picture.feed(html)
    picture.close()
    return "".join(picture.drawn)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.said.append("\n")
        elif tag not in _VOID and (self._hidden or dict(attrs).get("aria-hidden") == "true"):
            self._hidden.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.said.append(re.sub(r"\s+", " ", data))


class _Picture(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.drawn: list[str] = []
        self._inside: list[str] = []  # open tags from the outermost control on

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._inside or tag in _CONTROLS:
            if tag not in _VOID:
                self._inside.append(tag)
        elif tag == "input":
            # The name of a selectable card is the label of its input.
            name = dict(attrs).get("aria-label")
            self.drawn.append(f'<span class="visually-hidden">{escape(name)}</span>' if name else "")
        else:
            self.drawn.append(f"<{_still_tag(tag)}{_still_attributes(tag, attrs)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._inside and tag not in _CONTROLS:
            self.drawn.append(f"<{_still_tag(tag)}{_still_attributes(tag, attrs)}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self._inside:
            self.drawn.append(f"</{_still_tag(tag)}>")
        elif tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.drawn.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def _still_tag(tag: str) -> str:
    return {"label": "span", "a": "span"}.get(tag, tag)


def _still_attributes(tag: str, attributes: list[tuple[str, str | None]]) -> str:
    kept = {name: value for name, value in attributes if not _DROPPED.fullmatch(name)}
    if tag == "a":
        kept.pop("href", None)
    return "".join(
        f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in kept.items()
    )
