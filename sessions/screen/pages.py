"""What an open page of the evening shows: drawn once by a view, kept up to date by the page's websocket.

Each page names the channel groups it listens to and draws its regions for the person who looks. It holds
nothing that cannot be had again from the database.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse

from characters.models import Character
from companion.models import Person
from sessions import access
from sessions.board_games import games
from sessions.board_games.bests import bests
from sessions.card_table import checklists
from sessions.chat import messages
from sessions.engine.contract import IllegalMove
from sessions.engine.shelf import shelf
from sessions.evening import (
    announcing,
    care_signals,
    devices,
    handouts,
    invitation,
    prepared,
    presence,
)
from sessions.models import Role, Seat, Session, Tab, Table, TableSeat
from sessions.screen import regions as render
from sessions.table import announcing, moves, opening


class Gone(Exception):
    """The page has nothing to show to this person any more."""


@dataclass(frozen=True)
class Drawn:
    """The HTML of each region by its id, and what the page's frame needs besides."""

    regions: dict[str, str]
    context: dict[str, Any]

    def __or__(self, other: Drawn) -> Drawn:
        return Drawn(self.regions | other.regions, self.context | other.context)

    @property
    def version(self) -> int:
        """The version of the table that is drawn; -1 where none is."""
        look = self.context.get("look")
        return look.version if look else -1


class Place(NamedTuple):
    """Where a page belongs by now. Numbers only grow: a page drawn for a lower one goes on to ``url``."""

    number: int
    url: str


NOWHERE = Place(0, "")


class Sitting(NamedTuple):
    """Who looks at a table: the evening's seat, whom it plays for (代行) or nobody, the seat at the table.

    Without a seat at the table they watch.
    """

    table: Table
    seat: Seat
    acting: Seat | None
    sits: TableSeat | None

    @property
    def role(self) -> Seat:
        """The seat for which the evening round the table is drawn: who runs it for the GM sees the GM's."""
        return self.acting if self.acting and self.acting.is_gm else self.seat

    @property
    def screen(self) -> render.Screen:
        return render.screen_of(self.table, self.sits.key if self.sits else None, runs=self.role.is_gm)


#: What regions of the evening show that have something of their own: drawn from this alone, for the seat of
#: whoever looks (None: the table face). All other regions of the evening are drawn from ``room``.
PARTS: dict[str, Callable[[Session, Seat | None], dict[str, Any]]] = {
    "claims": devices.claims,
    "experience": checklists.own_part,
    "experience_call": checklists.own_part,
    "experience_gm": checklists.gm_part,
    "handouts": handouts.shown,
    "notice": handouts.notice,
    "scene_notes": prepared.notes,
    "prepared": prepared.checks,
    "tabs": lambda session, seat: {"tabs": games.tabs(session, seat)},
    **{f"chat_{tab}": partial(messages.shown, tab) for tab in Tab},
    "chat_with": messages.desk,
    "care": care_signals.shown,
}
#: Those that are the person's own, whomever they play for: standing in for a seat shows none of its whispers.
PERSONAL = {*(f"chat_{tab}" for tab in Tab), "chat_with"}


class Page:
    """What every open page has: groups to listen to, a seat or none, regions to draw.

    ``draw`` draws everything; ``draw_table`` what a move can have changed, ``draw_room`` what coming
    and going can, ``draw_parts`` some of the regions in ``PARTS``.
    """

    def place(self) -> Place:
        raise NotImplementedError

    def draw(self) -> Drawn:
        raise NotImplementedError

    def fresh(self) -> Drawn:
        """Draw a page that is asked for anew; its place is looked up first: no later one is missed."""
        place = self.place()
        return self.draw() | Drawn({}, {"place": place.number})

    def draw_table(self) -> Drawn:
        return self.draw()

    def draw_room(self) -> Drawn:
        return self.draw()

    def draw_parts(self, names: Collection[str]) -> Drawn:
        raise NotImplementedError

    def shown_table(self) -> int | None:
        """Return the number of the table that is shown, None for none."""
        return None

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return why a move was refused, in the reader's language."""
        return render.refusal(None, code, details)


