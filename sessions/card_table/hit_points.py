"""The values that messages read and change: at the running card table, else on the character sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from characters.models import Character
from characters.rules import SheetRefused
from characters.services import sheets
from companion.figures import npc_name
from companion.names import label_key, name_key
from sessions import access
from sessions.card_table import gm_moves
from sessions.card_table.gm_moves import HitPointChange
from sessions.card_table.house_rules import card_game
from sessions.evening.refusals import Refused
from sessions.game import IllegalMove
from sessions.models import Role, Seat, Session, Table
from sessions.table import seat_view


def message_values(seat: Seat) -> dict[str, str]:
    """Return the values for ``{HP}`` and the like in a message of this seat, by ``label_key``."""
    key, view = _key_and_view(seat)
    if figure := view.characters.get(key) if view else None:
        found = {
            "名前": figure.name,
            "HP": figure.hp,
            "HP^": figure.hp_max,
            "CA": figure.ca,
            "手札": figure.hand_count,
        }
    elif sheet := seat.character:
        found = {"名前": sheet.name, "HP": sheet.hp, "HP^": sheet.hp_max, "CA": sheet.ca}
    else:
        found = {"名前": seat.name}
    english = {"name": "名前", "hand": "手札"}
    found |= {word: found[label] for word, label in english.items() if label in found}
    return {label_key(label): str(value) for label, value in found.items()}


def npc_names(session: Session) -> list[str]:
    """Return the names of the NPCs at the running card table, which the GM may speak as."""
    table = next((table for table in reversed(session.running) if table.module == card_game().key), None)
    return [npc_name(npc.name) for npc in seat_view.seat_view(table, "gm").view.npcs] if table else []


def running_card_table(session: Session) -> Table | None:
    return session.tables.filter(module=card_game().key, ended_at=None).order_by("pk").last()


def write_hp(*, writer: Seat, whom: str, change: Callable[[int], int]) -> HitPointChange:
    """Change HP by a message: the writer's own, or any HP for the seat that runs the session.

    Call this inside a transaction.

    :param whom: a name; empty for the writer's own HP.
    :raises Refused: ``hp_not_yours``, ``hp_of_whom``, ``hp_of_nobody``, ``hp_of_several``, ``hp_hidden``,
        ``hp_above_max``, ``hp_out_of_range``, ``hp_without_character``, ``session_over``, ``not_now``.
    """
    runs = access.runs_session(writer)
    if not runs and not writer.session.players_write_hp:
        raise Refused("hp_not_yours")
    if writer.is_gm and not whom:
        raise Refused("hp_of_whom")
    seat, key = _find_target(writer, whom, runs=runs) if whom else (writer, _key_and_view(writer)[0])
    table = running_card_table(writer.session)
    if table is None or key is None:
        return _on_sheet(seat, change)
    by = None if runs else key
    try:
        return gm_moves.set_figure_hp(table_pk=table.pk, who=key, change=change, by=by)
    except IllegalMove as refusal:
        raise _session_refusal(refusal) from None


def _find_target(writer: Seat, whom: str, *, runs: bool) -> tuple[Seat | None, str | None]:
    """Return the seat and the table's key that a name refers to; a player may only name themselves.

    :param runs: True if the writer runs the session.
    """
    wanted = name_key(whom)
    seats = [
        seat
        for seat in writer.session.seats.filter(removed_at=None, role=Role.PLAYER).select_related("character")
        if wanted in {name_key(seat.name), name_key(seat.character.name) if seat.character else ""}
    ]
    if not runs:
        if [seat.pk for seat in seats] != [writer.pk]:
            raise Refused("hp_not_yours")
        return writer, _key_and_view(writer)[0]
    view = _key_and_view(writer)[1]
    # An NPC's name as its table stores it, and as the writer reads it.
    npcs = [
        npc
        for npc in (view.npcs if view else ())
        if wanted in {name_key(npc.name), name_key(npc_name(npc.name))}
    ]
    if len(seats) + len(npcs) != 1:
        raise Refused("hp_of_several" if seats or npcs else "hp_of_nobody", name=whom)
    if npcs:
        if npcs[0].gear.hidden:
            raise Refused("hp_hidden", name=npcs[0].name)
        return None, npcs[0].id
    return seats[0], _key_and_view(seats[0])[0]


def _key_and_view(seat: Seat) -> tuple[str | None, Any]:
    """Return the seat's key at the running card table, and the GM's view of that table."""
    table = running_card_table(seat.session)
    if table is None:
        return None, None
    sits = table.sitter(seat)
    return sits.key if sits else None, seat_view.seat_view(table, "gm").view


def _on_sheet(seat: Seat | None, change: Callable[[int], int]) -> HitPointChange:
    if seat is None or seat.character_id is None:
        raise Refused("hp_without_character")
    sheet = Character.objects.select_for_update().get(pk=seat.character_id)
    was, now = sheet.hp, change(sheet.hp)
    if now > sheet.hp_max:
        raise Refused("hp_above_max", most=sheet.hp_max)
    try:
        sheets.set_hp(character=sheet, hp=now)
    except SheetRefused:
        raise Refused("hp_out_of_range") from None
    return HitPointChange(sheet.name, was, now)


def _session_refusal(refusal: IllegalMove) -> Refused:
    match refusal.code:
        case "above_hp_max":
            return Refused("hp_above_max", most=refusal.details["hp_max"])
        case "malformed_move":
            return Refused("hp_out_of_range")
        case "session_over" | "game_over":
            return Refused("session_over")
    return Refused("not_now")
