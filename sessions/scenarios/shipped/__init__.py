"""Scenarios that come with Takujō: a folder each, with a document a language and the pictures they share."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from companion.files import pictures
from companion.models import Person
from companion.wording.languages import worded
from sessions.models import Scenario
from sessions.scenarios import document as documents
from sessions.scenarios import writing
from sessions.scenarios.document import Document

FOLDER = Path(__file__).parent


class Shipped(NamedTuple):
    """One of them, in a reader's language."""

    key: str
    document: Document


def offered(language: str | None) -> list[Shipped]:
    """Return all of them, in a language that stands in where there is none in the reader's own."""
    return [Shipped(key, documents.read(worded(texts, language))) for key, texts in _texts().items()]


def take(owner: Person, key: str, language: str | None) -> Scenario:
    """Make one of them a scenario of somebody.

    :raises LookupError: there is none of this key.
    :raises companion.limits.quotas.Full: there is no room for it, or for its pictures.
    """
    document = documents.read(worded(_texts()[key], language))
    shown = {name: _picture(key, name) for name in sorted(documents.media(document))}
    return writing.begin_with(owner, document, shown)


@cache
def _texts() -> dict[str, dict[str, bytes]]:
    """Return the documents by key and language."""
    texts: dict[str, dict[str, bytes]] = {}
    for path in sorted(FOLDER.glob("*/*.json")):
        texts.setdefault(path.parent.name, {})[path.stem] = path.read_bytes()
    return texts


def _picture(key: str, name: str) -> pictures.Picture:
    return pictures.written_before((FOLDER / key / f"{name}.webp").read_bytes())
