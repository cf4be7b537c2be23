"""The game of the card table, and a campaign's house rules for it.

The house rules are the ladder, the jokers, the undo window, and values and words outside the tables. The
ladder and the jokers are options of a table and fixed when it opens. The values of experience and of NPC
ranks, and the words of item values and of the checklist, always apply in their current form. Rules that
the campaign does not change are not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from django.db import transaction
from msgspec import Meta, Struct

from characters.models import NpcRank
from characters.reference import OwnWords, experience_lines, item_powers
from characters.rules import DEFAULT_RATES, SUITS_AT_MOST, ExperienceRates
from sessions.engine.registry import registry
from sessions.evening.refusals import Refused
from sessions.game import AnyModule
from sessions.models import Campaign

Cost = Annotated[int, Meta(ge=1, le=99)]
Gear = Annotated[int, Meta(ge=0, le=8)]
T = TypeVar("T")


def card_game() -> AnyModule:
    return next(module for module in registry().values() if module.gm and module.sheets)


class Experience(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a ticked line and the prices of purchases, as a campaign stores them. [UC-11.2]"""

    points_a_line: Annotated[int, Meta(ge=0, le=99)]
    hp_max_cost: Cost
    skill_cost: Cost
    suit_cost: Cost
    suits_at_most: Annotated[int, Meta(ge=0, le=SUITS_AT_MOST)]


class RankStats(Struct, frozen=True, forbid_unknown_fields=True):
    """The default stats of the NPCs of a rank, as a campaign stores them. [UC-10.4]"""

    hp: Annotated[int, Meta(ge=1, le=99)]
    skills: Annotated[int, Meta(ge=0, le=20)]
    suits: Annotated[int, Meta(ge=0, le=SUITS_AT_MOST)]
    weapon: Gear
    armour: Gear


RankNumber = Literal["1", "2", "3", "4", "5", "6"]


