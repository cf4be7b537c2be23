"""Character sheets at the table: they become options, and changes of HP are written back to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sessions.game import Event, Json, Seat, Sheets

from .gm import RANKS
from .view import View


def names(view: View) -> dict[str, str]:
    """Return the names of characters by seat, and of NPCs by id."""
    characters = {seat: character.name for seat, character in view.characters.items()}
    return characters | {npc.id: npc.name for npc in view.npcs}


def _seat_of(events: Sequence[Event]) -> Seat:
    [seat] = [str(event.data["seat"]) for event in events if event.kind == "player_added"]
    return seat


def _find_checks(events: Sequence[Event]) -> list[Json]:
    called = [event.data for event in events if event.kind == "called" and event.data["label"]]
    said = ("label", "chain", "secret", "difficulty")
    return [
        {name: data[name] for name in said if data.get(name) is not None}
        | ({"contest": True} if data["kind"] == "contest" else {})
        for data in called
        if data["kind"] in ("check", "chain", "contest")
    ]


def _changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    changes = (event.data for event in events if event.kind == "hp_changed")
    return [change for change in changes if change["who"].startswith("p")]


def _options_without(options: Json, seat: Seat, name: str) -> Json:
    characters = options.get("characters", {})
    if seat not in characters:
        return options
    return options | {"characters": characters | {seat: _without(characters[seat], name)}}


def _without(sheet: Json, name: str) -> Json:
    """Return a sheet with its numbers, and with every text replaced by ``name``."""
    listed = {key: [item | {"name": name} for item in sheet.get(key, [])] for key in ("weapons", "tools")}
    words = {"name": name, "skills": [name for _ in sheet.get("skills", [])], **listed}
    return sheet | {key: value for key, value in words.items() if key in sheet}


sheets = Sheets(
    options=lambda sheets: {"characters": dict(sheets)},
    latecomer=lambda sheet: {"type": "add_player", "character": sheet},
    seat_of=_seat_of,
    characters=lambda view: view.characters,
    npcs=lambda view: {npc.id: npc for npc in view.npcs},
    npcs_added=lambda events: [event.data["npc"] for event in events if event.kind == "npc_added"],
    checks_called=_find_checks,
    suits_drawn=lambda rank: RANKS[rank].suits,
    set_hp=lambda who, hp, by: {"type": "set_hp", "who": who, "hp": hp, "by": by},
    after=lambda events: {change["who"]: {"hp": change["hp"]} for change in _changes(events)},
    before=lambda events: {change["who"]: {"hp": change["was"]} for change in reversed(_changes(events))},
    options_without=_options_without,
    latecomer_without=lambda move, name: move | {"character": _without(move["character"], name)},
)
