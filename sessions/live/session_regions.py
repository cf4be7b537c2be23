"""The session's regions round a table: the people here, the prepared things, and the chat.

Regions in ``PARTS`` show something of the reader's own seat; all others are rendered from
``session_context``, which holds no secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string

from companion.pages.reach import qr_svg
from sessions.board_games import games
from sessions.card_table import checklists
from sessions.chat import messages
from sessions.evening import devices, handouts, nights, preparation, presence, safety, shared_clocks
from sessions.live import regions
from sessions.models import Role, Seat, Session, Tab, Table, TableSeat
from sessions.scenarios import editing, staging
from sessions.table import opening

#: The functions that return the values of regions which depend on the reader's seat (None: the table face).
#: All other regions of the session are rendered from ``session_context``.
PARTS: dict[str, Callable[[Session, Seat | None], dict[str, Any]]] = {
    "claims": devices.claims_context,
    "new_device": devices.question_context,
    "experience": checklists.own_part,
    "experience_call": checklists.call_part,
    "experience_gm": checklists.gm_part,
    "experience_open": checklists.open_part,
    "handouts": handouts.handouts_context,
    "write_to": handouts.receivers_context,
    "notice": handouts.notice_context,
    "unread": handouts.unread_context,
    "scenery": preparation.scene_context,
    "clocks": shared_clocks.clocks_context,
    "rolled": messages.last_roll_context,
    "sound": editing.sound_context,
    "scene_notes": preparation.notes_context,
    **dict.fromkeys(staging.DESK, staging.desk_context),
    "tabs": lambda session, seat: {"tabs": games.running_tables(session, seat)},
    **{f"chat_{tab}": partial(messages.tab_messages, tab) for tab in Tab},
    "chat_with": messages.desk,
    "speaker": messages.speaker_context,
    "care": safety.care_context,
    **dict.fromkeys(
        safety.LIMIT_PARTS,
        lambda session, seat: (
            safety.limits_context(session, leads=seat is not None and seat.is_gm)
            | {"warns": staging.content_warnings(session)}
        ),
    ),
}

#: A region without contents: for the styles only one without white space is ``:empty``.
EMPTY = re.compile(r"(<[^<]*>)\s+(</\w+>)\Z")

#: While there are fewer players than this, the join card is the largest thing on the session's table face.
FEW = 3

#: The regions that show who is here.
PRESENCE = {"presence", "away", "left", "evening", "night", "night_gm"}

#: The regions of the person's own seat, also for a stand-in, who must not see the other person's whispers.
PERSONAL = {*(f"chat_{tab}" for tab in Tab), "chat_with", "new_device"}


class SharedRows:
    """The tables and sessions of pages that are rendered in one turn: each is read once.

    The rows that are the same for all readers are read once with their session (``Session.read_once``).
    """

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}
        self._sessions: dict[int, Session] = {}

    def table(self, pk: int) -> Table:
        if pk not in self._tables:
            table = self._tables[pk] = self._read_table(pk)
            table.sitters = [sits for sits in TableSeat.of_session(table.session) if sits.table_id == pk]
            for sits in table.sitters:
                sits.table = table
        return self._tables[pk]

    @staticmethod
    def _read_table(pk: int) -> Table:
        """Read a table and its session, with the session's running tables by the same query."""
        beside = Q(ended_at=None, session__in=Table.objects.filter(pk=pk).values("session"))
        rows = Table.objects.filter(Q(pk=pk) | beside).select_related("session__campaign")
        found = list(rows.order_by("pk"))
        table = next((one for one in found if one.pk == pk), None)
        if table is None:
            raise Http404
        for one in found:
            one.session = table.session
        table.session.running = [one for one in found if one.ended_at is None]
        return table

    def session(self, pk: int) -> Session:
        if pk not in self._sessions:
            self._sessions[pk] = get_object_or_404(Session.objects.select_related("campaign"), pk=pk)
        return self._sessions[pk]


def session_context(session: Session, origin: str) -> dict[str, Any]:
    """Return the values that every page of a session may show: how to join, and who is here. No secrets."""
    seats = session.sitters
    states = presence.seat_presences(seat.pk for seat in seats)
    gm = next((seat for seat in seats if seat.is_gm), None)
    url = nights.join_url(session, origin) if session.code else ""
    return {
        "session": session,
        "join_url": url,
        "address": nights.address_to_type(origin),
        "qr": qr_svg(url) if url else "",
        "seats": [
            (seat, _shown_state(session, seat, states[seat.pk].state))
            for seat in seats
            if not seat.removed_at
        ],
        "left": {seat.pk for seat in seats if states[seat.pk].left or seat.stepped_out},
        "missed": {seat.pk for seat in seats if states[seat.pk].missed},
        "removed": [seat for seat in seats if seat.removed_at],
        # A callable: the names are read only where a template shows them.
        "missing": lambda: session.read_once("missing", lambda: _missing(session)),
        "few": len(session.players) < FEW,
        "gm_silence": states[gm.pk].missed if gm else "",
        "gm_seat": gm,
        "seat_notes": session.seat_notes.all()[:8],
    }


def _shown_state(session: Session, seat: Seat, state: str) -> str:
    """Return a seat's presence as pages show it.

    A person who stepped out is away, though their phone is here; one who draws a character for this session
    has no page of the session open.
    """
    if state == "here":
        return "away" if seat.stepped_out else state
    if state == "absent":
        return state
    creating = session.read_once("creating", lambda: nights.find_creating(session))
    return "creating" if seat.person_id in creating else state


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
    """Render the regions of the session that a layout places, or ``only`` some of them."""
    names = [name for name in regions.region_names(layout, "room") if only is None or name in only]
    if only is None and f"chat_{Tab.MAIN}" in names:
        messages.read_open_tabs(session)
    drawn = {name: _render_part(name, context) for name in names if name not in PARTS}
    return drawn | render_own_parts(layout, names, {**context, "session": session, "my_seat": seat})


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
            key = PARTS[name], reader
            if key not in known:
                known[key] = PARTS[name](context["session"], reader)
            drawn[name] = _render_part(name, {**context, "my_seat": reader, **known[key]})
    return drawn


def players_by_ca(seats: list[tuple[Seat, str]]) -> list[tuple[Seat, str]]:
    """Return the players by CA: their order from the GM's left, except for ties. [UC-3.1]"""
    players = [(seat, here) for seat, here in seats if seat.role == Role.PLAYER]
    return sorted(players, key=lambda entry: opening.table_sheet(entry[0]).get("ca", 8))


def _render_part(name: str, context: dict[str, Any]) -> str:
    return EMPTY.sub(r"\1\2", render_to_string(f"sessions/_{name}.html", context).strip())
