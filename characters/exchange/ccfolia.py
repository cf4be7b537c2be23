"""Pieces of CCFOLIA ココフォリア in its clipboard's format, and the chat palette, which Udonarium shares.

A palette has one line per tap, ``{…}`` for a value of the sheet, and ``◆`` before each part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from characters.exchange.plain import PlainNpc, PlainSheet
from characters.exchange.wording import Wording, number_labels, one_line, without_controls

#: The most common difficulty. The palette has it as a variable, so that players change it in one place.
USUAL_DIFFICULTY = "2"
#: The signs of a palette line: heading, variable, status change, ``{value}``, dice.
SPOKEN = re.compile(
    r"^\s*(?:[◆■]|//|／／|[:：]\w+[-+=])|[{｛][^{}\"]{1,40}[}｝]|\b\d{0,3}[dDbB]\d{1,4}\b|\w<=\{?\w"
)
#: Colours of pieces by the first favoured suit; without one, CCFOLIA's own grey.
COLOURS = {"s": "#3b4a6b", "h": "#b82c1b", "d": "#c9762b", "c": "#2f6b4f"}
NO_COLOUR = "#888888"
BACKGROUND_IN_MEMO = 200


def palette_lines(sheet: PlainSheet, words: Wording) -> list[str]:
    """Return the chat lines for play. They only announce checks: other tools know no cards in hand."""
    checks, combat, resources = words.headings
    skills = [words.with_skill % {"name": one_line(name)} for name in sheet.skills]
    attacks = [
        words.attack % {"name": one_line(item.name), "value": item.value}
        for item in sheet.items
        if item.kind == "weapon"
    ]
    defences = [line for kind, line in words.defend.items() if sheet.values(kind)]
    fight = [combat, *attacks, *defences] if attacks or defences else []
    return [checks, *words.checks, *skills, *fight, resources, *words.resource_lines]


def is_palette(text: str) -> bool:
    """True for a chat palette: at least two lines, and at least half of all, match ``SPOKEN``."""
    written = [line for line in text.splitlines() if line.strip()]
    spoken = sum(bool(SPOKEN.search(line)) for line in written)
    return not text.startswith(("{", "[")) and spoken >= 2 and 2 * spoken >= len(written)


def usual_variables(words: Wording) -> list[tuple[str, str]]:
    """Return the one variable that is not from the sheet: the difficulty."""
    return [(words.difficulty, USUAL_DIFFICULTY)]


def abilities(sheet: PlainSheet, words: Wording) -> list[tuple[str, str]]:
    """Return label and value of the figures that rarely change. No label comes twice."""
    skills = [(f"{words.skill}{n}", one_line(name)) for n, name in enumerate(sheet.skills, 1)]
    weapons = number_labels(words.kinds["weapon"], sheet.values("weapon"))
    worn = [
        (words.kinds[kind], str(max(values)))
        for kind in ("armour", "shield")
        if (values := sheet.values(kind))
    ]
    suits = (words.suits, words.suits_in_symbols(sheet.suits))
    return [("CA", str(sheet.ca)), suits, *skills, *weapons, *worn]


def define_variables(pairs: list[tuple[str, str]]) -> list[str]:
    """Return definitions ``//name=value``."""
    return [f"//{label.replace(' ', '')}={value}" for label, value in pairs]


def palette_text(sheet: PlainSheet, words: Wording) -> str:
    """Return the palette as a file: chat lines, then variables. The other tool itself fills in ``{HP}``."""
    pairs = usual_variables(words) + abilities(sheet, words)
    return "\n".join([*palette_lines(sheet, words), *define_variables(pairs)]) + "\n"


def colour(suits: str) -> str:
    return COLOURS.get(suits[:1], NO_COLOUR)


