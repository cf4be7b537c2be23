"""D&D Beyond: the JSON of a character, as its own page loads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from characters import rules
from characters.exchange.labels_elsewhere import SKILL
from characters.exchange.parsing import line_of, number, visible
from characters.exchange.pieces import Piece

#: Proficiencies of these types are offered as skills, except those of ``NO_SKILLS``.
TRAINED = ("proficiency", "expertise")
NO_SKILLS = ("saving-throws", "weapons", "armor", "shields")
DNDBEYOND_STORIES = ("backstory", "personalityTraits", "ideals", "bonds", "flaws", "appearance")


def dndbeyond_character(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return the character in a document of D&D Beyond, with or without envelope; None for any other."""
    data = document.get("data", document)
    return data if isinstance(data, dict) and "baseHitPoints" in data and "inventory" in data else None


def from_dndbeyond(data: dict[str, Any]) -> Piece:
    """Return the piece of a character. It has no HP that only their page computes."""
    piece = Piece(data.get("name"))
    if number(data.get("overrideHitPoints")):
        piece.status.append(("HP", data["overrideHitPoints"], data["overrideHitPoints"]))
    race = data.get("race")
    classes = [f"{_definition_name(each)} {each.get('level', '')}".strip() for each in _rows(data.get("classes"))]
    piece.params += [
        ("Race", visible(race.get("fullName")) if isinstance(race, dict) else ""),
        ("Class", ", ".join(classes)),
    ]
    told = [part for part in (data.get("notes"), data.get("traits")) if isinstance(part, dict)]
    stories = (part[key] for part in told for key in DNDBEYOND_STORIES if isinstance(part.get(key), str))
    piece.memo = "\n\n".join(filter(visible, stories))
    piece.named = [
        (SKILL, name) for name in dict.fromkeys([*_proficiencies(data), *_definition_names(data.get("feats"))])
    ]
    piece.named += [(_item_kind(each), _definition_name(each)) for each in _rows(data.get("inventory")) if _definition_name(each)]
    for key in ("gender", "age", "height", "hair", "eyes", "faith"):
        if data.get(key):
            piece.further.append(line_of(key, data[key]))
    return piece


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _definition_names(value: object) -> list[str]:
    return [name for row in _rows(value) if (name := _definition_name(row))]


def _definition_name(row: dict[str, Any]) -> str:
    definition = row.get("definition")
    return visible(definition.get("name"))[: rules.NAME_LENGTH] if isinstance(definition, dict) else ""


def _proficiencies(data: dict[str, Any]) -> Iterator[str]:
    modifiers = data.get("modifiers")
    for group in modifiers.values() if isinstance(modifiers, dict) else ():
        for row in _rows(group):
            kind = str(row.get("subType", ""))
            if row.get("type") in TRAINED and not kind.endswith(NO_SKILLS):
                yield visible(row.get("friendlySubtypeName"))[: rules.NAME_LENGTH]


def _item_kind(row: dict[str, Any]) -> str:
    said = row["definition"]
    if "shield" in str(said.get("type", "")).casefold() or said.get("name") == "Shield":
        return "shield"
    return {"Weapon": "weapon", "Armor": "armour"}.get(str(said.get("filterType")), "tool")
