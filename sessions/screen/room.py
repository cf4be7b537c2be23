"""The session's regions round a table: the people here, the prepared things, and the chat.

Regions in ``PARTS`` show something of the reader's own seat; all others are rendered from ``room``, which
holds no secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from django.template.loader import render_to_string

from companion.pages.qr import qr_svg
from sessions.board_games import games
from sessions.card_table import checklists
from sessions.chat import messages
from sessions.evening import (
    care_signals,
    devices,
    handouts,
    invitation,
    limits,
    new_devices,
    prepared,
    presence,
    scenery,
    shared_clocks,
)
from sessions.models import Role, Seat, Session, Tab
from sessions.scenarios import sounds, staging
from sessions.screen import regions
from sessions.table import opening


def _limits(session: Session, seat: Seat | None) -> dict[str, Any]:
    told = limits.limits_context(session, leads=seat is not None and seat.is_gm)
    return told | {"warns": staging.warnings(session)}


#: The functions that return the values of regions which depend on the reader's seat (None: the table face).
#: All other regions of the session are rendered from ``room``.
PARTS: dict[str, Callable[[Session, Seat | None], dict[str, Any]]] = {
    "claims": devices.claims,
    "new_device": new_devices.question_context,
    "experience": checklists.own_part,
    "experience_call": checklists.call_part,
    "experience_gm": checklists.gm_part,
    "experience_open": checklists.open_part,
    "handouts": handouts.handouts_context,
    "write_to": handouts.write_to,
    "notice": handouts.notice,
    "scenery": scenery.scene_context,
    "clocks": shared_clocks.clocks_context,
    "rolled": messages.last_roll,
    "sound": sounds.sound_context,
    "scene_notes": prepared.notes_context,
    **dict.fromkeys(staging.DESK, staging.desk_context),
    "tabs": lambda session, seat: {"tabs": games.running_tables(session, seat)},
    **{f"chat_{tab}": partial(messages.tab_messages, tab) for tab in Tab},
    "chat_with": messages.desk,
    "speaker": messages.speaker,
    "care": care_signals.care_context,
    **dict.fromkeys(limits.LIMIT_PARTS, _limits),
}
#: While there are fewer players than this, the join card is the largest thing on the session's table face.
FEW = 3
#: The regions that show who is here.
PRESENCE = {"presence", "away", "left", "evening", "night", "night_gm"}
#: The regions of the person's own seat, also for a stand-in, who must not see the other person's whispers.
PERSONAL = {*(f"chat_{tab}" for tab in Tab), "chat_with", "new_device"}


def room(session: Session, origin: str) -> dict[str, Any]:
    """Return the values that every page of a session may show: how to join, and who is here. No secrets."""
    seats = session.sitters
    looks = presence.seat_presences(seat.pk for seat in seats)
    gm = next((seat for seat in seats if seat.is_gm), None)
    url = invitation.join_url(session, origin) if session.code else ""
    return {
        "session": session,
        "join_url": url,
        "address": invitation.address_to_type(origin),
        "qr": qr_svg(url) if url else "",
        "seats": [
            (seat, _visible_presence(seat, looks[seat.pk].state)) for seat in seats if not seat.removed_at
        ],
        "left": {seat.pk for seat in seats if looks[seat.pk].left or seat.stepped_out},
        "missed": {seat.pk for seat in seats if looks[seat.pk].missed},
        "removed": [seat for seat in seats if seat.removed_at],
        "missing": _missing(session),
        "few": len(session.players) < FEW,
        "gm_silence": looks[gm.pk].missed if gm else "",
        "gm_seat": gm,
        "seat_notes": session.seat_notes.all()[:8],
    }


def _visible_presence(seat: Seat, presence: str) -> str:
    """Return the presence that others see: a person who stepped out is away, though their phone is here."""
    return "away" if seat.stepped_out and presence == "here" else presence


def _missing(session: Session) -> list[str]:
    """Return the names of the campaign's regular players who have no seat in this session."""
    if session.is_free or session.trial:
        return []
    regulars = Seat.objects.filter(session__campaign=session.campaign_id, role=Role.PLAYER, removed_at=None)
    absent = regulars.exclude(session=session).exclude(person__seats__session=session)
    return sorted(set(absent.values_list("person__name", flat=True)))


def render_session_regions(
    layout: str,
    session: Session,
    seat: Seat | None,
    context: dict[str, Any],
    only: Collection[str] | None = None,
) -> dict[str, str]:
    """Render the regions of the session that a layout places.

    :param only: the wanted regions; None for all.
    """
    names = [name for name in regions.region_names(layout, "room") if only is None or name in only]
    drawn = {name: _part(name, context) for name in names if name not in PARTS}
    own = {**context, "session": session, "my_seat": seat}
    return drawn | render_own_parts(layout, names, own)


def render_own_parts(layout: str, names: Collection[str], context: dict[str, Any]) -> dict[str, str]:
    """Render those of the named regions in ``PARTS`` that the layout places.

    :param context: has ``my_seat``, the seat to render for, and ``own_seat``, the seat of the reader.
    """
    drawn = {}
    # Several regions show the same values.
    known: dict[Any, dict[str, Any]] = {}
    for name in regions.region_names(layout, "room"):
        if name in PARTS and name in names:
            reader = context.get("own_seat") if name in PERSONAL else context["my_seat"]
            asked = PARTS[name], reader
            if asked not in known:
                known[asked] = PARTS[name](context["session"], reader)
            drawn[name] = _part(name, {**context, "my_seat": reader, **known[asked]})
    return drawn


def players_by_ca(seats: list[tuple[Seat, str]]) -> list[tuple[Seat, str]]:
    """Return the players by CA: their order from the GM's left, except for ties. [UC-3.1]"""
    players = [(seat, here) for seat, here in seats if seat.role == Role.PLAYER]
    return sorted(players, key=lambda entry: opening.sheet(entry[0]).get("ca", 8))


def _part(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"sessions/_{name}.html", context).strip()
