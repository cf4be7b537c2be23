"""The table face 卓面: a shared screen without secrets. It shows a table, or else the people here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from sessions import access
from sessions.engine.shelf import shelf
from sessions.evening import announcing
from sessions.models import Session, Table
from sessions.screen.page import NOWHERE, Drawn, Entry, Page, Place, Watch
from sessions.screen.regions import Screen, layout_template
from sessions.screen.room import draw_evening, draw_own_parts, room
from sessions.screen.table_page import draw_room_of, draw_table
from sessions.table import clock

FACE = Screen("face", None)
#: The template while the session has no table.
LOBBY = "sessions/face.html"


@dataclass(frozen=True)
class FacePage(Page):
    """A table face. Its address is the only check of access: everybody who knows it may look."""

    key: str
    origin: str
    join_only: bool = False
    #: The pk of the table that this screen is pinned to; 0 if it follows the play.
    chosen: int = 0

    def enter(self) -> Entry:
        session = access.session_by_face(self.key)
        return Entry(None, [announcing.session_group(session.pk)], self.place(), self.watch())

    def watch(self) -> Watch | None:
        """Return the table that this face shows, with its screen; None while there is no table."""
        session = access.session_by_face(self.key)
        table = self._table(session)
        return Watch(table.pk, FACE, session.seating) if table else None

    def draw(self) -> Drawn:
        session = access.session_by_face(self.key)
        context = room(session, self.origin)
        if table := self._table(session):
            return draw_table(table.pk, FACE, None) | draw_room_of(table, FACE, context, None)
        return Drawn(draw_evening(LOBBY, session, None, context), {**context, "layout": LOBBY})

    def draw_room(self, only: Collection[str] | None = None) -> Drawn:
        session = access.session_by_face(self.key)
        table, context = self._table(session), room(session, self.origin)
        return draw_room_of(table, FACE, context, None, only) if table else self.draw()

    def draw_parts(self, names: Collection[str]) -> Drawn:
        """Render those of the named regions that the face places, for a reader without a seat."""
        session = access.session_by_face(self.key)
        table = self._table(session)
        layout = layout_template(table.module, FACE.layout) if table else LOBBY
        context = {"session": session, "my_seat": None, "own_seat": None}
        return Drawn(draw_own_parts(layout, names, context), {})

    def place(self) -> Place:
        """Return the place of the table to show: a face that is not pinned to a table follows the play."""
        table = self._table(access.session_by_face(self.key))
        return Place(table.pk, reverse("play:face", args=[self.key])) if table else NOWHERE

    def _table(self, session: Session) -> Table | None:
        if self.join_only:
            return None
        tables = session.tables.filter(module__in=shelf()).select_related("session")
        if self.chosen and (chosen := tables.filter(pk=self.chosen).first()):
            return chosen
        running = list(tables.filter(ended_at=None).order_by("-opened_at", "-pk"))
        ended = tables.exclude(ended_at=None).order_by("-ended_at", "-pk").first()
        if ended and ended.ended_at and all(clock.since(table) < ended.ended_at for table in running):
            return ended  # An ended table stays on the face until play continues at another one.
        return running[0] if running else None
