"""The layout of a template's source, which is for its authors and stays out of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

_ANGLE = re.compile(r"(<(?=[A-Za-z/])|>)")
_BREAK = re.compile(r"\s*\n\s*")
_BREAK_AT_AN_END = re.compile(r"\A\s*\n\s*|\s*\n\s*\Z")


class SourceLayout(Extension):
    """Keeps the layout of a template's source out of the page.

    A line break goes, with its indentation, where it stands beside a tag of HTML or of Jinja. Inside a tag
    of HTML and within a text it is one space. A space that is wanted beside a tag is written in the line.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        in_tag = in_sentence = False
        before = ""
        for token in stream:
            if before == "block_begin":
                in_sentence = token.value == "trans" or (in_sentence and token.value != "endtrans")
            if token.type == "data" and not in_sentence:
                text, in_tag = _laid_out(token.value, in_tag)
                token = Token(token.lineno, "data", text)
            before = token.type
            yield token


def _laid_out(text: str, in_tag: bool) -> tuple[str, bool]:
    """Return a piece of text without its line breaks, and whether it ends inside a tag of HTML."""
    parts = _ANGLE.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            in_tag = part == "<"
        else:
            parts[number] = _BREAK.sub(" ", part if in_tag else _BREAK_AT_AN_END.sub("", part))
    return "".join(parts), in_tag
