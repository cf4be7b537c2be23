"""First games: a newcomer's first five minutes with a board game, against scripts, by a fixed deal.

Nothing depends on such an evening. It goes when its person begins the next one, and is swept as free nights
are.
"""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from companion.models import Person
from sessions.board_games.games import board_games
from sessions.engine.bots import SCRIPT
from sessions.evening import free_nights
from sessions.evening.shares import Chance
from sessions.game import FirstGame
from sessions.models import Table, TableSeat, Trial
from sessions.table.log import events_of
from sessions.table.opening import Sitter, open_table


def first_game_of(key: str) -> FirstGame | None:
    """Return the first game that a board game brings, None if it brings none or there is no such game."""
    module = board_games().get(key)
    return module.first_game if module else None


def going_on(person: Person | None, key: str) -> Table | None:
    """Return the first game of this kind that a person left unfinished."""
    return free_nights.game_going_on(person, key, Trial.FIRST_GAME)


def is_new_to(person: Person | None, key: str) -> bool:
    """True if a person has never sat at a table of this game."""
    return not TableSeat.objects.filter(seat__person=person or 0, table__module=key).exists()


@transaction.atomic
def begin(person: Person, key: str, first: FirstGame) -> Table:
    """Open the first game of a board game for a person, in the place of any earlier one, and deal."""
    seat = free_nights.first_game(person)
    return open_table(
        session=seat.session,
        module_key=key,
        players=[Sitter(seat), *[Sitter(None, SCRIPT)] * (first.players - 1)],
        options=first.options,
        opened_by=seat,
        chance=Chance("", sha256(f"first game of {key}: {first.deal}".encode()).hexdigest()),
    )


def kept_its_promise(table: Table) -> bool:
    """True if a first game came to what was promised, and not just to an end."""
    first = first_game_of(table.module) if table.session.trial == Trial.FIRST_GAME and table.ended_at else None
    return first is not None and first.ends(events_of(table, [table.version]))
