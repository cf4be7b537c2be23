"""Characters as personal data of their owner: listed, transferred to an account, exported, deleted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from characters.exchange import sheet_json
from characters.models import Character
from characters.services.exchange import plain_sheet
from companion.identity.personal_data import Belonging, DataProvider, transfer_rows
from companion.models import Person


def list_characters(person: Person, receiver: Person | None) -> list[Belonging]:
    """Return the characters of a person, drafts too."""
    characters = Character.objects.filter(owner=person)
    return [
        Belonging("sheet", str(c), c.concept if c.is_done else _("Still in the making")) for c in characters
    ]


def hand_over(person: Person, receiver: Person) -> list[int]:
    """Transfer all characters of a person to another person, with everything on their sheets."""
    return transfer_rows(Character.objects.filter(owner=person), receiver)


def give_back(rows: list[int], person: Person) -> None:
    Character.objects.filter(pk__in=rows).update(owner=person)


def delete_characters(person: Person) -> None:
    Character.objects.filter(owner=person).delete()


def export_documents(person: Person) -> dict[str, Any]:
    """Return two files for each character: the sheet, which can be imported again, and its history."""
    found: dict[str, Any] = {}
    for number, character in enumerate(Character.objects.filter(owner=person).with_rows(), 1):
        sheet = sheet_json.write_document(plain_sheet(character, faces=True), player=person.name)
        found[f"character-{number}.json"] = sheet
        found[f"character-{number}-history.json"] = _history(character)
    return found


def _history(character: Character) -> dict[str, Any]:
    creation = getattr(character, "creation", None)
    return {
        "status": character.status,
        "visibility": character.visibility,
        "created_at": character.created_at,
        "changed_at": character.changed_at,
        "draws": list(creation.draws.values("number", "cards", "drawn_at")) if creation else [],
        "revisions": list(character.revisions.values("number", "made_at", "why", "sheet")),
        "experience": list(
            character.ledger.values("made_at", "kind", "points", "title", "campaign", "bought", "reached")
        ),
        "checklists": [
            {"title": each.title, "campaign": each.campaign, "lines": [line.key for line in each.lines.all()]}
            for each in character.checklists.prefetch_related("lines")
        ],
    }


provider = DataProvider(
    "characters", list_characters, hand_over, give_back, delete_characters, export_documents
)
