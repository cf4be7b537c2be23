"""Names for HP, skills and items in other games: labels on pieces, and field names of sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from characters import rules
from characters.exchange.parsing import MEANT_AT_MOST, fold_label
from characters.exchange.pieces import NO_ANSWER
from characters.exchange.wording import one_line

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
        label, colon, value = line[: MEANT_AT_MOST * 2].replace("：", ":").partition(":")
        kind = kind_of_label(label.strip(" ・■◆●【】[]　")) if colon else ""
        for name in fitting_names(BETWEEN.split(value)) if kind else ():
            yield kind, name
