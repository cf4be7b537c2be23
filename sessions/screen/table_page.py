"""The page of a table, for its players, its GM and spectators."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.drawing import parts
from companion.models import Person
from sessions import access
from sessions.board_games import first_games, games
from sessions.board_games.bests import bests
from sessions.board_games.record import record
from sessions.engine.shelf import registry
from sessions.evening import announcing, emotes
from sessions.models import Role, Seat, Session, Table, TableSeat
from sessions.screen import regions
from sessions.screen.page import NOWHERE, Gone, LivePage, PageEntry, PagePlace, RenderedPage, TableWatch
from sessions.screen.room import render_own_parts, render_session_regions, room
from sessions.screen.sights import view_for
from sessions.table import held


class Sitting(NamedTuple):
    """A person at a table: their seat in the session, a seat they stand in for (代行), and the table's seat.

    A spectator has no seat at the table.
    """

    table: Table
    seat: Seat
    acting: Seat | None
    sits: TableSeat | None

    @property
    def role(self) -> Seat:
        """Return the seat for which the session's regions are rendered: the GM's for a deputy in charge."""
        return self.acting if self.acting and self.acting.is_gm else self.seat

    @property
    def screen(self) -> regions.Screen:
        return regions.screen_of(self.table, self.sits.key if self.sits else None, runs=self.role.is_gm)


@dataclass(frozen=True)
class TablePage(LivePage):
    """The page of a table, as one person sees it: in their own seat, or as a stand-in."""

    person: Person | None
    table_pk: int
    origin: str
    acting: int = 0
    #: The number of the place that the page was rendered for; None during that rendering.
    placed: int | None = None

    def enter(self) -> PageEntry:
        seating, at = self._seating(), self._sitting()
        groups = [announcing.session_group(at.seat.session_id), announcing.seat_group(at.seat.pk)]
        return PageEntry(at.seat, groups, self._place(at), self._watch(at, seating))

    def role(self) -> Seat:
        return self._sitting().role

    def watch(self) -> TableWatch:
        """Return the table and the screen that this page may show now.

        :raises Gone: the page has nothing to show any more.
        """
        # Read the number first: if the seating changes in between, the old number makes the page check again.
        seating = self._seating()
        return self._watch(self._sitting(), seating)

    def _watch(self, at: Sitting, seating: int) -> TableWatch:
        return TableWatch(self.table_pk, at.screen, seating, at.seat.name if at.acting else "")

    def _seating(self) -> int:
        return Session.objects.values_list("seating", flat=True).get(tables=self.table_pk)

    def render_all(self) -> RenderedPage:
        at = self._sitting()
        return self._render_table(at, None) | self._render_room(at)

    def render_page(self) -> RenderedPage:
        """Render the page as it first appears: bottom sheets are rendered when they are opened."""
        at = self._sitting()
        place = self._place(at)
        drawn = self._render_table(at, ()) | self._render_room(at)
        return drawn | RenderedPage({}, {"place": place.number})

    def render_with_place(self) -> tuple[PagePlace, RenderedPage]:
        at = self._sitting()
        return self._place(at), self._render_room(at)

    def render_room(self, only: Collection[str] | None = None) -> RenderedPage:
        return self._render_room(self._sitting(), only)

    def render_parts(self, names: Collection[str]) -> RenderedPage:
        at = self._sitting()
        layout = regions.layout_template(at.table.module, at.screen.layout)
        context: dict[str, Any] = {"session": at.table.session, "my_seat": at.role, "own_seat": at.seat}
        context |= {"table": at.table, "placed": self.placed}
        return RenderedPage(render_own_parts(layout, names, context), {})

    @staticmethod
    def _render_table(at: Sitting, opened: Collection[str] | None) -> RenderedPage:
        return render_table(at.table.pk, at.screen, opened)

    def _render_room(self, at: Sitting, only: Collection[str] | None = None) -> RenderedPage:
        context = room(at.table.session, self.origin) | {"acting": at.acting, **_hands(at)}
        context |= {"placed": self.placed, "sits": at.sits, "may_open": access.may_open_games(at.role)}
        if not registry()[at.table.module].gm:
            context |= _game(at)
        return render_room_of(at.table, at.screen, context, at.role, only)

    def nudge(self, key: str) -> None:
        """Buzz the phone of a seat at this table, if this page is the GM's."""
        at = self._sitting()
        if not at.role.is_gm:
            return
        # Compared in Python: the key comes from a phone, and databases refuse half a surrogate pair.
        for waited in at.table.table_seats.select_related("seat"):
            if waited.key == key and waited.seat:
                announcing.nudge(waited.seat)

    def emote(self, kind: str) -> None:
        """Show an emote at the person's own seat; spectators and stand-ins cannot show one."""
        at = self._sitting()
        if at.sits and not at.acting and not at.table.session.ended_at:
            emotes.show_emote(at.sits, kind)

    def place(self) -> PagePlace:
        """Return the table where this page belongs: a spectator whose seat joined a table goes to it.

        A player is never sent away from their table; another table that opens shows in the tabs.
        """
        return self._place(self._sitting())

    def _place(self, at: Sitting) -> PagePlace:
        newest = (
            TableSeat.objects.filter(seat=at.acting or at.seat).select_related("table").order_by("pk").last()
        )
        if newest is None:
            return NOWHERE
        if at.sits is None or self.placed is None:
            return PagePlace(newest.pk, newest.table.get_absolute_url())
        return PagePlace(at.sits.pk, at.table.get_absolute_url())

    def explain(self, code: str, details: dict[str, Any]) -> str:
        module = Table.objects.values_list("module", flat=True).get(pk=self.table_pk)
        return regions.refusal(module, code, details)

    def _sitting(self) -> Sitting:
        table, seat = access.table_seat(self.person, self.table_pk)
        acting = access.acting_seat(seat, self.acting) if self.acting else None
        if seat.removed_at or (self.acting and acting is None):
            raise Gone
        return Sitting(table, seat, acting, table.sitter(acting or seat))


