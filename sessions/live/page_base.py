"""The common parts of the session's open pages: a view renders a page once, its websocket keeps it current.

A page names the channel groups it listens to and renders its regions for its reader. It holds no state that
cannot be read again from the database.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404

from sessions.engine.registry import GameNotRegistered
from sessions.game import GameFailed
from sessions.live import regions
from sessions.models import Seat


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


class LivePage:
    """An open page. ``render_all`` renders everything, ``render_session`` the session's regions or some of
    them, ``render_parts`` some of the regions in ``session_regions.PARTS``.
    """

    def read_entry(self) -> PageEntry:
        """Return the first values for the page's socket.

        :raises PageGone: the page has nothing to show any more.
        """
        raise NotImplementedError

    def place(self) -> PagePlace:
        raise NotImplementedError

    def render_all(self) -> RenderedPage:
        raise NotImplementedError

    def render_page(self) -> RenderedPage:
        """Render a page for a new request. Its place is read first, so that no later one is missed."""
        place = self.place()
        return self.render_all() | RenderedPage({}, {"place": place.number})

    def render_with_place(self) -> tuple[PagePlace, RenderedPage]:
        """Return the place where the page belongs now, and all its session regions."""
        return self.place(), self.render_session()

    def render_session(self, only: Collection[str] | None = None) -> RenderedPage:
        raise NotImplementedError

    def render_parts(self, names: Collection[str]) -> RenderedPage:
        raise NotImplementedError

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return the reason for a refused move, in the reader's language."""
        return regions.table_refusal(None, code, details)