def character_piece(
    sheet: PlainSheet,
    *,
    player: str,
    url: str,
    words: Wording,
    icon: str = "",
    faces: Iterable[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return the piece of a character.

    :param icon: the address of its picture; CCFOLIA shows only https ones.
    :param faces: labels and addresses of further pictures; a chat line that ends with ``@label`` selects one.
    """
    # The memo is a tooltip. A background that is too long for it stands whole in the palette.
    background = without_controls(sheet.background).strip()
    whole_story = [words.story, background] if len(background) > BACKGROUND_IN_MEMO else []
    pictures = [{"label": f"@{label}", "iconUrl": address} for label, address in faces]
    return _piece(
        sheet.name,
        sheet.suits,
        status=[("HP", sheet.hp, sheet.hp_max), (words.hand, sheet.hand_limit, sheet.hand_limit)],
        params=[*abilities(sheet, words), *usual_variables(words)],
        commands=[*palette_lines(sheet, words), *whole_story],
        memo="\n".join(memo(sheet, player=player, words=words)),
        externalUrl=url,
        **({"iconUrl": icon} if icon else {}),
        **({"faces": pictures} if pictures else {}),
    )


def npc_piece(npc: PlainNpc, words: Wording) -> dict[str, Any]:
    """Return the piece of an NPC, without a memo, as everybody in a room can read pieces."""
    stats = [(words.rank, npc.rank), (words.kinds["weapon"], npc.weapon), (words.kinds["armour"], npc.armour)]
    skills = [(f"{words.skill}{n}", one_line(skill)) for n, skill in enumerate(npc.skills, 1)]
    checks, _, resources = words.headings
    return _piece(
        npc.name,
        npc.suits,
        status=[("HP", npc.hp_max, npc.hp_max)],
        params=[
            (words.suits, words.suits_in_symbols(npc.suits)),
            *skills,
            *((label, str(value)) for label, value in stats if value),
            *usual_variables(words),
        ],
        commands=[checks, *words.checks, resources, *words.resource_lines],
        secret=npc.secret,
    )


def piece_text(piece: dict[str, Any]) -> str:
    return json.dumps(piece, ensure_ascii=False, separators=(",", ":"))


def memo(sheet: PlainSheet, *, player: str, words: Wording) -> list[str]:
    """Return the memo's lines: player, concept, suits, skills, items, and the beginning of the background."""
    said = [f"PL: {one_line(player)}"] if one_line(player) else []
    if one_line(sheet.concept):
        said.append(f"{words.concept}: {one_line(sheet.concept)}")
    said.append(f"{words.suits}: {words.suits_in_symbols(sheet.suits)}")
    if sheet.skills:
        said.append(f"{words.skills}: {words.comma.join(map(one_line, sheet.skills))}")
    if sheet.items:
        said += [f"{words.items}:", *item_lines(sheet, words)]
    background = without_controls(sheet.background).strip()
    more = "…" if len(background) > BACKGROUND_IN_MEMO else ""
    return [*said, "", background[:BACKGROUND_IN_MEMO] + more] if background else said


def item_lines(sheet: PlainSheet, words: Wording) -> list[str]:
    return [
        f"・{one_line(item.name)}（{words.kind(item.kind, special=item.special)} {item.value}）"
        for item in sheet.items
    ]


def _piece(
    name: str,
    suits: str,
    *,
    status: Iterable[tuple[str, int, int]],
    params: Iterable[tuple[str, str]],
    commands: Iterable[str],
    **fields: Any,
) -> dict[str, Any]:
    """Return a piece without position and owner, which CCFOLIA sets itself."""
    return {
        "kind": "character",
        "data": {
            "name": one_line(name),
            "memo": "",
            "initiative": 0,
            "externalUrl": "",
            "status": [{"label": label, "value": value, "max": most} for label, value, most in status],
            "params": [{"label": label, "value": value} for label, value in params],
            "width": 4,
            "height": 4,
            "angle": 0,
            "active": True,
            "secret": False,
            "invisible": False,
            "hideStatus": False,
            "color": colour(suits),
            "commands": "\n".join(commands),
            **fields,
        },
    }
