"""The three kinds of open pages: a table's page, the session's own page, and the table face 卓面.

A table's page is for its players, its GM and spectators. The session's own page (lobby) is shown before,
between and beside the tables. A table face is a shared screen without secrets: it shows a table, or else
the people here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects
from django.urls import reverse

from characters.models import Character
from characters.reference import PEOPLE
from companion.models import Person
from companion.rendering import markup
from sessions import access
from sessions.board_games import games
from sessions.board_games.own_games import bests, record
from sessions.engine.registry import registry
from sessions.evening import announcements
from sessions.live import regions
from sessions.live.page_base import (
    NOWHERE,
    LivePage,
    PageEntry,
    PageGone,
    PagePlace,
    RenderedPage,
    TableWatch,
)
from sessions.live.regions import Screen, layout_template
from sessions.live.screen_view import view_for
from sessions.live.session_regions import (
    SharedRows,
    players_by_ca,
    render_session_regions,
    session_context,
)
from sessions.models import Role, Seat, Session, Table, TableSeat
from sessions.table import clock, table_cache

FACE = Screen("face", None)
#: The template while the session has no table.
FACE_LOBBY = "sessions/face.html"
#: A session, and the table that its face shows, if any.
SessionTable = tuple[Session, Table | None]


class PersonAtTable(NamedTuple):
    """A person at a table: their seat in the session, a seat they stand in for (代行), and the table's seat.

    A spectator has no seat at the table.
    """

    table: Table
    seat: Seat
    represented: Seat | None
    table_seat: TableSeat | None
    #: The seats at all tables of the session, if they were read with the table.
    session_table_seats: list[TableSeat] | None = None

    @property
    def acting_seat(self) -> Seat:
        """Return the seat for which the session's regions are rendered: the GM's for a deputy in charge."""
        return self.represented if self.represented and self.represented.is_gm else self.seat

    @property
    def screen(self) -> regions.Screen:
        return regions.screen_of(
            self.table, self.table_seat.key if self.table_seat else None, runs=self.acting_seat.is_gm
        )


@dataclass(frozen=True)
class TablePage(LivePage[PersonAtTable]):
    """The page of a table, as one person sees it: in their own seat, or as a stand-in."""

    person: Person | None
    table_pk: int
    origin: str
    represented_pk: int = 0
    #: The number of the place that the page was rendered for; None during that rendering.
    place_number: int | None = None

    @property
    def turn_key(self) -> Hashable:
        return "table", self.table_pk

    def announced_session_pk(self) -> int | None:
        if cached := table_cache.peek_table(self.table_pk):
            return cached.table.session_id
        return Table.objects.filter(pk=self.table_pk).values_list("session", flat=True).first()

    def at_place(self, number: int) -> TablePage:
        return replace(self, place_number=number)

    def read_entry(self) -> PageEntry:
        at = self._read_seat()
        groups = [announcements.session_group(at.seat.session_id), announcements.seat_group(at.seat.pk)]
        return PageEntry(at.seat, groups, self._place(at), self._watch(at))

    def read_watch(self) -> TableWatch:
        """Return the table and the screen that this page may show now."""
        return self._watch(self._read_seat())

    def acting_seat(self) -> Seat:
        return self._read().acting_seat

    def _watch(self, at: PersonAtTable) -> TableWatch:
        seating = at.table.session.seating
        return TableWatch(self.table_pk, at.screen, seating, at.seat.name if at.represented else "")

    def _read_seat(self) -> PersonAtTable:
        """Read the person's seat alone: the table is the cached one, which has the database's seating."""
        return self._at(table_cache.get_current_table(self.table_pk).table)

    def _read(self, shared: SharedRows | None = None) -> PersonAtTable:
        table = (shared or SharedRows()).table(self.table_pk)
        return self._at(table, TableSeat.of_session(table.session))

    def _at(self, table: Table, session_table_seats: list[TableSeat] | None = None) -> PersonAtTable:
        seat = access.seat_beside(self.person, table)
        acting = access.represented_seat(seat, self.represented_pk) if self.represented_pk else None
        if seat.removed_at or (self.represented_pk and acting is None):
            raise PageGone
        return PersonAtTable(table, seat, acting, table.sitter(acting or seat), session_table_seats)

    def _render_table(self, at: PersonAtTable, opened: Collection[str] | None) -> RenderedPage:
        return render_table(at.table, at.screen, opened)

    def _own_context(self, at: PersonAtTable) -> tuple[str, dict[str, Any]]:
        layout = regions.layout_template(at.table.module, at.screen.layout)
        own = {"session": at.table.session, "my_seat": at.acting_seat, "own_seat": at.seat}
        return layout, own | {"table": at.table, "placed": self.place_number}

    def _render_session(self, at: PersonAtTable, only: Collection[str] | None = None) -> RenderedPage:
        context = session_context(at.table.session, self.origin) | {
            "acting": at.represented,
            "own_seat": at.seat,
            # The seats that this seat stands in for.
            "hands": [
                seat
                for seat in at.table.session.sitters
                if seat.stand_in_id == at.seat.pk and at.table.sitter(seat)
            ],
            "placed": self.place_number,
            "sits": at.table_seat,
            "may_open": access.may_open_games(at.acting_seat),
        }
        if not registry()[at.table.module].gm:
            context |= _game_context(at)
        return render_session_at(at.table, at.screen, context, at.acting_seat, only)

    def nudge(self, key: str) -> None:
        """Buzz the phone of a seat at this table, if this page is the GM's."""
        at = self._read()
        if not at.acting_seat.is_gm:
            return
        # Compared in Python: the key comes from a phone, and databases refuse half a surrogate pair.
        for waited in at.table.table_seats.select_related("seat"):
            if waited.key == key and waited.seat:
                announcements.nudge_seat(waited.seat)

    def emote(self, kind: str) -> None:
        """Show an emote at the person's own seat; spectators and stand-ins cannot show one."""
        at = self._read()
        if at.table_seat and not at.represented and not at.table.session.ended_at:
            announcements.show_emote(at.table_seat, kind)

    def _place(self, at: PersonAtTable) -> PagePlace:
        """Return the table where this page belongs: a spectator whose seat joined a table goes to it.

        A player is never sent away from their table; another table that opens shows in the tabs.
        """
        if at.table_seat and self.place_number is not None:
            return PagePlace(at.table_seat.pk, at.table.get_absolute_url())
        seat = at.represented or at.seat
        if at.session_table_seats is None:
            return _newest_place(seat)
        own = [sits for sits in at.session_table_seats if sits.seat_id == seat.pk]
        return _place_of(max(own, key=lambda sits: sits.pk)) if own else NOWHERE

    def explain(self, code: str, details: dict[str, Any]) -> str:
        module = Table.objects.values_list("module", flat=True).get(pk=self.table_pk)
        return regions.table_refusal(module, code, details)


