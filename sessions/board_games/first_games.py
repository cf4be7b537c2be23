"""First games: a newcomer's first five minutes with a board game, against scripted bots, with a fixed deal.

Each is in a session of its own, on which nothing depends. The session is deleted when the person begins the
next first game, or when it is as old as other unused guest sessions (free_nights.py).
"""

from __future__ import annotations

from django.db import transaction

from companion.models import Person
from sessions.engine.bots import SCRIPT
from sessions.engine.first_games import first_game_secret
from sessions.engine.shelf import registry
from sessions.evening import free_nights
from sessions.evening.shares import SecretParts
from sessions.game import AnyModule
from sessions.models import Table, TableSeat, Trial
from sessions.table.opening import Sitter, open_table


def first_game_going_on(person: Person | None, key: str) -> Table | None:
    """Return the unfinished first game of this module that a person has, if any."""
    return free_nights.game_going_on(person, key, Trial.FIRST_GAME)


def is_new_to(person: Person | None, key: str) -> bool:
    """True if a person has never sat at a table of this game."""
    return not TableSeat.objects.filter(seat__person=person or 0, table__module=key).exists()


@transaction.atomic
def begin_first_game(person: Person, module: AnyModule) -> Table:
    """Open the first game of a board game for a person, and deal; any earlier first game is deleted."""
    first, seat = module.first_game, free_nights.first_game(person)
    assert first
    return open_table(
        session=seat.session,
        module_key=module.key,
        players=[Sitter(seat), *[Sitter(None, SCRIPT)] * (first.players - 1)],
        options=first.options,
        opened_by=seat,
        chance=SecretParts("", first_game_secret(module)),
    )


def first_game_end(table: Table) -> str:
    """Return the name of a first game's own end, if it has reached one; otherwise ""."""
    module = registry()[table.module]
    if module.first_game is None or table.session.trial != Trial.FIRST_GAME:
        return ""
    return module.first_game.ends(module.load(bytes(table.snapshot)))
