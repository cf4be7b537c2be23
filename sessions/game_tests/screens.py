"""Tables of random games as screens see them, in no database."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from django.utils import timezone

from companion.fate import Fate
from sessions.engine.random_play import random_game
from sessions.engine.step import decode_move, encode, step
from sessions.game import AnyModule
from sessions.models import Campaign, Move, Seat, Session, Table, TableSeat
from sessions.screen.regions import Screen
from sessions.table.held import CachedTable

#: As many moves of a game; what is drawn is drawn twice for every one of them.
MOVES = 40


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


def screens(module: AnyModule, held: CachedTable) -> list[Screen]:
    seats = [Screen("gm" if key == "gm" else "phone", key, runs=key == "gm") for key in held.state.seats]
    return [*seats, Screen("phone", None), Screen("face", None)]


def reseated(held: CachedTable, rng: Random) -> CachedTable:
    """Return the same position with one seat under another name, and another one in a bot's hands or not."""
    table = copy.copy(held.table)
    table.sitters = [copy.copy(sits) for sits in table.sitters]
    rng.choice(table.sitters).seat = Seat(pk=99, name=f"名{rng.randrange(99)}")
    lent = rng.choice(table.sitters)
    lent.bot = "" if lent.bot else "random"
    return replace(held, table=table, _looks={})


def game(module: AnyModule, seed: int) -> Iterator[CachedTable]:
    """Yield a table after each move of a random game, now and then with other names and bots."""
    rng, secret = Random(seed), f"seed {seed}"
    first, *rest = random_game(module, module.seats[seed % len(module.seats)], secret)
    held = opened(module, first.snapshot)
    yield held
    start = rng.randrange(max(1, len(rest) - MOVES)) if seed else 0
    for number, played in enumerate(rest[: start + MOVES], 1):
        move = decode_move(module, played.move)
        before = bytes(held.table.snapshot)
        snapshot, events = step(module, bytes(held.table.snapshot), played.seat, move, Fate(secret, number))
        row = Move(number=number, seat=played.seat or "", client_id=uuid.uuid4(), events=encode(events))
        held = held.after(row, module.load(snapshot), snapshot, None)
        if number >= start:
            yield held
        if number % 9 == 0:
            held = reseated(held, rng)
            yield held
        elif number % 7 == 0:
            # Taken back: an older state under a newer number.
            yield replace(held.after(row, module.load(before), before, None), recent_log=())