def _newest_place(seat: Seat) -> PagePlace:
    """Return the newest table at which a seat sits."""
    sits = TableSeat.objects.filter(seat=seat).order_by("-pk").first()
    return _place_of(sits) if sits else NOWHERE


def _place_of(sits: TableSeat) -> PagePlace:
    return PagePlace(sits.pk, reverse("play:table", args=[sits.table_id]))


def render_table(table: Table, screen: regions.Screen, opened: Collection[str] | None) -> RenderedPage:
    """Render a table as the database has it now, with these bottom sheets opened; None opens all.

    :param table: its row, which has just been read.
    """
    view = view_for(table_cache.get_current_table(table.pk, table), screen)
    names = view.every if opened is None else view.visible_regions(opened)
    html = {name: markup.strip_markers(view.render_region(name)) for name in names}
    html["pulse"] = regions.pulse_element(view.seat_view, bots=view.bots_play)
    context = {"table": view.cached.table, "look": view.seat_view, "layout": view.layout}
    return RenderedPage(html, context | {"table_seat": screen.seat})


def render_session_at(
    table: Table,
    screen: regions.Screen,
    context: dict[str, Any],
    seat: Seat | None,
    only: Collection[str] | None = None,
) -> RenderedPage:
    """Render the session's regions round a table for the reader's seat (None: the table face)."""
    seated = {sits.seat_id for sits in table.sitters}
    # The players of the session who have no place at this table yet. [UC-3.5]
    latecomers = [one for one, _ in context["seats"] if one.role == Role.PLAYER and one.pk not in seated]
    context |= {"table": table, "latecomers": latecomers, "my_seat": seat}
    context["result"] = regions.result_words(table) if table.ended_at else ""
    layout = regions.layout_template(table.module, screen.layout)
    return RenderedPage(render_session_regions(layout, table.session, seat, context, only), context)