class HouseValues(OwnWords, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The value of ``Campaign.house_values``; the standard rules apply for a part that is left out."""

    experience: Experience | None = None
    npcs: dict[RankNumber, RankStats] = {}


#: The types that are decoded from campaigns and forms, for engine/registry.py.
READ = (HouseValues, OwnWords, Experience, dict[RankNumber, RankStats])


@dataclass(frozen=True)
class Rank:
    """A rank of NPCs, with its stats in a campaign and the standard ones."""

    rank: int
    name: str
    text: str
    stats: RankStats
    standard: RankStats

    @property
    def has_own_stats(self) -> bool:
        return self.stats != self.standard


def experience_rates(campaign: Campaign | None) -> ExperienceRates:
    """Return the rates of a campaign; without one, the standard rates. [UC-11.2]"""
    own = _house_values(campaign).experience
    return ExperienceRates(**msgspec.structs.asdict(own)) if own else DEFAULT_RATES


def npc_ranks(campaign: Campaign | None) -> list[Rank]:
    """Return the ranks of NPCs with a campaign's stats; without one, with the standard stats. [UC-10.4]"""
    own = _house_values(campaign).npcs
    ranks = []
    for row in NpcRank.objects.all():
        standard = RankStats(row.hp, row.skills, row.suits, row.weapon, row.armour)
        stats = own.get(str(row.rank), standard)  # type: ignore[call-overload]
        ranks.append(Rank(row.rank, row.name, row.text, stats, standard))
    return ranks


def words(campaign: Campaign | None) -> OwnWords:
    """Return the words with which a campaign replaces the standard ones. [UC-7.1, UC-11.1]"""
    return _house_values(campaign)


def table_options(campaign: Campaign | None, module: AnyModule) -> Any:
    """Return the options that a table of a game would open with, without characters.

    Invalid house rules give the game's own options here; opening a table refuses them.
    """
    own = {"jokers": campaign.jokers, "ladder": campaign.ladder} if campaign else {}
    known = {field.name for field in msgspec.structs.fields(module.options)}
    try:
        return read_options(
            {name: value for name, value in own.items() if value is not None and name in known}, module
        )
    except msgspec.ValidationError:
        return module.options()


def ladder(campaign: Campaign | None) -> list[dict[str, Any]]:
    """Return the six rows of the ladder in a campaign; without one, of the standard ladder. [UC-4.2]"""
    rows = table_options(campaign, card_game()).ladder
    return [msgspec.structs.asdict(row) for row in rows]


def changed_parts(campaign: Campaign) -> list[str]:
    """Return the parts that a campaign changed: jokers, ladder, experience, npcs, powers, lines, grace."""
    own, standard = _house_values(campaign), _standard()
    changed = {
        "jokers": campaign.jokers != standard.jokers,
        "ladder": ladder(campaign) != ladder(None),
        "experience": own.experience,
        "npcs": own.npcs,
        "powers": own.powers,
        "lines": own.lines,
        "grace": not campaign.grace,
    }
    return [part for part, is_changed in changed.items() if is_changed]


def set_ladder(*, campaign: Campaign, rows: list[dict[str, Any]]) -> None:
    """Change the ladder of the tables that open from now on. [UC-4.2]

    :raises Refused: ``bad_options``: a table would refuse these rows.
    """
    checked: Any = _convert_or_refuse({"ladder": rows}, card_game().options)
    own = None if checked.ladder == _standard().ladder else msgspec.to_builtins(checked.ladder)
    Campaign.objects.filter(pk=campaign.pk).update(ladder=own)


def set_experience(*, campaign: Campaign, rates: dict[str, Any]) -> None:
    """Change the rates of experience. [UC-11.2]

    :raises Refused: ``bad_options``.
    """
    own = _convert_or_refuse(rates, Experience)
    _store(campaign, experience=None if msgspec.to_builtins(own) == asdict(DEFAULT_RATES) else own)


def set_npcs(*, campaign: Campaign, stats: dict[int, dict[str, Any]]) -> None:
    """Change the stats of the ranks of NPCs. [UC-10.4]

    :raises Refused: ``bad_options``.
    """
    own = _convert_or_refuse({str(rank): row for rank, row in stats.items()}, dict[RankNumber, RankStats])
    standard = {str(rank.rank): rank.standard for rank in npc_ranks(None)}
    _store(campaign, npcs={rank: row for rank, row in own.items() if row != standard[rank]})


def set_words(*, campaign: Campaign, part: Literal["powers", "lines"], texts: list[str]) -> None:
    """Change the examples of item values, or the lines of the checklist. [UC-7.1, UC-11.1]

    :param texts: one for each row, in order. An empty text, or the standard text of any language, stands for
        the standard text.
    :raises Refused: ``bad_options``.
    """
    rows: Sequence[Any] = item_powers() if part == "powers" else experience_lines()
    given = zip(rows, texts, strict=True)
    own = {row.key: text for row, text in given if text and text not in row.texts.values()}
    _store(campaign, **{part: getattr(_convert_or_refuse({part: own}, OwnWords), part)})


def set_undo_window(*, campaign: Campaign, on: bool) -> None:
    """Turn the undo window (table/undo_window.py) on or off, from the next play on."""
    Campaign.objects.filter(pk=campaign.pk).update(grace=on)


def reset(*, campaign: Campaign, part: str) -> None:
    """Reset "ladder", "grace", or a part of ``HouseValues``, to the standard rules."""
    if part == "ladder":
        Campaign.objects.filter(pk=campaign.pk).update(ladder=None)
    elif part == "grace":
        set_undo_window(campaign=campaign, on=True)
    else:
        _store(campaign, **{part: getattr(HouseValues(), part)})


def _standard() -> Any:
    return card_game().options()


@transaction.atomic
def _store(campaign: Campaign, **parts: Any) -> None:
    """Change parts of ``house_values``; the lock keeps concurrent changes of other parts."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    locked.house_values = msgspec.to_builtins(msgspec.structs.replace(_house_values(locked), **parts))
    locked.save(update_fields=["house_values"])


def _convert_or_refuse(data: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as problem:
        raise Refused("bad_options", problem=str(problem)) from None


def read_options(options: dict[str, Any], module: AnyModule) -> Any:
    """Return a table's options as the game's own type.

    :raises msgspec.ValidationError: they are not valid for this game.
    """
    return msgspec.convert(options, module.options)


def _house_values(campaign: Campaign | None) -> HouseValues:
    try:
        return msgspec.convert(campaign.house_values if campaign else {}, HouseValues)
    except msgspec.ValidationError:
        return HouseValues()