@dataclass(frozen=True)
class LobbyPage(Page):
    """The evening before, between and beside the tables."""

    person: Person | None
    session_pk: int
    origin: str

    @property
    def groups(self) -> list[str]:
        return [announcing.session_group(self.session_pk)]

    def seat(self) -> Seat:
        seat = access.seat_of(self.person, self.session_pk)
        if seat.removed_at:
            raise Gone
        return seat

    def role(self) -> Seat:
        """The seat for which it is drawn: who runs the session for the GM sees the GM's desk."""
        own = self.seat()
        return own.stands_in_for.filter(role=Role.GM).select_related("session__campaign").first() or own

    def draw(self) -> Drawn:
        seat = self.role()
        tables = list(seat.session.tables.all())
        running = [table for table in tables if table.ended_at is None and shelf()[table.module].gm]
        context = room(seat.session, self.origin) | {"seat": seat, "tables": tables, "running": running}
        context["own_seat"] = self.seat()
        context["may_open"] = access.may_open_games(seat)
        if seat.is_gm:
            players = players_by_ca(context["seats"])
            context |= {"players": players, "modules": [m for m in shelf().values() if m.gm]}
            context["unapproved"] = any(seat.character and not seat.approved for seat, _ in players)
        else:
            context["characters"] = Character.objects.filter(owner=self.person, status="done").with_rows()
            sits = seat.table_seats.filter(table__in=running)
            context["mine"] = set(sits.values_list("table_id", flat=True))
        layout = self.layout(seat)
        return Drawn(_draw_evening(layout, seat.session, seat, context), {**context, "layout": layout})

    def draw_parts(self, names: Collection[str]) -> Drawn:
        seat = self.role()
        context = {"session": seat.session, "my_seat": seat, "own_seat": self.seat()}
        return Drawn(_draw_own_parts(self.layout(seat), names, context), {})

    @staticmethod
    def layout(seat: Seat) -> str:
        return "sessions/lobby_gm.html" if seat.is_gm else "sessions/lobby.html"

    def place(self) -> Place:
        """The newest table this seat sits at; for who watches, the newest that runs."""
        seat = self.seat()
        if seat.role == Role.SPECTATOR:
            newest = seat.session.tables.filter(ended_at=None).order_by("pk").last()
            return Place(newest.pk, newest.get_absolute_url()) if newest else NOWHERE
        sits = seat.table_seats.select_related("table").order_by("pk").last()
        return Place(sits.pk, sits.table.get_absolute_url()) if sits else NOWHERE


@dataclass(frozen=True)
class TablePage(Page):
    """A table as its players, its GM and those who watch see it."""

    person: Person | None
    table_pk: int
    origin: str
    acting: int = 0
    #: What it was drawn for, as ``place`` numbers it; None: it is being drawn now.
    placed: int | None = None

    @property
    def groups(self) -> list[str]:
        at = self._sitting()
        session = announcing.session_group(at.seat.session_id)
        return [session, announcing.table_group(self.table_pk), announcing.seat_group(at.seat.pk)]

    def seat(self) -> Seat:
        return self._sitting().seat

    def role(self) -> Seat:
        """The seat for which it is drawn."""
        return self._sitting().role

    def draw(self) -> Drawn:
        sitting = self._sitting()
        return self._draw_table(sitting) | self._draw_room(sitting)

    def draw_table(self) -> Drawn:
        return self._draw_table(self._sitting())

    def draw_room(self) -> Drawn:
        return self._draw_room(self._sitting())

    def draw_parts(self, names: Collection[str]) -> Drawn:
        at = self._sitting()
        layout = render.layout_template(at.table.module, at.screen.layout)
        context: dict[str, Any] = {"session": at.table.session, "my_seat": at.role, "own_seat": at.seat}
        context |= {"table": at.table, "placed": self.placed}
        return Drawn(_draw_own_parts(layout, names, context), {})

    def _draw_table(self, at: Sitting) -> Drawn:
        return _draw_table(at.table, at.screen)

    def _draw_room(self, at: Sitting) -> Drawn:
        context = room(at.table.session, self.origin) | {"acting": at.acting, **_hands(at)}
        context |= {"placed": self.placed, "sits": at.sits, "may_open": access.may_open_games(at.role)}
        if not shelf()[at.table.module].gm:
            context |= _game(at)
        return _draw_room(at.table, at.screen, context, at.role)

    def submit(self, *, client_id: uuid.UUID, raw: bytes, version: int, asked: str) -> moves.Receipt:
        """Play a move as the seat of this page.

        :raises IllegalMove: as ``tables.submit``; ``not_seated`` for those who watch.
        """
        at = self._sitting()
        if at.sits is None:
            raise IllegalMove("not_seated")
        return moves.submit(
            table_pk=self.table_pk,
            seat=at.sits.key,
            client_id=client_id,
            raw=raw,
            version=version,
            asked=asked,
            stand_in=at.seat.name if at.acting else "",
        )

    def nudge(self, key: str) -> None:
        """Buzz the phone of who plays a seat of this table: the GM's, for somebody who is waited for."""
        at = self._sitting()
        waited = at.table.table_seats.filter(key=key).select_related("seat").first()
        if at.role.is_gm and waited and waited.seat:
            announcing.nudge(waited.seat)

    def shown_table(self) -> int:
        return self.table_pk

    def place(self) -> Place:
        """A seat that was taken since: a phone that watched goes on as a player, here or at another table.

        Nobody is called away from a table where they sit: what opens elsewhere shows in the tabs.
        """
        at = self._sitting()
        newest = (
            TableSeat.objects.filter(seat=at.acting or at.seat).select_related("table").order_by("pk").last()
        )
        if newest is None:
            return NOWHERE
        if at.sits is None or self.placed is None:
            return Place(newest.pk, newest.table.get_absolute_url())
        return Place(at.sits.pk, at.table.get_absolute_url())

    def explain(self, code: str, details: dict[str, Any]) -> str:
        module = Table.objects.values_list("module", flat=True).get(pk=self.table_pk)
        return render.refusal(module, code, details)

    def _sitting(self) -> Sitting:
        table, seat = access.table_seat(self.person, self.table_pk)
        acting = access.acting_seat(seat, self.acting) if self.acting else None
        if seat.removed_at or (self.acting and acting is None):
            raise Gone
        return Sitting(table, seat, acting, table.sitter(acting or seat))