def _game_context(at: PersonAtTable) -> dict[str, Any]:
    seated = [sits.seat_id for sits in at.table.sitters if sits.seat_id]
    others = at.seat.session.seats.filter(removed_at=None).exclude(pk__in=seated)
    manages = games.manages(at.acting_seat, at.table)
    mine = at.table_seat is not None and at.table_seat.seat_id == at.seat.pk
    counts = mine and at.table.ended_at and not at.table.session.trial
    kept = counts and registry()[at.table.module].tables.daily
    return {
        "game": True,
        "sitting": at.table.sitters,
        "manages": manages,
        "free": list(others) if manages else [],
        "rematch": Table.objects.filter(rematch_of=at.table).first(),
        "may_rematch": manages or at.table_seat is not None,
        "bests": bests(at.seat.person, at.table.module) if kept else None,
        "record": record(at.seat.person, at.table) if counts else None,
        "alone": mine and len(seated) < 2,
        "first_game_end": games.first_game_end(at.table),
        "solo": max(registry()[at.table.module].seats) == 1,
    }


@dataclass(frozen=True)
class LobbyPage(LivePage[Seat]):
    """The session's own page, as one person's seat shows it."""

    person: Person | None
    session_pk: int
    origin: str

    @property
    def turn_key(self) -> Hashable:
        return "session", self.session_pk

    def announced_session_pk(self) -> int:
        return self.session_pk

    def read_entry(self) -> PageEntry:
        seat = self._read()
        return PageEntry(seat, [announcements.session_group(self.session_pk)], self._place(seat))

    def acting_seat(self) -> Seat:
        return self._acting_seat(self._read())

    @staticmethod
    def _acting_seat(own: Seat) -> Seat:
        """Return the seat for which the page is rendered: the GM's for a deputy who runs the session."""
        return next((seat for seat in own.session.sitters if seat.is_gm and seat.stand_in_id == own.pk), own)

    def _read(self, shared: SharedRows | None = None) -> Seat:
        seat = access.seat_in(self.person, (shared or SharedRows()).session(self.session_pk))
        if seat.removed_at:
            raise PageGone
        return seat

    def _render_session(self, own: Seat, only: Collection[str] | None = None) -> RenderedPage:
        seat = self._acting_seat(own)
        prefetch_related_objects([seat.session], "tables")
        prefetch_related_objects(seat.session.sitters, "character__skills", "character__items")
        tables = list(seat.session.tables.all())
        with_a_gm = {module.key for module in registry().values() if module.gm}
        running = [table for table in tables if table.ended_at is None and table.module in with_a_gm]
        context = session_context(seat.session, self.origin) | {
            "seat": seat,
            "own_seat": own,
            "tables": tables,
            "running": running,
            "may_open": access.may_open_games(seat),
            "hosts": access.hosts_session(seat),
        }
        if seat.is_gm:
            players = players_by_ca(context["seats"])
            context |= {"players": players, "modules": [m for m in registry().values() if m.gm]}
            context["unapproved"] = any(seat.character and not seat.approved for seat, _ in players)
        else:
            context["characters"] = Character.objects.filter(owner=self.person, status="done").with_rows()
            context["to_draw"] = Character.objects.filter(
                owner=self.person, status="draft", creation__return_to=seat.session.get_absolute_url()
            ).exclude(creation__offers={})
            context["ready_people"] = [(key, one.sheet) for key, one in PEOPLE.items()]
            seated = {sits.table_id for sits in TableSeat.of_session(seat.session) if sits.seat_id == seat.pk}
            context["mine"] = seated & {table.pk for table in running}
        layout = self._layout(seat)
        return RenderedPage(
            render_session_regions(layout, seat.session, seat, context, only), {**context, "layout": layout}
        )

    def _own_context(self, own: Seat) -> tuple[str, dict[str, Any]]:
        seat = self._acting_seat(own)
        return self._layout(seat), {"session": seat.session, "my_seat": seat, "own_seat": own}

    @staticmethod
    def _layout(seat: Seat) -> str:
        if seat.session.is_free:
            return "sessions/lounge.html"
        return "sessions/lobby_gm.html" if seat.is_gm else "sessions/lobby.html"

    @staticmethod
    def _place(seat: Seat) -> PagePlace:
        """Return the newest table at which this seat sits; for a spectator, the newest running table."""
        if seat.role == Role.SPECTATOR:
            newest = seat.session.tables.filter(ended_at=None).order_by("pk").last()
            return PagePlace(newest.pk, newest.get_absolute_url()) if newest else NOWHERE
        return _newest_place(seat)


