"""What every open page of the evening has: drawn once by a view, kept up to date by the page's websocket.

A page names the channel groups it listens to and draws its regions for the person who looks. It holds nothing
that cannot be had again from the database.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from sessions.models import Seat
from sessions.screen import regions


class Gone(Exception):
    """The page has nothing to show to this person any more."""


@dataclass(frozen=True)
class Drawn:
    """The HTML of each region by its id, and what the page's frame needs besides."""

    regions: dict[str, str]
    context: dict[str, Any]

    def __or__(self, other: Drawn) -> Drawn:
        return Drawn(self.regions | other.regions, self.context | other.context)


class Place(NamedTuple):
    """Where a page belongs by now. Numbers only grow: a page drawn for a lower one goes on to ``url``."""

    number: int
    url: str


NOWHERE = Place(0, "")


class Watch(NamedTuple):
    """What a page may see of a table and do there, and the seating at which that was found out."""

    table_pk: int
    screen: regions.Screen
    seating: int
    #: The person's name where they play somebody else's seat.
    stand_in: str = ""


class Entry(NamedTuple):
    """The answer to all that a page's socket asks first."""

    seat: Seat | None
    groups: list[str]
    place: Place
    watch: Watch | None = None


class Page:
    """An open page. ``draw`` draws everything, ``draw_room`` the evening or only some regions of it,
    ``draw_parts`` some of the regions in ``room.PARTS``.
    """

    def enter(self) -> Entry:
        """Return what the page's socket begins with.

        :raises Gone: the page has nothing to show any more.
        """
        raise NotImplementedError

    def place(self) -> Place:
        raise NotImplementedError

    def draw(self) -> Drawn:
        raise NotImplementedError

    def fresh(self) -> Drawn:
        """Draw a page that is asked for anew; its place is looked up first: no later one is missed."""
        place = self.place()
        return self.draw() | Drawn({}, {"place": place.number})

    def draw_room(self, only: Collection[str] | None = None) -> Drawn:
        raise NotImplementedError

    def draw_parts(self, names: Collection[str]) -> Drawn:
        raise NotImplementedError

    def explain(self, code: str, details: dict[str, Any]) -> str:
        """Return why a move was refused, in the reader's language."""
        return regions.refusal(None, code, details)