@dataclass(frozen=True)
class FacePage(Page):
    """The table face 卓面: a screen for all, without secrets: a table, else who is here."""

    key: str
    origin: str
    join_only: bool = False
    #: The table that this screen was chosen for; 0: whatever is newest.
    chosen: int = 0

    @property
    def groups(self) -> list[str]:
        session = access.session_by_face(self.key)
        return [
            announcing.session_group(session.pk),
            *(announcing.table_group(t.pk) for t in self._tables(session)),
        ]

    def seat(self) -> None:
        return None

    def draw(self) -> Drawn:
        session = access.session_by_face(self.key)
        context = room(session, self.origin)
        for table in self._tables(session):
            screen = render.screen_of(table, None, face=True)
            return _draw_table(table, screen) | _draw_room(table, screen, context, None)
        layout = "sessions/face.html"
        return Drawn(_draw_evening(layout, session, None, context), {**context, "layout": layout})

    def draw_parts(self, names: Collection[str]) -> Drawn:
        """Nothing: the face shows only what is the same for all."""
        return Drawn({}, {})

    def place(self) -> Place:
        """The table it shows; a face that was chosen for none turns to the next one when that opens."""
        tables = self._tables(access.session_by_face(self.key))
        return Place(tables[0].pk, reverse("play:face", args=[self.key])) if tables else NOWHERE

    def shown_table(self) -> int | None:
        return next((table.pk for table in self._tables(access.session_by_face(self.key))), None)

    def _tables(self, session: Session) -> list[Table]:
        if self.join_only:
            return []
        newest = session.tables.select_related("session").order_by("-opened_at", "-pk")
        if self.chosen and (chosen := newest.filter(pk=self.chosen)):
            return list(chosen)
        return list(newest.filter(ended_at=None)[:1] or newest[:1])


def room(session: Session, origin: str) -> dict[str, Any]:
    """Return what every page of an evening may show: the way in, and who is here. Nothing in it is secret."""
    rows = session.seats.select_related("character", "stand_in").prefetch_related("character__skills")
    seats = list(rows.order_by("joined_at", "pk"))
    here = presence.of(seat.pk for seat in seats)
    gm = next(seat for seat in seats if seat.is_gm)
    url = invitation.join_url(session, origin)
    return {
        "session": session,
        "join_url": url,
        "address": invitation.spoken(origin),
        "qr": invitation.qr_svg(url),
        "seats": [(seat, here[seat.pk]) for seat in seats if not seat.removed_at],
        "removed": [seat for seat in seats if seat.removed_at],
        "missing": _missing(session),
        "gm_silence": presence.missed(gm.pk),
        "gm_seat": gm,
        "seat_notes": session.seat_notes.all()[:8],
    }


