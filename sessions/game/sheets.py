"""What a game says that is played with character sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .vocabulary import Event, Json, Seat


@dataclass(frozen=True, kw_only=True)
class Sheets:
    """The ways in which character sheets come to a table, and in which the table writes back on them.

    Moves are given as JSON, for the module's decoder to check: a name or a number may come from anywhere.
    """

    #: The options of a table for these sheets.
    options: Callable[[Mapping[Seat, Json]], Json]
    #: The GM's move that seats a latecomer with a sheet.
    latecomer: Callable[[Json], Json]
    #: The seat that the events of such a move name; ValueError: they seat nobody.
    seat_of: Callable[[Sequence[Event]], Seat]
    #: The characters of a view by seat. Each has a name, ``hp`` and ``hp_max``.
    characters: Callable[[Any], dict[Seat, Any]]
    #: The NPCs of a view by id, with the same.
    npcs: Callable[[Any], dict[str, Any]]
    #: The ids of the NPCs that came by these events.
    npcs_added: Callable[[Sequence[Event]], list[str]]
    #: The number of favoured suits that the table itself draws for an NPC of a rank.
    suits_drawn: Callable[[int], int]
    #: The GM's move that sets the HP of a figure, maybe for the player who wrote it down.
    set_hp: Callable[[str, int, Seat | None], Json]
    #: By seat, the fields of a sheet as they are after these events.
    after: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: The same, as they were before them.
    before: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: Options in which a name stands for all that a player wrote on their sheet.
    options_without: Callable[[Json, Seat, str], Json]
    #: A latecomer's move in which it does.
    latecomer_without: Callable[[Json, str], Json]
    #: The GM's checks among these events, each with ``label``, ``chain``, and, as far as it is told,
    #: ``difficulty`` and ``secret``.
    checks_called: Callable[[Sequence[Event]], list[Json]] = lambda events: []
