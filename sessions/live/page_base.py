"""Open pages: a view renders a page once for a request, then its websocket keeps it current.

A page holds no state that cannot be read again from the database.

A websocket takes over the session's regions as its page's request rendered them, unless a change was
announced between the two (``requested_regions``).

Pages that show the same share a ``RegionRenderer``, which renders the session's regions once for all of them.
The renderers of one table or lobby that wait together have one turn, in which they share the rows that they
read. The tables themselves are rendered without waiting (hub.py). While other renderers wait, each turn is
followed by a pause, so that moves have most of the process even when every phone of every table reconnects at
once. While no moves are played, the pause is short.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.utils import translation
from django.utils.translation import get_language

from companion.caches import LruCache
from companion.fallback.outages import NO_DATABASE, REDIS
from companion.server.threads import run_in_lane
from sessions.engine.registry import GameNotRegistered
from sessions.evening.announcements import newest_mark
from sessions.game import GameFailed
from sessions.live import regions
from sessions.live.session_regions import PRESENCE, SharedRows, render_own_parts
from sessions.models import Seat
from sessions.table import commit

logger = logging.getLogger(__name__)
#: The pause after a rendering, as a multiple of its duration: while moves are played, and while none are.
REST, SHORT_REST = 4.0, 0.5
#: Seconds after which a rendering that does not come back loses its turn to the next one.
TURN = 1.0
#: Seconds after the last move from which the short pause applies.
SILENT_AFTER = 2.0
#: The most renderers of one turn: their pages get nothing before the whole turn is over.
TURN_AT_MOST = 8
#: Seconds until a page that has just connected is rendered, together with those that connect in that time.
COLLECT_FOR = 0.1
#: Seconds for which the regions of a requested page are kept for its websocket, and of how many pages.
KEPT_FOR, PAGES_KEPT = 10.0, 64
#: Part names with a meaning of their own: all regions of the session, and the place where the page belongs.
EVERYTHING, PLACE = "*", "/"
#: The rows that a page reads from the database before it renders.
Rows = TypeVar("Rows")


class PageGone(Exception):
    """The page has nothing to show to this person any more."""


#: Errors at which the page's socket closes for good; the page reloads and shows the reason.
NOTHING_HERE = (PageGone, Http404, ObjectDoesNotExist, GameNotRegistered, GameFailed)


@dataclass(frozen=True)
class RenderedPage:
    """The HTML of each region by its id, with the other values that the page's template needs."""

    regions: dict[str, str]
    context: dict[str, Any]

    def __or__(self, other: RenderedPage) -> RenderedPage:
        return RenderedPage(self.regions | other.regions, self.context | other.context)


class PagePlace(NamedTuple):
    """The address where a page belongs. Numbers only grow: a page with a lower number goes to ``url``."""

    number: int
    url: str


NOWHERE = PagePlace(0, "")


@dataclass(frozen=True)
class RequestedRegions:
    """The session's regions as a request rendered them, and the session's announcement mark before that.

    ``outages`` is the number of Redis' outages: the mark of an announcement during one is lost.
    """

    mark: str
    html: dict[str, str]
    outages: int
    at: float = field(default_factory=time.monotonic)


#: A page's place, if it was asked for, and the HTML of regions.
RegionUpdate = tuple[PagePlace | None, dict[str, str]]


class TableWatch(NamedTuple):
    """A table that a page shows, and the screen (layout and seat) on which the page may show it.

    ``seating`` is the version of the session's seating that allowed it.
    """

    table_pk: int
    screen: regions.Screen
    seating: int
    #: The name of the stand-in who plays another's seat; else "".
    stand_in: str = ""


class PageEntry(NamedTuple):
    """The first values that a page's socket needs, from one call."""

    seat: Seat | None
    groups: list[str]
    place: PagePlace
    watch: TableWatch | None = None


