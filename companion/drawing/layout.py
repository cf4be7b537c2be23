"""Jinja extension that removes the layout of a template's source from the output."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

_ANGLE = re.compile(r"(<(?=[A-Za-z/])|>)")
_BREAK = re.compile(r"\s*\n\s*")
_BREAK_AT_AN_END = re.compile(r"\A\s*\n\s*|\s*\n\s*\Z")


class SourceLayout(Extension):
    """Removes the line breaks and indentation of a template's source from the output.

    A line break next to a tag of HTML or Jinja is removed with its indentation. Inside an HTML tag and within
    text it becomes one space. A space next to a tag is kept if it is in the same line.
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
    """Return template data without its line breaks, and whether it ends inside an HTML tag."""
    parts = _ANGLE.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            in_tag = part == "<"
        else:
            parts[number] = _BREAK.sub(" ", part if in_tag else _BREAK_AT_AN_END.sub("", part))
    return "".join(parts), in_tag
