"""Character sheets at the table: they become options, and changes of HP are written back to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sessions.game import Event, Json, Seat, Sheets

from .gm import RANKS
from .view import CharacterView, NpcView, View


def names(view: View) -> dict[str, str]:
    """Return the names of characters by seat, and of NPCs by id."""
    characters = {seat: character.name for seat, character in view.characters.items()}
    return characters | {npc.id: npc.name for npc in view.npcs}


def _options(sheets: Mapping[Seat, Json]) -> Json:
    return {"characters": dict(sheets)}


def _latecomer(sheet: Json) -> Json:
    return {"type": "add_player", "character": sheet}


def _seat_of(events: Sequence[Event]) -> Seat:
    [seat] = [str(event.data["seat"]) for event in events if event.kind == "player_added"]
    return seat


def _characters(view: View) -> dict[Seat, CharacterView]:
    return view.characters


def _npcs(view: View) -> dict[str, NpcView]:
    return {npc.id: npc for npc in view.npcs}


def _new_npc_ids(events: Sequence[Event]) -> list[str]:
    return [event.data["npc"] for event in events if event.kind == "npc_added"]


def _find_checks(events: Sequence[Event]) -> list[Json]:
    called = [
        event.data for event in events if event.kind == "called" and event.data["kind"] in ("check", "chain")
    ]
    said = ("label", "chain", "secret", "difficulty")
    return [
        {name: data[name] for name in said if data.get(name) is not None} for data in called if data["label"]
    ]


def _suits_drawn(rank: int) -> int:
    return RANKS[rank].suits


def _set_hp(who: str, hp: int, by: Seat | None) -> Json:
    return {"type": "set_hp", "who": who, "hp": hp, "by": by}


def _after(events: Sequence[Event]) -> dict[Seat, Json]:
    return {change["who"]: {"hp": change["hp"]} for change in _changes(events)}


def _before(events: Sequence[Event]) -> dict[Seat, Json]:
    return {change["who"]: {"hp": change["was"]} for change in reversed(_changes(events))}


def _changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the changes of characters' HP among these events."""
    changes = (event.data for event in events if event.kind == "hp_changed")
    return [change for change in changes if change["who"].startswith("p")]


def _options_without(options: Json, seat: Seat, name: str) -> Json:
    characters = options.get("characters", {})
    if seat not in characters:
        return options
    return options | {"characters": characters | {seat: _without(characters[seat], name)}}


def _latecomer_without(move: Json, name: str) -> Json:
    return move | {"character": _without(move["character"], name)}


def _without(sheet: Json, name: str) -> Json:
    """Return a sheet with its numbers, and with every text replaced by ``name``."""
    listed = {key: [item | {"name": name} for item in sheet.get(key, [])] for key in ("weapons", "tools")}
    words = {"name": name, "skills": [name for _ in sheet.get("skills", [])], **listed}
    return sheet | {key: value for key, value in words.items() if key in sheet}


sheets = Sheets(
    options=_options,
    latecomer=_latecomer,
    seat_of=_seat_of,
    characters=_characters,
    npcs=_npcs,
    npcs_added=_new_npc_ids,
    checks_called=_find_checks,
    suits_drawn=_suits_drawn,
    set_hp=_set_hp,
    after=_after,
    before=_before,
    options_without=_options_without,
    latecomer_without=_latecomer_without,
)