class LivePage(Generic[Rows]):
    """A page as its reader may see it. Each public method reads the page's rows once.

    Methods raise an error of ``NOTHING_HERE`` if the page has nothing to show any more.
    """

    @property
    def turn_key(self) -> Hashable:
        """A key that is equal for pages which read the same rows, apart from their readers' own."""
        return self

    def announced_session_pk(self) -> int | None:
        """Return the pk of the session whose announcements tell all changes of this page, if there is one."""
        return None

    def at_place(self, number: int) -> LivePage[Rows]:
        """Return this page as its websocket has it after a request that rendered it for this place."""
        return self

    def read_entry(self) -> PageEntry:
        raise NotImplementedError

    def place(self) -> PagePlace:
        return self._place(self._read())

    def render_page(self) -> RenderedPage:
        """Render the page for a new request: bottom sheets are rendered when they are opened.

        Its place is read first, so that no later one is missed.
        """
        # Before the rows: an announcement after it has a newer mark.
        mark, outages = self._newest_mark(), REDIS.count
        rows = self._read()
        number = self._place(rows).number
        session = self._render_session(rows)
        if mark:
            requested = RequestedRegions(mark, session.regions, outages)
            _requested.store((self.at_place(number), get_language()), requested)
        return self._render_table(rows, ()) | session | RenderedPage({}, {"place": number})

    def requested_regions(self) -> dict[str, str] | None:
        """Return the session's regions as this page's request has just rendered them for its reader.

        None if a change was announced since then. The page must have joined its groups: so it gets each later
        announcement.
        """
        found = _requested.get((self, get_language()))
        if found is None or time.monotonic() - found.at > KEPT_FOR or found.outages != REDIS.count:
            return None
        return found.html if found.mark == self._newest_mark() else None

    def _newest_mark(self) -> str:
        session_pk = self.announced_session_pk()
        return newest_mark(session_pk) if session_pk else ""

    def render_all(self) -> RenderedPage:
        rows = self._read()
        return self._render_table(rows, None) | self._render_session(rows)

    def render_parts(self, names: Collection[str]) -> RenderedPage:
        """Render some of the regions in ``session_regions.PARTS``."""
        return RenderedPage(self._render_own(self._read(), names), {})

    def render_again(self, parts: set[str], shared: SharedRows) -> RegionUpdate:
        """Return the page's current place if the parts include it, and the HTML of the session's regions."""
        rows = self._read(shared)
        if EVERYTHING in parts:
            return self._place(rows), self._render_session(rows).regions
        place = self._place(rows) if PLACE in parts else None
        html = self._render_session(rows, PRESENCE).regions if parts & PRESENCE else {}
        own = parts - PRESENCE - {PLACE}
        return place, html | self._render_own(rows, own) if own else html

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return the reason for a refused move, in the reader's language."""
        return regions.table_refusal(None, code, details)

    def _read(self, shared: SharedRows | None = None) -> Rows:
        """Read the rows of the page.

        :param shared: the rows that were read in this turn for other pages.
        """
        raise NotImplementedError

    def _place(self, rows: Rows) -> PagePlace:
        raise NotImplementedError

    def _render_table(self, rows: Rows, opened: Collection[str] | None) -> RenderedPage:
        """Render the table's regions, with these bottom sheets opened; with all if it is None."""
        return RenderedPage({}, {})

    def _render_session(self, rows: Rows, only: Collection[str] | None = None) -> RenderedPage:
        raise NotImplementedError

    def _render_own(self, rows: Rows, names: Collection[str]) -> dict[str, str]:
        layout, context = self._own_context(rows)
        return render_own_parts(layout, names, context)

    def _own_context(self, rows: Rows) -> tuple[str, dict[str, Any]]:
        """Return the page's layout, and the values of its regions in ``PARTS``."""
        raise NotImplementedError


class OpenPage(Protocol):
    """An open page, as the services that all pages of an event loop share call it. No method blocks."""

    page: LivePage[Any]
    language: str
    seat: Seat | None
    channel_name: str

    @property
    def sharing_pks(self) -> Sequence[int]:
        """Return the pks of the other people who share its device."""

    def show_regions(self, place: PagePlace | None, html: dict[str, str]) -> None:
        """Send the changed regions soon: a phone that stopped reading delays no other."""

    def update_presence(self, presence: tuple[Any, ...]) -> None:
        """Receive the current presence of the people here, changed or not (heartbeats.py)."""

    def update_open_twice(self, twice: bool) -> None:
        """Receive whether this page's seat is open on another screen, too."""

    def note_outage(self, problem: Exception) -> None:
        """Report soon that the database is unavailable."""

    def close_soon(self) -> None:
        """Close soon, as there is nothing to show any more."""


_requested: LruCache[Hashable, RequestedRegions] = LruCache(PAGES_KEPT)


