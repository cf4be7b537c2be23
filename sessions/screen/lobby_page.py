"""The session's own page: before, between and beside its tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from characters.models import Character
from companion.models import Person
from sessions import access
from sessions.engine.shelf import registry
from sessions.evening import announcing
from sessions.models import Role, Seat
from sessions.screen.page import NOWHERE, Gone, LivePage, PageEntry, PagePlace, RenderedPage
from sessions.screen.room import players_by_ca, render_own_parts, render_session_regions, room


@dataclass(frozen=True)
class LobbyPage(LivePage):
    """The session's own page, as one person's seat shows it."""

    person: Person | None
    session_pk: int
    origin: str

    def enter(self) -> PageEntry:
        seat = self.seat()
        return PageEntry(seat, [announcing.session_group(self.session_pk)], self._place(seat))

    def seat(self) -> Seat:
        seat = access.seat_of(self.person, self.session_pk)
        if seat.removed_at:
            raise Gone
        return seat

    def role(self) -> Seat:
        """Return the seat for which the page is rendered: the GM's for a deputy who runs the session."""
        return self._role(self.seat())

    @staticmethod
    def _role(own: Seat) -> Seat:
        return own.stands_in_for.filter(role=Role.GM).select_related("session__campaign").first() or own

    def render_all(self) -> RenderedPage:
        return self.render_room()

    def render_page(self) -> RenderedPage:
        own = self.seat()
        place = self._place(own)
        return self._render_room(own) | RenderedPage({}, {"place": place.number})

    def render_room(self, only: Collection[str] | None = None) -> RenderedPage:
        return self._render_room(self.seat(), only)

    def _render_room(self, own: Seat, only: Collection[str] | None = None) -> RenderedPage:
        seat = self._role(own)
        prefetch_related_objects([seat.session], "tables")
        prefetch_related_objects(seat.session.sitters, "character__skills", "character__items")
        tables = list(seat.session.tables.all())
        with_a_gm = {module.key for module in registry().values() if module.gm}
        running = [table for table in tables if table.ended_at is None and table.module in with_a_gm]
        context = room(seat.session, self.origin) | {"seat": seat, "tables": tables, "running": running}
        context["own_seat"] = own
        context |= {"may_open": access.may_open_games(seat), "hosts": access.hosts(seat)}
        if seat.is_gm:
            players = players_by_ca(context["seats"])
            context |= {"players": players, "modules": [m for m in registry().values() if m.gm]}
            context["unapproved"] = any(seat.character and not seat.approved for seat, _ in players)
        else:
            context["characters"] = Character.objects.filter(owner=self.person, status="done").with_rows()
            context["to_draw"] = Character.objects.filter(
                owner=self.person, status="draft", creation__return_to=seat.session.get_absolute_url()
            ).exclude(creation__offers={})
            sits = seat.table_seats.filter(table__in=running)
            context["mine"] = set(sits.values_list("table_id", flat=True))
        layout = self.layout(seat)
        return RenderedPage(
            render_session_regions(layout, seat.session, seat, context, only), {**context, "layout": layout}
        )

    def render_parts(self, names: Collection[str]) -> RenderedPage:
        own = self.seat()
        seat = self._role(own)
        context = {"session": seat.session, "my_seat": seat, "own_seat": own}
        return RenderedPage(render_own_parts(self.layout(seat), names, context), {})

    @staticmethod
    def layout(seat: Seat) -> str:
        if seat.session.is_free:
            return "sessions/lounge.html"
        return "sessions/lobby_gm.html" if seat.is_gm else "sessions/lobby.html"

    def place(self) -> PagePlace:
        """Return the newest table at which this seat sits; for a spectator, the newest running table."""
        return self._place(self.seat())

    @staticmethod
    def _place(seat: Seat) -> PagePlace:
        if seat.role == Role.SPECTATOR:
            newest = seat.session.tables.filter(ended_at=None).order_by("pk").last()
            return PagePlace(newest.pk, newest.get_absolute_url()) if newest else NOWHERE
        sits = seat.table_seats.select_related("table").order_by("pk").last()
        return PagePlace(sits.pk, sits.table.get_absolute_url()) if sits else NOWHERE
