"""What a campaign may change of the rules: the ladder, the jokers, and figures that no table holds.

The ladder and the jokers are options of a table and fixed when it opens. What experience gives and costs, and
what the ranks of NPCs stand for, count as they are now.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from characters.models import NpcRank
from characters.rules import DEFAULT_FIGURES, SUITS_AT_MOST, ExperienceFigures
from sessions.engine.contract import Module
from sessions.engine.shelf import shelf
from sessions.models import Campaign

#: The game whose house rules these are.
GAME = "uroboros"

Cost = Annotated[int, Meta(ge=1, le=99)]
Gear = Annotated[int, Meta(ge=0, le=8)]


class Experience(Struct, frozen=True, forbid_unknown_fields=True):
    """What a ticked line gives and what points buy, as a campaign stores it. [UC-11.2]"""

    points_a_line: Annotated[int, Meta(ge=0, le=99)]
    hp_max_cost: Cost
    skill_cost: Cost
    suit_cost: Cost
    suits_at_most: Annotated[int, Meta(ge=0, le=SUITS_AT_MOST)]


class NpcFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """What an NPC of a rank has unless the GM says else, as a campaign stores it. [UC-10.4]"""

    hp: Annotated[int, Meta(ge=1, le=99)]
    skills: Annotated[int, Meta(ge=0, le=20)]
    suits: Annotated[int, Meta(ge=0, le=SUITS_AT_MOST)]
    weapon: Gear
    armour: Gear


class Figures(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in ``Campaign.figures``; what is left out is as the rules have it."""

    experience: Experience | None = None
    npcs: dict[Literal["1", "2", "3", "4", "5", "6"], NpcFigures] = {}


@dataclass(frozen=True)
class Rank:
    """A rank of NPCs as it is in a campaign."""

    rank: int
    name: str
    text: str
    figures: NpcFigures
    standard: NpcFigures

    @property
    def is_changed(self) -> bool:
        """Whether the campaign has figures of its own for this rank."""
        return self.figures != self.standard


def experience_figures(campaign: Campaign | None) -> ExperienceFigures:
    """Return what experience gives and costs in a campaign; without one, as the rules have it. [UC-11.2]"""
    own = _figures(campaign).experience
    return ExperienceFigures(**msgspec.structs.asdict(own)) if own else DEFAULT_FIGURES


def npc_figures(campaign: Campaign | None) -> list[Rank]:
    """Return the ranks of NPCs as a campaign has them; without one, as the rules have them. [UC-10.4]"""
    own = _figures(campaign).npcs
    ranks = []
    for row in NpcRank.objects.all():
        standard = NpcFigures(row.hp, row.skills, row.suits, row.weapon, row.armour)
        figures = own.get(str(row.rank), standard)  # type: ignore[call-overload]
        ranks.append(Rank(row.rank, row.name, row.text, figures, standard))
    return ranks


def table_options(campaign: Campaign | None, module: Module[Any, Any]) -> Any:
    """Return the options that a table of a game would open with, without characters.

    House rules that are none count as the rules' own here; opening a table refuses them.
    """
    own = {"jokers": campaign.jokers, "ladder": campaign.ladder} if campaign else {}
    known = {field.name for field in msgspec.structs.fields(module.options)}
    try:
        return read_options(
            {name: value for name, value in own.items() if value is not None and name in known}, module
        )
    except msgspec.ValidationError:
        return module.options()


def read_options(options: dict[str, Any], module: Module[Any, Any]) -> Any:
    """Return a table's options as the game's own type.

    :raises msgspec.ValidationError:
    """
    return msgspec.convert(options, module.options)


def _figures(campaign: Campaign | None) -> Figures:
    try:
        return msgspec.convert(campaign.figures if campaign else {}, Figures)
    except msgspec.ValidationError:
        return Figures()
