"""The common parts of the evening's open pages: a view draws a page once, its websocket keeps it current.

A page names the channel groups it listens to and draws its regions for its reader. It holds nothing
that cannot be had again from the database.
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


#: The page closes for good, loads anew, and is told why.
NOTHING_HERE = (Gone, Http404, ObjectDoesNotExist, NotOnTheShelf, GameFailed)


@dataclass(frozen=True)
class Drawn:
    """The HTML of each region by its id, with the other values that the page's frame needs."""

    regions: dict[str, str]
    context: dict[str, Any]

    def __or__(self, other: Drawn) -> Drawn:
        return Drawn(self.regions | other.regions, self.context | other.context)


class Place(NamedTuple):
    """The address where a page belongs by now. Numbers only grow: a page of a lower one goes to ``url``."""

    number: int
    url: str


NOWHERE = Place(0, "")


class Watch(NamedTuple):
    """The screen of a table and the seat that a page may play there, with the seating that allowed it."""

    table_pk: int
    screen: regions.Screen
    seating: int
    #: The name of a stand-in, who plays another's seat.
    stand_in: str = ""


class Entry(NamedTuple):
    """The first values that a page's socket asks for, all at once."""

    seat: Seat | None
    groups: list[str]
    place: Place
    watch: Watch | None = None


class Page:
    """An open page. ``draw`` draws everything, ``draw_room`` the evening or only some regions of it,
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
        """Draw a page that is asked for anew; its place is looked up first, so no later one is missed."""
        place = self.place()
        return self.draw() | Drawn({}, {"place": place.number})

    def draw_evening(self) -> tuple[Place, Drawn]:
        """Draw all of the evening, and say where the page belongs by now."""
        return self.place(), self.draw_room()

    def draw_room(self, only: Collection[str] | None = None) -> Drawn:
        raise NotImplementedError

    def draw_parts(self, names: Collection[str]) -> Drawn:
        raise NotImplementedError

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return the reason for a refused move, in the reader's language."""
        return regions.refusal(None, code, details)
