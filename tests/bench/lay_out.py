"""Lays out the tables of a benchmark in the database of a server; runs where Django is set up."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from companion.fate import Fate, commitment
from companion.identity.people import token
from companion.models import Person
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, start, step
from sessions.evening import nights
from sessions.game import AnyModule
from sessions.models import Campaign, Move, Role, Seat, Session, Table
from sessions.table.opening import open_table
from tests.bench import scripts
from tests.bench.wanted import Wanted

PLAYERS = 5
#: So many moves are scripted; a script of the usual ones may be played over and over.
SCRIPTED = 150


def print_tables(asked: str) -> None:
    """Print one line of JSON a table: its version, its pages, and the moves to be played, each by a page."""
    for fields in json.loads(asked):
        wanted = Wanted(**fields)
        for number in range(wanted.tables):
            print(json.dumps(lay_out(wanted, f"{wanted.module} {number}")))


def lay_out(wanted: Wanted, title: str) -> dict[str, Any]:
    module = registry()[wanted.module]
    gm = Person.objects.create(name="GM")
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="benchmark"), title=title)
    players = [sit(session, f"player {n}", Role.PLAYER) for n in range(1, min(PLAYERS, module.seats[-1]) + 1)]
    watchers = [sit(session, f"watcher {n}", Role.SPECTATOR) for n in range(wanted.people - 1 - len(players))]
    table = open_table(session=session, module_key=module.key, players=players)
    deal(table, title)
    if wanted.games:
        moves = scripts.game(module, bytes(table.snapshot), table.secret, wanted.games)
    else:
        moves = scripts.usual(len(players))
        advance(table, module, islice(moves, wanted.log))
    if wanted.ended:
        nights.close_session(session=session)
    return {
        "version": table.version,
        "pages": list(islice(pages(table, gm, players, watchers), wanted.pages)),
        "moves": [(0 if key == "gm" else int(key[1:]), move) for key, move in islice(moves, SCRIPTED)],
    }


def sit(session: Session, name: str, role: Role) -> Seat:
    return nights.take_seat(session=session, person=Person.objects.create(), name=name, role=role)


def deal(table: Table, secret: str) -> None:
    """Deal again with a known secret: every run of a benchmark plays the same games."""
    table.secret, table.commitment = secret, commitment(secret)
    table.snapshot = start(registry()[table.module], table.opening_seats, table.options, Fate(secret, 0))
    table.save()


def advance(table: Table, module: AnyModule, moves: Iterator[scripts.Scripted]) -> None:
    """Play moves by the rules alone, and write them down all at once."""
    rows: list[Move] = []
    for number, (seat, move) in enumerate(moves, table.version + 1):
        raw, fate = encode(move), Fate(table.secret, number)
        snapshot, events = step(module, table.snapshot, seat, decode_move(module, raw), fate)
        table.before, table.snapshot, table.version = table.snapshot, snapshot, number
        row = Move(table=table, number=number, seat=seat, move=raw, events=encode(events))
        row.client_id = uuid.uuid4()
        rows.append(row)
    Move.objects.bulk_create(rows, batch_size=500)
    table.save()


def pages(table: Table, gm: Person, players: list[Seat], watchers: list[Seat]) -> Iterator[dict[str, str]]:
    """Yield pages that show a table: everybody's first, then the face and second devices."""
    path = f"/ws/tables/{table.pk}/?lang=ja"
    people = [gm, *(seat.person for seat in [*players, *watchers])]
    firsts = [{"path": path, "cookie": token(person)} for person in people]
    yield from firsts
    face = {"path": f"/ws/faces/{table.session.face_key}/?lang=ja", "cookie": ""}
    yield from cycle([face, *reversed(firsts)])