def render_table(table_pk: int, screen: regions.Screen, opened: Collection[str] | None) -> RenderedPage:
    """Render a table as the database has it now.

    :param opened: the bottom sheets to render as well; None for all.
    """
    sight = view_for(held.get_current_table(table_pk), screen)
    names = sight.every if opened is None else sight.visible_regions(opened)
    html = {name: parts.strip_markers(sight.render_region(name)) for name in names} | {
        "pulse": regions.pulse(sight.look, bots=sight.bots_play)
    }
    context = {"table": sight.held.table, "look": sight.look, "layout": sight.layout}
    return RenderedPage(html, context | {"table_seat": screen.seat})


def render_room_of(
    table: Table,
    screen: regions.Screen,
    context: dict[str, Any],
    seat: Seat | None,
    only: Collection[str] | None = None,
) -> RenderedPage:
    """Render the session's regions round a table for the reader's seat (None: the table face)."""
    context |= {"table": table, "latecomers": _latecomers(table, context["seats"]), "my_seat": seat}
    context["result"] = regions.result_of(table) if table.ended_at else ""
    layout = regions.layout_template(table.module, screen.layout)
    return RenderedPage(render_session_regions(layout, table.session, seat, context, only), context)


def _game(at: Sitting) -> dict[str, Any]:
    """Return the values of a board game's seats for their reader."""
    seated = [sits.seat_id for sits in at.table.sitters if sits.seat_id]
    others = at.seat.session.seats.filter(removed_at=None).exclude(pk__in=seated)
    manages = games.manages(at.role, at.table)
    mine = at.sits is not None and at.sits.seat_id == at.seat.pk
    counts = mine and at.table.ended_at and not at.table.session.trial
    kept = counts and registry()[at.table.module].tables.daily
    return {
        "game": True,
        "sitting": at.table.sitters,
        "manages": manages,
        "free": list(others) if manages else [],
        "rematch": Table.objects.filter(rematch_of=at.table).first(),
        "may_rematch": manages or at.sits is not None,
        "bests": bests(at.seat.person, at.table.module) if kept else None,
        "record": record(at.seat.person, at.table) if counts else None,
        "alone": mine and len(seated) < 2,
        "first_game_end": first_games.first_game_end(at.table),
        "solo": max(registry()[at.table.module].seats) == 1,
    }


def _hands(at: Sitting) -> dict[str, Any]:
    """Return the seats that this seat stands in for, and the person's own."""
    others = at.seat.stands_in_for.filter(table_seats__table=at.table)
    return {"hands": list(others), "own_seat": at.seat}


def _latecomers(table: Table, seats: list[tuple[Seat, str]]) -> list[Seat]:
    """Return the players of the session who have no place at this table yet. [UC-3.5]"""
    seated = {sits.seat_id for sits in table.sitters}
    return [seat for seat, _ in seats if seat.role == Role.PLAYER and seat.pk not in seated]
