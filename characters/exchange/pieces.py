"""Pieces of other tools as uninterpreted data: labels with values, a memo, a palette."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from characters.exchange.parsing import line_of, number, text_of_value
from characters.exchange.unreadable import UnreadableSheet
from characters.exchange.wording import one_line

#: Fields about the piece on its board, not about the character.
PRESENTATION = {
    *("iconUrl", "x", "y", "z", "angle", "width", "height", "active", "secret", "invisible"),
    *("hideStatus", "color", "owner", "roomId", "speaking", "typing", "diceSkin", "order", "parent"),
    *("createdAt", "updatedAt", "_id"),
}
#: The JavaScript templates of ytsheet2 write these for missing values.
NO_ANSWER = {"undefined", "NaN", "null"}
READ = {"name", "memo", "initiative", "externalUrl", "status", "params", "commands", "faces"}


@dataclass
class Piece:
    """A piece as read, before the rules are applied."""

    name: object
    status: list[tuple[str, object, object]] = field(default_factory=list)
    params: list[tuple[str, str]] = field(default_factory=list)
    memo: str = ""
    palette: str = ""
    url: str = ""
    further: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    #: Labels and addresses of further pictures.
    faces: list[tuple[str, str]] = field(default_factory=list)
    #: Kind and name of the items and skills that a sheet of another game has in its own fields.
    named: list[tuple[str, str]] = field(default_factory=list)

    @property
    def says_anything(self) -> bool:
        """True if there is any data besides the name."""
        return bool(
            self.status
            or self.params
            or self.memo.strip()
            or self.palette.strip()
            or self.further
            or self.named
        )


def from_ccfolia(data: dict[str, Any]) -> Piece:
    """Return the piece in the ``data`` of CCFOLIA's clipboard JSON.

    :raises UnreadableSheet: ``wrong_type``.
    """
    piece = Piece(
        data.get("name"),
        memo=_text(data, "memo"),
        palette=_text(data, "commands"),
        url=one_line(_text(data, "externalUrl")),
    )
    for entry in _entries(data, "status"):
        piece.status.append((text_of_value(entry.get("label")), entry.get("value"), entry.get("max")))
    for entry in _entries(data, "params"):
        piece.params.append((text_of_value(entry.get("label")), text_of_value(entry.get("value"))))
    for entry in _entries(data, "faces"):
        piece.faces.append((text_of_value(entry.get("label")), text_of_value(entry.get("iconUrl"))))
    if number(data.get("initiative")) != 0 and data.get("initiative") is not None:
        piece.further.append(line_of("initiative", data["initiative"]))
    for key, value in data.items():
        if key not in PRESENTATION | READ and value not in (None, "", [], {}):
            piece.further.append(line_of(key, value))
    return piece


def from_udonarium(root: Element) -> Piece:
    """Return the piece in the XML of a Udonarium character."""
    piece = Piece(None, palette=root.findtext("chat-palette") or "")
    notes = []
    for data in root.iter("data"):
        label, value = data.get("name") or "", data.text or ""
        if len(data) or not value.strip():
            continue
        if label == "name" and piece.name is None:
            piece.name = value
        elif data.get("type") == "numberResource":
            if value.strip() not in NO_ANSWER:
                piece.status.append((label, data.get("currentValue"), value))
        elif data.get("type") == "note":
            notes.append(value)
        elif label == "PL":
            notes.insert(0, f"PL: {one_line(value)}")
        elif label == "URL":
            piece.url = one_line(value)
        elif label not in ("imageIdentifier", "size"):
            piece.params.append((label, value))
    piece.memo = "\n".join(notes)
    return piece


def _text(data: dict[str, Any], key: str) -> str:
    text = data.get(key)
    if text is not None and not isinstance(text, str):
        raise UnreadableSheet("wrong_type", what=key)
    return text or ""


def _entries(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = data.get(key)
    if entries is None:
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UnreadableSheet("wrong_type", what=key)
    return entries
