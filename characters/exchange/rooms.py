"""Rooms of other tools. Each of their characters can be imported by itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, tostring

from characters.exchange.parsing import visible


@dataclass(frozen=True)
class RoomCharacter:
    """A character of a room: its name for the choice, and its own data as text."""

    name: str
    text: str


@dataclass(frozen=True)
class ImportedRoom:
    """The characters of a room, in its order."""

    characters: tuple[RoomCharacter, ...]


def udonarium_characters(root: Element) -> list[Element]:
    """Return the characters in an XML document, at any depth."""
    return [root] if root.tag == "character" else list(root.iter("character"))


def ccfolia_characters(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the characters of the ``__data.json`` of a room of CCFOLIA."""
    entities = document.get("entities")
    found = entities.get("characters") if isinstance(entities, dict) else None
    characters = found.values() if isinstance(found, dict) else []
    return [character for character in characters if isinstance(character, dict)]


def udonarium_room(characters: list[Element]) -> ImportedRoom:
    """Return the room of these elements."""
    return ImportedRoom(tuple(RoomCharacter(_udonarium_name(each), tostring(each, "unicode")) for each in characters))


def ccfolia_room(characters: list[dict[str, Any]]) -> ImportedRoom:
    """Return the room of these ``data`` objects."""
    return ImportedRoom(tuple(RoomCharacter(visible(each.get("name")), _clipboard_piece(each)) for each in characters))


def _udonarium_name(character: Element) -> str:
    names = (data.text or "" for data in character.iter("data") if data.get("name") == "name")
    return visible(next(names, ""))


def _clipboard_piece(character: dict[str, Any]) -> str:
    return json.dumps({"kind": "character", "data": character}, ensure_ascii=False)


def room_of_documents(documents: list[dict[str, Any]]) -> ImportedRoom:
    """Return a room of a list of documents, which may come from different programs."""
    return ImportedRoom(
        tuple(RoomCharacter(_document_name(each), json.dumps(each, ensure_ascii=False)) for each in documents)
    )


def _document_name(document: dict[str, Any]) -> str:
    inner = (document.get(key) for key in ("data", "character"))
    places = [document, *(each for each in inner if isinstance(each, dict))]
    names = (place.get(key) for place in places for key in ("name", "characterName", "pc_name", "aka"))
    return next(filter(None, map(visible, names)), "")