@dataclass(frozen=True)
class FacePage(LivePage[SessionTable]):
    """A table face. Its address is the only check of access: everybody who knows it may look."""

    key: str
    origin: str
    join_only: bool = False
    #: The pk of the table that this screen is pinned to; 0 if it follows the play.
    chosen_table_pk: int = 0

    def read_entry(self) -> PageEntry:
        rows = self._read()
        session, _ = rows
        groups = [announcements.session_group(session.pk)]
        return PageEntry(None, groups, self._place(rows), self._watch(rows))

    def read_watch(self) -> TableWatch | None:
        """Return the table that this face shows, with its screen; None while there is no table."""
        return self._watch(self._read())

    @staticmethod
    def _watch(rows: SessionTable) -> TableWatch | None:
        session, table = rows
        return TableWatch(table.pk, FACE, session.seating) if table else None

    def _read(self, shared: SharedRows | None = None) -> SessionTable:
        session = access.session_by_face(self.key)
        return session, self._shown_table(session)

    def _place(self, rows: SessionTable) -> PagePlace:
        """Return the place of the table to show: a face that is not pinned to a table follows the play."""
        _, table = rows
        return PagePlace(table.pk, reverse("play:face", args=[self.key])) if table else NOWHERE

    def _render_table(self, rows: SessionTable, opened: Collection[str] | None) -> RenderedPage:
        _, table = rows
        return render_table(table, FACE, None) if table else RenderedPage({}, {})

    def _render_session(self, rows: SessionTable, only: Collection[str] | None = None) -> RenderedPage:
        session, table = rows
        context = session_context(session, self.origin)
        if table:
            return render_session_at(table, FACE, context, None, only)
        html = render_session_regions(FACE_LOBBY, session, None, context)
        return RenderedPage(html, {**context, "layout": FACE_LOBBY})

    def _own_context(self, rows: SessionTable) -> tuple[str, dict[str, Any]]:
        session, table = rows
        layout = layout_template(table.module, FACE.layout) if table else FACE_LOBBY
        return layout, {"session": session, "my_seat": None, "own_seat": None}

    def _shown_table(self, session: Session) -> Table | None:
        if self.join_only:
            return None
        tables = session.tables.filter(module__in=registry()).select_related("session__campaign")
        if self.chosen_table_pk and (chosen := tables.filter(pk=self.chosen_table_pk).first()):
            return chosen
        running = list(tables.filter(ended_at=None).order_by("-opened_at", "-pk"))
        ended = tables.exclude(ended_at=None).order_by("-ended_at", "-pk").first()
        if ended and ended.ended_at and all(clock.clock_start(table) < ended.ended_at for table in running):
            return ended  # An ended table stays on the face until play continues at another one.
        return running[0] if running else None
