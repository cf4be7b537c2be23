"""The messages that a source file holds, as gettext would read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize
from jinja2.ext import GETTEXT_FUNCTIONS, babel_extract

#: Context and words, as a catalogue's key.
Message = tuple[str | None, str]

#: Which argument of a function is the context, and which the words.
KEYWORDS = {
    "_": (None, 0),
    "gettext": (None, 0),
    "gettext_lazy": (None, 0),
    "gettext_noop": (None, 0),
    "ngettext": (None, 0),
    "ngettext_lazy": (None, 0),
    "pgettext": (0, 1),
    "pgettext_lazy": (0, 1),
    "npgettext": (0, 1),
    "npgettext_lazy": (0, 1),
}


def messages_of(path: Path) -> Iterator[Message]:
    """Yield what a template of Django or Jinja, or a Python file, gives to be translated."""
    source = path.read_text("utf-8")
    if path.suffix == ".jinja":
        found = babel_extract(
            BytesIO(source.encode()), GETTEXT_FUNCTIONS, [], {"trimmed": "true", "silent": "false"}
        )
    else:
        # Templates indent as they like.
        python = source if path.suffix == ".py" else re.sub(r"(?m)^\s+", "", templatize(source))
        found = extract_python(BytesIO(python.encode()), list(KEYWORDS), [], {})  # type: ignore[assignment]
    for _, function, words, _ in found:
        given = [words] if isinstance(words, str) else list(words or ())
        context, place = KEYWORDS[function]
        if len(given) > place and given[place]:
            yield (None if context is None else given[context]), given[place]
