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

from sessions.engine.shelf import NotOnTheShelf
from sessions.game import GameFailed
from sessions.models import Seat
from sessions.screen import regions


class Gone(Exception):
    """The page has nothing to show to this person any more."""


#: Errors at which the page's socket closes for good; the page reloads and shows the reason.
NOTHING_HERE = (Gone, Http404, ObjectDoesNotExist, NotOnTheShelf, GameFailed)


@dataclass(frozen=True)
class Drawn:
    """The HTML of each region by its id, with the other values that the page's template needs."""

    regions: dict[str, str]
    context: dict[str, Any]

    def __or__(self, other: Drawn) -> Drawn:
        return Drawn(self.regions | other.regions, self.context | other.context)


class Place(NamedTuple):
    """The address where a page belongs. Numbers only grow: a page with a lower number goes to ``url``."""

    number: int
    url: str


NOWHERE = Place(0, "")


class Watch(NamedTuple):
    """A table that a page shows, and the screen (layout and seat) on which the page may show it.

    ``seating`` is the version of the session's seating that allowed it.
    """

    table_pk: int
    screen: regions.Screen
    seating: int
    #: The name of the stand-in who plays another's seat; else "".
    stand_in: str = ""


class Entry(NamedTuple):
    """The first values that a page's socket needs, from one call."""

    seat: Seat | None
    groups: list[str]
    place: Place
    watch: Watch | None = None


class Page:
    """An open page. ``draw`` renders everything, ``draw_room`` the session's regions or only some of them,
    ``draw_parts`` some of the regions in ``room.PARTS``.
    """

    def enter(self) -> Entry:
        """Return the first values for the page's socket.

        :raises Gone: the page has nothing to show any more.
        """
        raise NotImplementedError

    def place(self) -> Place:
        raise NotImplementedError

    def draw(self) -> Drawn:
        raise NotImplementedError

    def fresh(self) -> Drawn:
        """Render a page for a new request. Its place is read first, so that no later one is missed."""
        place = self.place()
        return self.draw() | Drawn({}, {"place": place.number})

    def draw_evening(self) -> tuple[Place, Drawn]:
        """Return the place where the page belongs now, and all its session regions."""
        return self.place(), self.draw_room()

    def draw_room(self, only: Collection[str] | None = None) -> Drawn:
        raise NotImplementedError

    def draw_parts(self, names: Collection[str]) -> Drawn:
        raise NotImplementedError

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return the reason for a refused move, in the reader's language."""
        return regions.refusal(None, code, details)