def gm_silence(session_pk: int) -> str:
    """Return how much the GM of a session is missed, as ``presence.missed`` says it."""
    return presence.missed(Seat.objects.values_list("pk", flat=True).get(session=session_pk, role=Role.GM))


def _missing(session: Session) -> list[str]:
    """Return the names of the campaign's regular players who have no seat tonight."""
    regulars = Seat.objects.filter(session__campaign=session.campaign_id, role=Role.PLAYER, removed_at=None)
    absent = regulars.exclude(session=session).exclude(person__seats__session=session)
    return sorted(set(absent.values_list("person__name", flat=True)))


def _draw_table(table: Table, screen: render.Screen) -> Drawn:
    look, regions = render.draw(table, screen)
    layout = render.layout_template(table.module, screen.layout)
    context = {"table": table, "look": look, "layout": layout, "table_seat": screen.seat}
    return Drawn(regions | {"pulse": render.pulse(look)}, context)


def _draw_room(table: Table, screen: render.Screen, context: dict[str, Any], seat: Seat | None) -> Drawn:
    context |= {"table": table, "latecomers": _latecomers(table, context["seats"]), "my_seat": seat}
    layout = render.layout_template(table.module, screen.layout)
    context["result"] = render.result_of(table) if table.ended_at else ""
    return Drawn(_draw_evening(layout, table.session, seat, context), context)


def _draw_evening(
    layout: str, session: Session, seat: Seat | None, context: dict[str, Any]
) -> dict[str, str]:
    """Draw all regions of the evening that a layout places."""
    names = render.placed(layout, "room")
    drawn = {name: _part(name, context) for name in names if name not in PARTS}
    own = {**context, "session": session, "my_seat": seat}
    return drawn | _draw_own_parts(layout, names, own)


def _draw_own_parts(layout: str, names: Collection[str], context: dict[str, Any]) -> dict[str, str]:
    """Draw those of the regions in ``PARTS`` that are named and that the layout places.

    :param context: has ``my_seat``, for whom it is drawn, and ``own_seat``, that of the person who looks.
    """
    drawn = {}
    for name in render.placed(layout, "room"):
        if name in PARTS and name in names:
            reader = context.get("own_seat") if name in PERSONAL else context["my_seat"]
            own = {**context, "my_seat": reader, **PARTS[name](context["session"], reader)}
            drawn[name] = _part(name, own)
    return drawn


def _game(at: Sitting) -> dict[str, Any]:
    """Return what the seats of a board game offer to who looks at it."""
    seated = [sits.seat_id for sits in at.table.sitters if sits.seat_id]
    others = at.seat.session.seats.filter(removed_at=None).exclude(pk__in=seated)
    manages = games.manages(at.role, at.table)
    mine = at.sits is not None and at.sits.seat_id == at.seat.pk
    kept = mine and at.table.ended_at and shelf()[at.table.module].daily
    return {
        "game": True,
        "sitting": at.table.sitters,
        "manages": manages,
        "free": list(others) if manages else [],
        "rematch": Table.objects.filter(rematch_of=at.table).first(),
        "may_rematch": manages or at.sits is not None,
        "bests": bests(at.seat.person, at.table.module) if kept else None,
    }


def _hands(at: Sitting) -> dict[str, Any]:
    """Return whom this seat plays for at the table besides itself, and who plays it."""
    others = at.seat.stands_in_for.filter(removed_at=None, table_seats__table=at.table)
    return {"hands": list(others), "own_seat": at.seat, "played_by": at.seat.stand_in}


def _latecomers(table: Table, seats: list[tuple[Seat, str]]) -> list[Seat]:
    """Return the players of the evening who have no place at this table yet. [UC-3.5]"""
    seated = {sits.seat_id for sits in table.sitters}
    return [seat for seat, _ in seats if seat.role == Role.PLAYER and seat.pk not in seated]


def players_by_ca(seats: list[tuple[Seat, str]]) -> list[tuple[Seat, str]]:
    """Return the players by CA, as they will sit from the GM's left but for ties. [UC-3.1]"""
    players = [(seat, here) for seat, here in seats if seat.role == Role.PLAYER]
    return sorted(players, key=lambda entry: opening.sheet(entry[0]).get("ca", 8))


def _part(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"sessions/_{name}.html", context).strip()
