"""The part of the contract for games that are played with character sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .vocabulary import Event, Json, Seat


@dataclass(frozen=True, kw_only=True)
class Sheets:
    """Functions that bring character sheets to a table, and write changes at the table back to the sheets.

    Moves are JSON, so that the module's decoder checks them: their names and numbers are user input.
    """

    #: The options of a table for these sheets.
    options: Callable[[Mapping[Seat, Json]], Json]
    #: The GM's move that seats a latecomer with a sheet.
    latecomer: Callable[[Json], Json]
    #: The seat that the events of such a move name. Raises ValueError if they seat no latecomer.
    seat_of: Callable[[Sequence[Event]], Seat]
    #: The characters of a view by seat. Each has a name, ``hp`` and ``hp_max``.
    characters: Callable[[Any], dict[Seat, Any]]
    #: The NPCs of a view by id, with the same fields.
    npcs: Callable[[Any], dict[str, Any]]
    #: The ids of the NPCs that these events added.
    npcs_added: Callable[[Sequence[Event]], list[str]]
    #: The number of favoured suits that the table chooses at random for an NPC of this rank.
    suits_drawn: Callable[[int], int]
    #: The GM's move that sets the HP of a figure; a seat is given if its player entered it for the GM.
    set_hp: Callable[[str, int, Seat | None], Json]
    #: By seat, the fields of a sheet that these events changed, with their values afterwards.
    after: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: The same fields, with their values before the events.
    before: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: The options with all texts of a seat's sheet replaced by a name.
    options_without: Callable[[Json, Seat, str], Json]
    #: A latecomer's move with all texts of its sheet replaced by a name.
    latecomer_without: Callable[[Json, str], Json]
    #: The GM's checks among these events, each with ``label`` and ``chain``, and with ``difficulty`` and
    #: ``secret`` if the event has them.
    checks_called: Callable[[Sequence[Event]], list[Json]] = lambda events: []
