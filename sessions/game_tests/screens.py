"""Tables of random games as screens see them, in no database, and the forms and ids in a screen's HTML."""

from __future__ import annotations

import copy
import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from random import Random
from typing import Any

from django.utils import timezone

from companion.fate import Fate
from sessions.engine.bots import random_game
from sessions.engine.step import decode_move, encode, step
from sessions.game import AnyModule
from sessions.live.regions import Screen
from sessions.models import Campaign, Move, Seat, Session, Table, TableSeat
from sessions.table.table_cache import CachedTable

#: As many moves of a game; what is drawn is drawn twice for every one of them.
MOVES = 40
CONTROLS = ("input", "select", "textarea", "button")


def opened(module: AnyModule, snapshot: bytes) -> CachedTable:
    """Return a table as it was dealt, in no database."""
    session = Session(pk=1, campaign=Campaign(name="蛇"), title="夜")
    table = Table(
        pk=1, session=session, module=module.key, opened_at=timezone.now(), snapshot=snapshot, secret="secret"
    )
    state = module.load(snapshot)
    seats = {key: Seat(pk=number, name=f"人{key}") for number, key in enumerate(state.seats)}
    table.sitters = [TableSeat(table=table, key=key, seat=seat) for key, seat in seats.items()]
    table.npc_pictures = {}
    return CachedTable(table, state, ())


def screens(module: AnyModule, cached: CachedTable) -> list[Screen]:
    seats = [Screen("gm" if key == "gm" else "phone", key, runs=key == "gm") for key in cached.state.seats]
    return [*seats, Screen("phone", None), Screen("face", None)]


def reseated(cached: CachedTable, rng: Random) -> CachedTable:
    """Return the same position with one seat under another name, and another one in a bot's hands or not."""
    table = copy.copy(cached.table)
    table.sitters = [copy.copy(sits) for sits in table.sitters]
    rng.choice(table.sitters).seat = Seat(pk=99, name=f"名{rng.randrange(99)}")
    lent = rng.choice(table.sitters)
    lent.bot = "" if lent.bot else "random"
    return replace(cached, table=table, _seat_views={})


def game(module: AnyModule, seed: int) -> Iterator[CachedTable]:
    """Yield a table after each move of a random game, now and then with other names and bots."""
    rng, secret = Random(seed), f"seed {seed}"
    first, *rest = random_game(module, module.seats[seed % len(module.seats)], secret)
    cached = opened(module, first.snapshot)
    yield cached
    start = rng.randrange(max(1, len(rest) - MOVES)) if seed else 0
    for number, played in enumerate(rest[: start + MOVES], 1):
        move = decode_move(module, played.move)
        before = bytes(cached.table.snapshot)
        snapshot, events = step(module, bytes(cached.table.snapshot), played.seat, move, Fate(secret, number))
        row = Move(number=number, seat=played.seat or "", client_id=uuid.uuid4(), events=encode(events))
        cached = cached.after_move(row, module.load(snapshot), snapshot, None)
        if number >= start:
            yield cached
        if number % 9 == 0:
            cached = reseated(cached, rng)
            yield cached
        elif number % 7 == 0:
            # Taken back: an older state under a newer number.
            yield replace(cached.after_move(row, module.load(before), before, None), recent_log=())


class Drawn(HTMLParser):
    """The forms of a screen: the move each sends, with the names of its controls."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[dict[str, Any], set[str]]] = []
        self.within = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.within = "data-move" in given
            if self.within:
                self.forms.append((json.loads(given["data-move"] or ""), set()))
        elif self.within and tag in CONTROLS and given.get("name"):
            self.forms[-1][1].update((given["name"] or "").split())

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.within = False


class Elements(HTMLParser):
    """The ids of a piece of HTML, how many roots it has, and whether every element is closed again."""

    VOID = frozenset({"input", "path", "use", "br", "img", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []
        self.roots = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.roots += not self.open
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
