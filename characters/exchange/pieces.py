"""Pieces of other tools as uninterpreted data, and the names that other games give to HP, skills and items.

A piece has labels with values, a memo and a palette. Other games write these names as labels of a piece, or
as field names in the data of a sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from characters import rules
from characters.exchange import parsing
from characters.exchange.parsing import UnreadableSheet, fold_label, line_of, number, text_of_value
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
HIT_POINTS = {fold_label(label) for label in ("耐久力", "耐久値", "生命力", "体力", "Hit points", "Health")}
SKILL = "skill"
LABELS = {
    SKILL: "特技 技能 戦闘特技 スキル エフェクト 異能 魔法 呪文 忍法 skill skills feats spells proficiencies",
    "weapon": "武器 武装 weapon weapons arms",
    "armour": "防具 鎧 装甲 armour armor",
    "shield": "盾 shield",
    "tool": "道具 所持品 持ち物 携行品 装備 装備品 アイテム item items equipment inventory gear",
}
KINDS = {fold_label(label): kind for kind, labels in LABELS.items() for label in labels.split()}
#: Field names of ゆとシートⅡ and キャラクター保管所 for all their games.
FIELDS = [
    (
        re.compile(
            r"(?:skill|generalSkill|effect|spell|magic|art|arts|feat|ninpou|ability)\d+Name"
            r"|skill(?:Ride|Art|Know|Info)\d+Name|combatFeatsLv\d+\w{0,8}|TBAName"
            r"|(?:ippan)?skill_name|(?:easy)?effect_name|ginou_name|tokugi_name|spell_name|magic_name"
        ),
        SKILL,
    ),
    (re.compile(r"weapon\d*Name|armamentHand[RL]Name|arms_name|weapon_name|I[RL]_name"), "weapon"),
    (
        re.compile(
            r"armou?r\d*Name|defOther\d*Name|armament(?:Head|Body|Sub)Name|arm[eo]u?r\d?_name|I[HBS]_name"
        ),
        "armour",
    ),
    (re.compile(r"shield\d*Name|shield_name"), "shield"),
    (
        re.compile(r"(?:item|vehicle)\d*Name|accessory\w{0,12}Name|armamentOtherName|item_name|IA_name"),
        "tool",
    ),
]
SAYS_NOTHING = {"", "-", "―", "－", "なし", "none", *NO_ANSWER}
BETWEEN = re.compile(r"[、,，/／\n]")


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
    faces: list[tuple[str, str]] = field(default_factory=list)  #: labels and addresses of further pictures
    #: Kind and name of the items and skills that a sheet of another game has in its own fields.
    named: list[tuple[str, str]] = field(default_factory=list)

    @property
    def says_anything(self) -> bool:
        """True if there is any data besides the name."""
        texts = self.memo.strip() or self.palette.strip()
        return bool(texts or self.status or self.params or self.further or self.named)


def from_ccfolia(data: dict[str, Any]) -> Piece:
    """Return the piece in the ``data`` of CCFOLIA's clipboard JSON. Refusals: ``wrong_type``."""
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


def kind_of_field(key: str) -> str:
    """Return the kind of a field in another program's sheet: a kind of item, ``SKILL``, or ""."""
    return next((kind for pattern, kind in FIELDS if pattern.fullmatch(key)), "")


def kind_of_label(label: str) -> str:
    """Return the kind of a label on a piece: a kind of item, ``SKILL``, or ""."""
    return KINDS.get(fold_label(label).rstrip("0123456789"), "")


def fitting_names(parts: Iterable[str]) -> list[str]:
    """Return the parts that are names, cut to the length that a sheet allows."""
    found = (one_line(part).strip("・[]【】《》 ") for part in parts)
    return [name[: rules.NAME_LENGTH].strip() for name in found if name.casefold() not in SAYS_NOTHING]


def find_labelled_names(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield kind and name for each entry of lines such as ``武器：剣、弓``."""
    for line in lines:
        label, colon, value = line[: parsing.MEANT_AT_MOST * 2].replace("：", ":").partition(":")
        kind = kind_of_label(label.strip(" ・■◆●【】[]　")) if colon else ""
        for name in fitting_names(BETWEEN.split(value)) if kind else ():
            yield kind, name