class RegionRenderer:
    """The session's regions as equal pages show them: tabs of one person, or screens of one table face."""

    def __init__(self, page: LivePage[Any], language: str) -> None:
        self.page, self.language = page, language
        self.viewers: set[OpenPage] = set()
        self._requested: set[str] = set()

    def request_regions(self, *parts: str) -> None:
        """Request that regions of the session are rendered again in this renderer's next turn."""
        if self.viewers:
            self._requested |= set(parts)
            _loop_renderers().queue(self)

    def take_parts(self) -> set[str]:
        """Return the parts that are to be rendered now; later requests are for another turn."""
        parts, self._requested = self._requested, set()
        return parts

    def render(self, parts: set[str], shared: SharedRows) -> RegionUpdate | Exception:
        """Render these parts; return the error if that fails, as it concerns this page alone."""
        try:
            with translation.override(self.language):
                return self.page.render_again(parts, shared)
        except Exception as problem:  # noqa: BLE001 (the other pages of the turn are rendered all the same)
            return problem

    def show(self, update: RegionUpdate | Exception) -> None:
        match update:
            case Exception() as problem if isinstance(problem, NOTHING_HERE):
                for viewer in self.viewers:
                    viewer.close_soon()
            case Exception() as problem if isinstance(problem, NO_DATABASE):
                for viewer in self.viewers:
                    viewer.note_outage(problem)
            case Exception() as problem:
                # The pages keep what they show; the next change tries again.
                logger.error("a %s was not drawn", type(self.page).__name__, exc_info=problem)
            case place, html:
                for viewer in self.viewers:
                    viewer.show_regions(place, html)


class _LoopRenderers:
    """The renderers of one event loop, which take turns."""

    def __init__(self) -> None:
        self.renderers: dict[Hashable, RegionRenderer] = {}
        self._waiting: dict[RegionRenderer, None] = {}
        self._rendering: asyncio.Task[None] | None = None
        #: The newest turn, and earlier ones that have not come back within ``TURN`` seconds.
        self._turns: set[asyncio.Task[None]] = set()

    def queue(self, renderer: RegionRenderer) -> None:
        self._waiting[renderer] = None
        if self._rendering is None:
            self._rendering = asyncio.create_task(self._render_queue())

    def remove(self, renderer: RegionRenderer) -> None:
        self._waiting.pop(renderer, None)

    async def _render_queue(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            began = loop.time()
            turn = asyncio.create_task(self._render_together(self._next_turn()))
            self._turns.add(turn)
            turn.add_done_callback(self._turns.discard)
            await asyncio.wait({turn}, timeout=TURN)
            if self._waiting:
                is_quiet = time.monotonic() - _last_move > SILENT_AFTER
                await asyncio.sleep((SHORT_REST if is_quiet else REST) * (loop.time() - began))
        self._rendering = None

    def _next_turn(self) -> list[RegionRenderer]:
        """Take the renderer that waits longest from the queue, and those that read the same rows."""
        first = next(iter(self._waiting))
        alike = [one for one in self._waiting if one.page.turn_key == first.page.turn_key][:TURN_AT_MOST]
        for renderer in alike:
            del self._waiting[renderer]
        return alike

    async def _render_together(self, renderers: list[RegionRenderer]) -> None:
        """Render in the renderers' lane, one after another: a move of another table begins between two.

        All of them are in the lane at once, so that a later turn comes behind them.
        """
        shared, lane = SharedRows(), f"regions of {renderers[0].page.turn_key}"

        async def render(renderer: RegionRenderer, parts: set[str]) -> None:
            try:
                renderer.show(await run_in_lane(lane, renderer.render, parts, shared))
            except Exception:
                logger.exception("a turn of renderers failed")

        await asyncio.gather(*[render(renderer, renderer.take_parts()) for renderer in renderers])


_renderers_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopRenderers] = WeakKeyDictionary()


def _loop_renderers() -> _LoopRenderers:
    return _renderers_by_loop.setdefault(asyncio.get_running_loop(), _LoopRenderers())


def join_renderer(viewer: OpenPage) -> RegionRenderer:
    """Register a page, and return the renderer that it shares with equal pages."""
    key = viewer.page, viewer.language
    renderer = _loop_renderers().renderers.setdefault(key, RegionRenderer(*key))
    renderer.viewers.add(viewer)
    return renderer


def leave_renderer(viewer: OpenPage) -> None:
    known, key = _loop_renderers(), (viewer.page, viewer.language)
    if renderer := known.renderers.get(key):
        renderer.viewers.discard(viewer)
        if not renderer.viewers:
            known.remove(renderer)
            del known.renderers[key]


_last_move = 0.0


def _note_move(table_pk: int, version: int, seating: int) -> None:
    global _last_move
    _last_move = time.monotonic()


commit.listeners.append(_note_move)
