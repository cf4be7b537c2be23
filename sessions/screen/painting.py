"""Rendering of the session's regions: once for all pages that show the same, one rendering at a time.

The tables themselves are rendered without waiting. While other renderings wait, each is followed by a pause,
so that moves have most of the process even when every phone of every table reconnects at once. While no moves
are played, the pause is short.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Protocol
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.utils import translation

from companion.steady.outages import NO_DATABASE
from sessions.screen.page import NOTHING_HERE, LivePage, PagePlace
from sessions.screen.room import PRESENCE
from sessions.table import moved

logger = logging.getLogger(__name__)

#: The pause after a rendering, as a multiple of its duration: while moves are played, and while none are.
REST, SHORT_REST = 4.0, 0.5
#: Seconds after the last move from which the short pause applies.
SILENT_AFTER = 2.0
#: Part names with a meaning of their own: all regions of the session, and the place where the page belongs.
EVERYTHING, PLACE = "*", "/"


class Viewer(Protocol):
    """An open page."""

    shown: LivePage
    language: str

    def show_room(self, place: PagePlace | None, html: dict[str, str]) -> None:
        """Send the changed regions soon, without blocking: a phone that stopped reading delays no other."""

    def leave_room(self) -> None:
        """Close soon, as there is nothing to show any more."""

    def lack_data(self, problem: Exception) -> None:
        """Report soon that the database is unavailable."""


class Canvas:
    """The session's regions as equal pages show them: tabs of one person, or screens of one table face."""

    def __init__(self, shown: LivePage, language: str) -> None:
        self.shown, self.language = shown, language
        self.viewers: set[Viewer] = set()
        self._wanted: set[str] = set()
        self._drawing: asyncio.Task[None] | None = None

    def want(self, *parts: str) -> None:
        """Request that regions of the session are rendered again in this canvas' next turn."""
        self._wanted |= set(parts)
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._render_queue())

    def close(self) -> None:
        if self._drawing:
            self._drawing.cancel()
            self._drawing = None

    async def _render_queue(self) -> None:
        while self._wanted:
            try:
                async with _turn():
                    wanted, self._wanted = self._wanted, set()
                    place, html = await database_sync_to_async(self._render_parts)(wanted)
                for viewer in self.viewers:
                    viewer.show_room(place, html)
            except NOTHING_HERE:
                for viewer in self.viewers:
                    viewer.leave_room()
            except NO_DATABASE as problem:
                for viewer in self.viewers:
                    viewer.lack_data(problem)
            except Exception:
                # The pages keep what they show; the next change tries again.
                logger.exception("a %s was not drawn", type(self.shown).__name__)
        self._drawing = None

    def _render_parts(self, parts: set[str]) -> tuple[PagePlace | None, dict[str, str]]:
        """Return the page's current place if the parts include it, and the HTML of the regions."""
        with translation.override(self.language):
            if EVERYTHING in parts:
                belongs, everything = self.shown.render_with_place()
                return belongs, everything.regions
            place = self.shown.place() if PLACE in parts else None
            now = self.shown.render_room(PRESENCE).regions if parts & PRESENCE else {}
            rest = parts - PRESENCE - {PLACE}
            return place, now | (self.shown.render_parts(rest).regions if rest else {})


class _Studio:
    """The canvases of one event loop, and the lock by which they take turns."""

    def __init__(self) -> None:
        self.canvases: dict[Hashable, Canvas] = {}
        self.lock, self.waiting = asyncio.Lock(), 0


_studios: WeakKeyDictionary[asyncio.AbstractEventLoop, _Studio] = WeakKeyDictionary()


def _studio() -> _Studio:
    return _studios.setdefault(asyncio.get_running_loop(), _Studio())


def join_canvas(viewer: Viewer) -> Canvas:
    """Register a page, and return the canvas that it shares with equal pages."""
    key = viewer.shown, viewer.language
    canvas = _studio().canvases.setdefault(key, Canvas(*key))
    canvas.viewers.add(viewer)
    return canvas


def leave_canvas(viewer: Viewer) -> None:
    canvases, key = _studio().canvases, (viewer.shown, viewer.language)
    if canvas := canvases.get(key):
        canvas.viewers.discard(viewer)
        if not canvas.viewers:
            canvas.close()
            del canvases[key]


@asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    """Wait for the turn to render; afterwards pause if other canvases wait."""
    loop, studio = asyncio.get_running_loop(), _studio()
    studio.waiting += 1
    try:
        async with studio.lock:
            began = loop.time()
            yield
            if studio.waiting > 1:
                await asyncio.sleep(_pause_factor() * (loop.time() - began))
    finally:
        studio.waiting -= 1


_last_move = 0.0


def _pause_factor() -> float:
    return SHORT_REST if time.monotonic() - _last_move > SILENT_AFTER else REST


def _note_move(table_pk: int, version: int, seating: int) -> None:
    global _last_move
    _last_move = time.monotonic()


moved.listeners.append(_note_move)
