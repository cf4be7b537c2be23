"""The checkable facts of a night's chance, in words for people and as data for their browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from companion import jinja
from companion.fate import Drawn
from sessions.models import Table
from sessions.table.replay import chance
from sessions.table.titles import title_of

VERSION = 1


@dataclass(frozen=True)
class Asked:
    """One shuffle or roll, in words: the move before it, the things it was made of, and their number."""

    move: int
    kind: str
    of: str
    count: int


@dataclass(frozen=True)
class Told:
    """A table's chance as its page tells it."""

    table: Table
    title: str
    asked: list[Asked]
    holds: bool

    @property
    def command(self) -> str:
        """The terminal command that prints the fingerprint of the secret."""
        return f"python3 -c \"import hashlib; print(hashlib.sha256(b'{self.table.own_secret}').hexdigest())\""


def told(table: Table) -> Told:
    """Return the chance of an ended table, in words, and whether log and table fit."""
    found = chance(table)
    asked = [Asked(move, one.kind, _named(table, one), len(one.items)) for move, one in found.drawn]
    return Told(table, title_of(table), asked, found.holds)


def facts(table: Table) -> dict[str, Any]:
    """Return the data with which a browser checks an ended table; ``docs/formats.md`` describes it."""
    found = chance(table)
    return {
        "format": "takujo.chance",
        "version": VERSION,
        "table": table.pk,
        "commitment": table.commitment,
        "secret": table.secret,
        "shares": table.shares or None,
        "fits": found.holds,
        "drawn": [
            {
                "move": move,
                "kind": one.kind,
                "name": one.name,
                "use": one.use,
                "items": one.items,
                "result": one.result,
            }
            for move, one in found.drawn
        ],
    }


def script(table: Table) -> bytes:
    """Return a table as a script of ``manage.py playthrough``, which plays it again on any computer."""
    steps = [
        {"seat": move.seat, "move": msgspec.Raw(bytes(move.move))} for move in table.moves.order_by("number")
    ]
    whole = {
        "module": table.module,
        "seats": table.opening_seats,
        "options": table.options,
        "secret": table.secret,
        "steps": steps,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _named(table: Table, one: Drawn) -> str:
    names = (f"tables/{table.module}/_chance.jinja", "tables/_chance.jinja")
    return jinja.draw(names, {"name": one.name})
