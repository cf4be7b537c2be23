"""The table face 卓面: a shared screen without secrets. It shows a table, or else the people here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from sessions import access
from sessions.engine.shelf import registry
from sessions.evening import announcing
from sessions.models import Session, Table
from sessions.screen.page import NOWHERE, LivePage, PageEntry, PagePlace, RenderedPage, TableWatch
from sessions.screen.regions import Screen, layout_template
from sessions.screen.room import render_own_parts, render_session_regions, room
from sessions.screen.table_page import render_room_of, render_table
from sessions.table import clock

FACE = Screen("face", None)
#: The template while the session has no table.
LOBBY = "sessions/face.html"


@dataclass(frozen=True)
class FacePage(LivePage):
    """A table face. Its address is the only check of access: everybody who knows it may look."""

    key: str
    origin: str
    join_only: bool = False
    #: The pk of the table that this screen is pinned to; 0 if it follows the play.
    chosen: int = 0

    def enter(self) -> PageEntry:
        session = access.session_by_face(self.key)
        return PageEntry(None, [announcing.session_group(session.pk)], self.place(), self.watch())

    def watch(self) -> TableWatch | None:
        """Return the table that this face shows, with its screen; None while there is no table."""
        session = access.session_by_face(self.key)
        table = self._table(session)
        return TableWatch(table.pk, FACE, session.seating) if table else None

    def render_all(self) -> RenderedPage:
        session = access.session_by_face(self.key)
        context = room(session, self.origin)
        if table := self._table(session):
            return render_table(table.pk, FACE, None) | render_room_of(table, FACE, context, None)
        return RenderedPage(
            render_session_regions(LOBBY, session, None, context), {**context, "layout": LOBBY}
        )

    def render_room(self, only: Collection[str] | None = None) -> RenderedPage:
        session = access.session_by_face(self.key)
        table, context = self._table(session), room(session, self.origin)
        return render_room_of(table, FACE, context, None, only) if table else self.render_all()

    def render_parts(self, names: Collection[str]) -> RenderedPage:
        """Render those of the named regions that the face places, for a reader without a seat."""
        session = access.session_by_face(self.key)
        table = self._table(session)
        layout = layout_template(table.module, FACE.layout) if table else LOBBY
        context = {"session": session, "my_seat": None, "own_seat": None}
        return RenderedPage(render_own_parts(layout, names, context), {})

    def place(self) -> PagePlace:
        """Return the place of the table to show: a face that is not pinned to a table follows the play."""
        table = self._table(access.session_by_face(self.key))
        return PagePlace(table.pk, reverse("play:face", args=[self.key])) if table else NOWHERE

    def _table(self, session: Session) -> Table | None:
        if self.join_only:
            return None
        tables = session.tables.filter(module__in=registry()).select_related("session")
        if self.chosen and (chosen := tables.filter(pk=self.chosen).first()):
            return chosen
        running = list(tables.filter(ended_at=None).order_by("-opened_at", "-pk"))
        ended = tables.exclude(ended_at=None).order_by("-ended_at", "-pk").first()
        if ended and ended.ended_at and all(clock.since(table) < ended.ended_at for table in running):
            return ended  # An ended table stays on the face until play continues at another one.
        return running[0] if running else None
