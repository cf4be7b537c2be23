"""The labels of pieces, in each language in which tables write them.

They are not gettext messages, since importing a piece needs the labels of both languages at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from companion import names
from companion.wording import pick_translation

SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True)
class Wording:
    """The labels of one language. Other tools replace ``{…}`` in palette lines with values of the sheet."""

    hand: str
    suits: str
    skill: str
    skills: str
    items: str
    kinds: dict[str, str]
    special: str
    rank: str
    difficulty: str
    none: str
    comma: str
    resources: str
    abilities: str
    information: str
    note: str
    palette: str
    headings: tuple[str, str, str]
    checks: tuple[str, ...]
    with_skill: str
    attack: str
    defend: dict[str, str]
    resource_lines: tuple[str, ...]
    concept: str
    story: str
    nameless: str

    def suits_in_symbols(self, suits: str) -> str:
        """Return favoured suits as symbols, or the word for none."""
        return "".join(SYMBOLS[suit] for suit in suits) or self.none

    def kind(self, kind: str, *, special: bool) -> str:
        return self.special.format(kind=self.kinds[kind]) if special else self.kinds[kind]


JAPANESE = Wording(
    hand="手札",
    suits="得意スート",
    skill="特技",
    skills="特技",
    items="アイテム",
    kinds={"tool": "道具", "weapon": "武器", "armour": "防具", "shield": "盾"},
    special="特別な{kind}",
    rank="ランク",
    difficulty="難易度",
    none="なし",
    comma="、",
    resources="リソース",
    abilities="能力",
    information="情報",
    note="説明",
    palette="チャットパレット",
    headings=("◆判定", "◆戦闘", "◆HP"),
    checks=(
        "難易度{難易度}の判定を行う",
        "難易度{難易度}の山引判定を行う",
        "援護する",
        "割り込む",
        "様子を見る",
    ),
    with_skill="特技「%(name)s」で難易度{難易度}の判定を行う",
    attack="%(name)s（武器%(value)s）で攻撃する",
    defend={"armour": "防具{防具}で防御する", "shield": "盾{盾}で防御する"},
    resource_lines=(":HP-1 ダメージ", ":HP+1 回復", "残りHPは{HP}"),
    concept="コンセプト",
    story="◆背景",
    nameless="名前のないキャラクター",
)

ENGLISH = Wording(
    hand="Hand",
    suits="Favoured suits",
    skill="Skill",
    skills="Skills",
    items="Items",
    kinds={"tool": "Tool", "weapon": "Weapon", "armour": "Armour", "shield": "Shield"},
    special="Special {kind}",
    rank="Rank",
    difficulty="Difficulty",
    none="none",
    comma=", ",
    resources="Resources",
    abilities="Abilities",
    information="Information",
    note="Notes",
    palette="Chat palette",
    headings=("◆Checks", "◆Combat", "◆HP"),
    checks=(
        "A check against difficulty {Difficulty}",
        "A check from the deck against difficulty {Difficulty}",
        "I support",
        "I interrupt",
        "I wait and see",
    ),
    with_skill="A check against difficulty {Difficulty} with the skill %(name)s",
    attack="I attack with %(name)s (weapon %(value)s)",
    defend={"armour": "I defend with armour {Armour}", "shield": "I defend with a shield {Shield}"},
    resource_lines=(":HP-1 damage", ":HP+1 healed", "{HP} HP left"),
    concept="Concept",
    story="◆Background",
    nameless="Nameless character",
)

WORDINGS = {"ja": JAPANESE, "en": ENGLISH}


def wording(language: str | None) -> Wording:
    """Return the labels for a language, or those of its fallback."""
    return pick_translation(WORDINGS, language)


#: All line breaks, including the soft break of word processors, page breaks, and those of Unicode.
LINE_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def without_controls(text: str) -> str:
    """Remove control characters. Line breaks become ``\\n``, and tabs stay."""
    text = LINE_BREAK.sub("\n", text)
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs"))


def one_line(text: str) -> str:
    """Return text as one line without invisible characters."""
    return names.clean(text)


def number_labels(label: str, values: Iterable[object]) -> list[tuple[str, str]]:
    """Return ``label``, ``label2``, … with these values."""
    return [(label + (str(n) if n > 1 else ""), str(value)) for n, value in enumerate(values, 1)]
