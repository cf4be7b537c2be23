"""The table face 卓面: a screen for all, without secrets. It shows a table, or else who is here."""

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
#: While there is no table.
LOBBY = "sessions/face.html"


@dataclass(frozen=True)
class FacePage(Page):
    """A face, found by its address alone: everybody who knows it may look."""

    key: str
    origin: str
    join_only: bool = False
    #: The table that this screen was chosen for; 0 for the newest.
    chosen: int = 0

    def enter(self) -> Entry:
        session = access.session_by_face(self.key)
        return Entry(None, [announcing.session_group(session.pk)], self.place(), self.watch())

    def watch(self) -> Watch | None:
        """Return the sight that this face has of its table; None while there is none."""
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
        """Draw what the face places of these, as somebody without a seat may see it."""
        session = access.session_by_face(self.key)
        table = self._table(session)
        layout = layout_template(table.module, FACE.layout) if table else LOBBY
        context = {"session": session, "my_seat": None, "own_seat": None}
        return Drawn(draw_own_parts(layout, names, context), {})

    def place(self) -> Place:
        """Return where the play is: a face that was chosen for no table goes along."""
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
            return ended  # The end is looked at until play goes on elsewhere.
        return running[0] if running else None
