"""A fair request queue: each person has one place in it, however many requests they send."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass

from companion.pacing.visitors import Visitor

Turn = asyncio.Future[None]


class TooMany(Exception):
    """Too many requests of one person or address wait already, or the wait would be too long."""


@dataclass(frozen=True)
class Capacity:
    """The capacity of a queue: running requests in total, per address and per person, and waiting ones."""

    at_once: int
    of_an_address: int
    of_a_person: int
    waiting_of_an_address: int
    waiting_of_a_person: int


class RequestQueue:
    """The running and the waiting requests of one event loop.

    People are served first come, first served. As a turn begins, a person with more requests goes to the
    end (round robin). A person's place can be reserved for a while after their requests have left.
    """

    def __init__(self, room: Capacity) -> None:
        self.room = room
        self._working: Counter[Hashable] = Counter()
        self._working_from: Counter[Hashable] = Counter()
        self._waiting_from: Counter[Hashable] = Counter()
        #: Waiting requests by person, in the order of their places; a reserved place has none.
        self._waiting: dict[Hashable, deque[tuple[Visitor, Turn]]] = {}
        self._kept: dict[Hashable, asyncio.TimerHandle] = {}

    def join(self, who: Visitor) -> Turn:
        """Queue a request. Its turn begins when the future is done; call ``leave`` in any case.

        :raises TooMany: too many requests of the person or the address wait already.
        """
        turn = asyncio.get_running_loop().create_future()
        mine = self._waiting.get(who.person, ())
        if not mine and self._has_room(who):
            self._begin(who, turn)
        elif (not who.is_known or len(mine) < self.room.waiting_of_a_person) and self._waiting_from[
            who.address
        ] < self.room.waiting_of_an_address:
            self._waiting.setdefault(who.person, deque()).append((who, turn))
            self._waiting_from[who.address] += 1
        else:
            raise TooMany
        self._comes_back(who.person)
        return turn

    def leave(self, who: Visitor, turn: Turn) -> None:
        """Remove a request from the queue, whether it has had its turn or still waits."""
        if turn.done():
            _less(self._working, who.person)
            _less(self._working_from, who.address)
            self._next()
        else:
            self._waiting[who.person].remove((who, turn))
            _less(self._waiting_from, who.address)
            if who.person not in self._kept:
                self._forget(who.person)

    def keep(self, who: Visitor, seconds: float) -> None:
        """Reserve the place of a person for some seconds, so that their next request gets it back."""
        self._comes_back(who.person)
        loop = asyncio.get_running_loop()
        self._kept[who.person] = loop.call_later(seconds, self._stays_away, who.person)

    def ahead(self, who: Visitor) -> int:
        """Return the number of people ahead: those with running requests, and those with an earlier place."""
        ahead = set(self._working)
        for person in self._waiting:
            if person == who.person:
                break
            ahead.add(person)
        return len(ahead - {who.person})

    def _has_room(self, who: Visitor) -> bool:
        room = self.room
        return (
            self._working_from.total() < room.at_once
            and self._working_from[who.address] < room.of_an_address
            and (not who.is_known or self._working[who.person] < room.of_a_person)
        )

    def _begin(self, who: Visitor, turn: Turn) -> None:
        self._working[who.person] += 1
        self._working_from[who.address] += 1
        turn.set_result(None)
        self._forget(who.person)

    def _next(self) -> None:
        for person, mine in list(self._waiting.items()):
            if mine and self._has_room(mine[0][0]):
                who, turn = mine.popleft()
                _less(self._waiting_from, who.address)
                del self._waiting[person]
                if mine:
                    self._waiting[person] = mine
                self._begin(who, turn)

    def _forget(self, person: Hashable) -> None:
        """Drop a person's place if no request waits at it."""
        if not self._waiting.get(person, True):
            del self._waiting[person]

    def _comes_back(self, person: Hashable) -> None:
        if timer := self._kept.pop(person, None):
            timer.cancel()

    def _stays_away(self, person: Hashable) -> None:
        del self._kept[person]
        self._forget(person)


def _less(counted: Counter[Hashable], key: Hashable) -> None:
    counted[key] -= 1
    if not counted[key]:
        del counted[key]
