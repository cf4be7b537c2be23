"""Scenarios that come with Takujō: one folder each, with a document per language and shared pictures."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from companion.files import pictures
from companion.models import Person
from companion.wording import pick_translation
from sessions.models import Scenario
from sessions.scenarios import document as documents
from sessions.scenarios import editing
from sessions.scenarios.document import Document

FOLDER = Path(__file__).parent


class Shipped(NamedTuple):
    key: str
    document: Document


def shipped_scenarios(language: str | None) -> list[Shipped]:
    """Return all shipped scenarios in the reader's language, or in a fallback language."""
    return [
        Shipped(key, documents.read(pick_translation(texts, language))) for key, texts in _texts().items()
    ]


def copy_scenario(owner: Person, key: str, language: str | None) -> Scenario:
    """Give a person their own copy of a shipped scenario.

    :raises LookupError: no shipped scenario has this key.
    :raises companion.requests.quotas.QuotaExceeded: the owner has no room for it, or for its pictures.
    """
    document = documents.read(pick_translation(_texts()[key], language))
    shown = {
        name: pictures.written_before((FOLDER / key / f"{name}.webp").read_bytes())
        for name in sorted(documents.media(document))
    }
    return editing.create_with_media(owner, document, shown)


@cache
def _texts() -> dict[str, dict[str, bytes]]:
    texts: dict[str, dict[str, bytes]] = {}
    for path in sorted(FOLDER.glob("*/*.json")):
        texts.setdefault(path.parent.name, {})[path.stem] = path.read_bytes()
    return texts
